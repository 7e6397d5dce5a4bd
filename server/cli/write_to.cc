// SPDX-License-Identifier: MIT
#include "server/cli/write_to.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>

#include <fmt/format.h>

#include "server/cli/print.h"

namespace retrylab::cli {

Result<void> write_to(const std::string& target, std::string_view text) {
  if (target == "-") {
    write_text(stdout, text);
    return check_output();
  }
  std::ofstream file(target, std::ios::binary);
  file << text;
  file.close();
  if (file) return {};
  return fail(ErrorCode::machine, target,
              fmt::format("cannot write the report: {}", std::strerror(errno)));
}

}  // namespace retrylab::cli
