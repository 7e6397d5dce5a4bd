// SPDX-License-Identifier: MIT
#include "server/cli/profile_argument.h"

#include <fmt/format.h>

#include "server/scenario/json/nearest.h"
#include "server/scenario/words.h"

namespace retrylab::cli {

Result<std::string> profile_argument(const std::string& text) {
  if (text.empty()) return text;
  const auto names = scenario::profile_names();
  if (const auto name = scenario::json::same_word(text, names); !name.empty()) {
    return std::string(name);
  }
  const auto near = scenario::json::nearest(text, names);
  return fail(ErrorCode::invalid_argument, "--profile " + text,
              near.empty() ? std::string("no such profile; `retrylab profiles` lists them")
                           : fmt::format("no such profile; did you mean {}?", near));
}

}  // namespace retrylab::cli
