// SPDX-License-Identifier: MIT
// /health, /version and /openapi.json: the process as a whole.
#include "server/control/endpoints/endpoints.h"
#include "server/control/json_text.h"
#include "server/control/openapi.h"
#include "server/control/query.h"
#include "server/journal/ndjson.h"
#include "server/report/report.h"

namespace retrylab::control::endpoints {

Expected<Answer> health(Call& call) {
  if (auto query = Query::read(call.request, {}); !query) return tl::unexpected(query.error());
  return json_answer({{"status", "ok"}});
}

Expected<Answer> version(Call& call) {
  if (auto query = Query::read(call.request, {}); !query) return tl::unexpected(query.error());
  return json_answer({{"retrylab", report::version()},
                      {"api", "1.0.0"},
                      {"journal_format", journal::kNdjsonFormat},
                      {"report_format", 1}});
}

Expected<Answer> openapi(Call& call) {
  if (auto query = Query::read(call.request, {}); !query) return tl::unexpected(query.error());
  return Answer{.content_type = "application/json", .body = std::string(openapi_text())};
}

}  // namespace retrylab::control::endpoints
