// SPDX-License-Identifier: MIT
// /runs/{id}/journal: NDJSON from an offset, once or followed.
#include <memory>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "server/control/endpoints/endpoints.h"
#include "server/control/journal_stream.h"
#include "server/control/query.h"

namespace retrylab::control::endpoints {
namespace {

constexpr const char* kNdjson = "application/x-ndjson";

// All lines from `from` on that there are at this moment.
Answer lines_so_far(JournalLog& log, std::uint64_t from) {
  Answer answer{.content_type = kNdjson, .body = {}};
  const std::uint64_t generation = log.generation();
  const std::uint64_t until = log.next();
  while (from < until) {
    auto piece = log.read(from, generation, SIZE_MAX, Duration{0});
    if (piece.generation != generation) break;
    if (piece.dropped > 0) answer.body += dropped_line(from, piece.first);
    answer.body += piece.lines;
    from = piece.next;
  }
  answer.headers.push_back({"Retrylab-Next", fmt::format("{}", from)});
  return answer;
}

}  // namespace

Expected<Answer> get_journal(Call& call) {
  const auto query = Query::read(call.request, {"from", "follow"});
  if (!query) return tl::unexpected(query.error());
  const auto from = query->count("from");
  if (!from) return tl::unexpected(from.error());
  const auto follow = query->flag("follow");
  if (!follow) return tl::unexpected(follow.error());
  const auto id = run_id(call.parameter);
  if (!id) return tl::unexpected(id.error());
  auto log = call.context.runs.journal(*id);
  if (!log) return tl::unexpected(std::move(log.error()));
  if (!*follow) return lines_so_far(**log, from->value_or(0));
  auto place = take_place(call);
  if (!place) return tl::unexpected(std::move(place.error()));
  Answer answer{.content_type = kNdjson, .body = {}};
  answer.stream =
      std::make_unique<LineStream>(*id, std::move(*log), from->value_or(0), std::move(*place));
  return answer;
}

}  // namespace retrylab::control::endpoints
