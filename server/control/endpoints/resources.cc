// SPDX-License-Identifier: MIT
// /runs/{id}/resources: what was created.
#include <utility>

#include "server/control/endpoints/endpoints.h"
#include "server/control/json_text.h"
#include "server/control/query.h"
#include "server/report/story.h"

namespace retrylab::control::endpoints {
namespace {

Json resource_json(const journal::Run& run, const journal::Resource& resource) {
  const Duration at = report::since_zero(run, resource.at);
  return {{"kind", resource.kind},
          {"id", resource.id},
          {"attempt", resource.attempt},
          {"key", text_or_null(resource.key)},
          {"at_ms", std::chrono::duration<double, std::milli>(at).count()}};
}

}  // namespace

Expected<Answer> get_resources(Call& call) {
  if (auto query = Query::read(call.request, {}); !query) return tl::unexpected(query.error());
  return run_id(call.parameter)
      .and_then([&](RunId id) { return call.context.runs.evidence(id); })
      .map([](const Evidence& evidence) {
        Json resources = Json::array();
        for (const auto& one : evidence.run.resources) {
          resources.push_back(resource_json(evidence.run, one));
        }
        return json_answer({{"resources", std::move(resources)}});
      });
}

}  // namespace retrylab::control::endpoints
