// SPDX-License-Identifier: MIT
// The admin listener: carries requests to an Api and its answers back. cpp-httplib does the HTTP
// and is seen by server.cc and http_request.cc alone. One request per connection, one thread per
// connection while it lasts (docs/decisions/0061-the-admin-listener.md).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "client_lib/base/result.h"
#include "server/control/message.h"

namespace retrylab::control {

struct ServerOptions {
  std::string listen = "127.0.0.1";
  std::uint16_t port = 0;  // 0: any free one
  // Called by several threads at once until stop() returns.
  std::function<Answer(const Request&)> answer;
  // A client that followed was too slow, and is cut off. For people.
  std::function<void(const std::string& what)> dropped;
};

class Server {
 public:
  // Listening when this returns. Errors: ErrorCode::machine with the address.
  static Result<std::unique_ptr<Server>> start(ServerOptions options);
  ~Server();  // stops
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  // "http://127.0.0.1:PORT"
  const std::string& url() const { return url_; }

  // Nothing is answered any more when this returns: a call of `answer` that is under way is waited
  // for, a client that is slow in sending or reading is not.
  void stop();

 private:
  class Impl;
  Server(std::shared_ptr<Impl> impl, std::string url);
  std::shared_ptr<Impl> impl_;
  std::string url_;
};

}  // namespace retrylab::control
