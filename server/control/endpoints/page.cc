// SPDX-License-Identifier: MIT
// / and /page/{file}: the page for people.
#include "server/control/page/page.h"

#include <fmt/format.h>

#include "server/control/endpoints/endpoints.h"
#include "server/control/query.h"

namespace retrylab::control::endpoints {

Expected<Answer> page(Call& call) {
  if (auto query = Query::read(call.request, {}); !query) return tl::unexpected(query.error());
  const PageFile* const file = find_page_file(call.request.path);
  if (file == nullptr) {
    return problem(Problem::Type::unknown_path,
                   fmt::format("the page has no file {}", call.request.path));
  }
  return Answer{.content_type = std::string(file->content_type),
                .body = std::string(file->text),
                .headers = {{"Content-Security-Policy", std::string(kPagePolicy)}}};
}

}  // namespace retrylab::control::endpoints
