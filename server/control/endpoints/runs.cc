// SPDX-License-Identifier: MIT
// /runs, /runs/{id}, its scenario and its reset.
#include <utility>

#include <fmt/format.h>

#include "server/control/endpoints/endpoints.h"
#include "server/control/json_text.h"
#include "server/control/order.h"
#include "server/control/query.h"

namespace retrylab::control::endpoints {
namespace {

// {id} of a request without a query.
Expected<RunId> bare_run(const Call& call) {
  if (auto query = Query::read(call.request, {}); !query) return tl::unexpected(query.error());
  return run_id(call.parameter);
}

Answer run_answer(const RunInfo& info) {
  return json_answer(to_json(info));
}

}  // namespace

Expected<Answer> start_run(Call& call) {
  if (auto query = Query::read(call.request, {}); !query) return tl::unexpected(query.error());
  auto order = read_new_run(call.request.body);
  if (!order) return tl::unexpected(std::move(order.error()));
  return call.context.runs.start(std::move(*order)).map([](const RunInfo& info) {
    Answer answer = json_answer(to_json(info), 201);
    answer.headers.push_back({"Location", fmt::format("/runs/{}", info.id)});
    return answer;
  });
}

Expected<Answer> list_runs(Call& call) {
  if (auto query = Query::read(call.request, {}); !query) return tl::unexpected(query.error());
  Json runs = Json::array();
  for (const RunInfo& info : call.context.runs.list()) runs.push_back(to_json(info));
  return json_answer({{"runs", std::move(runs)}});
}

Expected<Answer> get_run(Call& call) {
  return bare_run(call)
      .and_then([&](RunId id) { return call.context.runs.info(id); })
      .map(run_answer);
}

Expected<Answer> get_scenario(Call& call) {
  return bare_run(call)
      .and_then([&](RunId id) { return call.context.runs.scenario_text(id); })
      .map([](const std::string& text) {
        return Answer{.content_type = "application/json", .body = text};
      });
}

Expected<Answer> reset_run(Call& call) {
  const auto id = bare_run(call);
  if (!id) return tl::unexpected(id.error());
  const auto seed = read_reset(call.request.body);
  if (!seed) return tl::unexpected(seed.error());
  return call.context.runs.reset(*id, *seed).map(run_answer);
}

Expected<Answer> delete_run(Call& call) {
  return bare_run(call).and_then([&](RunId id) { return call.context.runs.end(id); }).map([] {
    return Answer{.status = 204};
  });
}

}  // namespace retrylab::control::endpoints
