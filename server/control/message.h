// SPDX-License-Identifier: MIT
// A request to the admin API and its answer, as values: the endpoints are functions from one to
// the other and know no socket.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "client_lib/base/http.h"
#include "client_lib/base/time.h"

namespace retrylab::control {

struct Request {
  std::string method;
  std::string path;                                        // decoded, without the query
  std::vector<std::pair<std::string, std::string>> query;  // decoded, in order
  Headers headers;
  std::string body;
  bool body_too_large = false;  // then `body` is empty

  // The first header of that name, "" when there is none.
  std::string header(std::string_view name) const {
    return std::string(find_header(headers, name).value_or(""));
  }
};

// A body that goes on: journals and events that are followed. Used by one thread at a time.
class Stream {
 public:
  virtual ~Stream() = default;
  // What came since the last call, waiting for it no longer than `limit`; "" : nothing did, and
  // nothing at all: the body is over.
  virtual std::optional<std::string> next(Duration limit) = 0;
  // Sent when there was nothing to send for long, so that a dead client is noticed; may be "".
  virtual std::string heartbeat() const { return ""; }
  // For people: "the events of run 3".
  virtual std::string describe() const = 0;
};

struct Answer {
  int status = 200;
  std::string content_type;
  std::string body;
  Headers headers{};
  std::unique_ptr<Stream> stream = nullptr;  // instead of `body`
};

}  // namespace retrylab::control
