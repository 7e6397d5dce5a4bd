// SPDX-License-Identifier: MIT
// /events: what happens, as server-sent events.
#include <memory>
#include <string>
#include <utility>

#include "server/control/endpoints/endpoints.h"
#include "server/control/journal_stream.h"
#include "server/control/query.h"
#include "server/control/run_event_stream.h"

namespace retrylab::control::endpoints {
namespace {

// Where a client that was cut off goes on; a browser says so by itself. What lies beyond the
// journal's end is an offset of the journal before a reset.
Expected<std::uint64_t> offset(const Request& request, const Query& query, const JournalLog& log) {
  if (const auto last = parse_count(request.header("Last-Event-ID"))) {
    return *last > log.next() ? 0 : *last;
  }
  return query.count("from").map([](const auto& from) { return from.value_or(0); });
}

Expected<std::unique_ptr<Stream>> record_events(Call& call, const Query& query) {
  const auto id = run_id(*query.text("run"));
  if (!id) return tl::unexpected(id.error());
  auto log = call.context.runs.journal(*id);
  if (!log) return tl::unexpected(std::move(log.error()));
  const auto from = offset(call.request, query, **log);
  if (!from) return tl::unexpected(from.error());
  auto place = take_place(call);
  if (!place) return tl::unexpected(std::move(place.error()));
  return std::make_unique<RecordEventStream>(*id, std::move(*log), *from, call.context,
                                             std::move(*place));
}

Expected<std::unique_ptr<Stream>> run_events(Call& call, const Query& query) {
  if (query.text("from")) {
    return problem(Problem::Type::invalid_request, "query parameter from goes with run");
  }
  auto place = take_place(call);
  if (!place) return tl::unexpected(std::move(place.error()));
  return std::make_unique<RunEventStream>(call.context, std::move(*place));
}

}  // namespace

Expected<Answer> events(Call& call) {
  const auto query = Query::read(call.request, {"run", "from"});
  if (!query) return tl::unexpected(query.error());
  auto stream = query->text("run") ? record_events(call, *query) : run_events(call, *query);
  if (!stream) return tl::unexpected(std::move(stream.error()));
  Answer answer{.content_type = "text/event-stream", .body = {}};
  answer.stream = std::move(*stream);
  return answer;
}

}  // namespace retrylab::control::endpoints
