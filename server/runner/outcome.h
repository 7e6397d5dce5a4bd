// SPDX-License-Identifier: MIT
// What a client says of itself: a JSON object with `outcome` in a line of its output, or in the
// file $RETRYLAB_OUTCOME. Pure.
//
//   {"outcome": "success" | "failure", "status": 201, "body_sha256": "…", "reason": "…"}
//
// Other members are ignored; only `outcome` is required.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "server/journal/record.h"

namespace retrylab::runner {

struct Declared {
  journal::ClientEnd::Outcome outcome = journal::ClientEnd::Outcome::none;
  std::optional<int> status;
  std::string body_sha256;
  std::string reason;
};

// Nothing when `text` is anything but such an object.
std::optional<Declared> parse_declared(std::string_view text);

// Watches output as it comes and keeps the last line that declares an outcome. A line longer
// than 64 KB declares nothing.
class OutcomeReader {
 public:
  void feed(std::string_view bytes);
  // The last line need not end with a line feed.
  std::optional<Declared> finish();

 private:
  void end_line();

  std::string line_;
  bool too_long_ = false;
  std::optional<Declared> last_;
};

}  // namespace retrylab::runner
