// SPDX-License-Identifier: MIT
// A request body that is read as it is sent, for what should not lie in memory.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "client_lib/base/result.h"

namespace retrylab {

class BodySource {
 public:
  virtual ~BodySource() = default;

  // How many bytes it gives from its start; the same every time.
  virtual std::uint64_t size() const = 0;

  // Whether rewind() works. When not, the body can be sent once, and the operation ends with
  // Reason::body_not_repeatable where it would have been retried.
  virtual bool can_rewind() const = 0;

  // Back to the first byte; called before every attempt but the first. False: it failed after
  // all, which ends the operation the same way.
  virtual bool rewind() = 0;

  // The next bytes; 0 when there are none left or reading failed. A source that ends before
  // size() fails the attempt as invalid_request.
  virtual std::size_t read(std::span<char> into) = 0;
};

// A regular file. Errors: it cannot be opened, or is no regular file.
Result<std::shared_ptr<BodySource>> file_body(const std::string& path);

}  // namespace retrylab
