// SPDX-License-Identifier: MIT
// The admin API put together: its endpoints over the runs, on a listener of its own.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "client_lib/base/result.h"
#include "server/control/live_runs.h"
#include "server/control/security.h"

namespace retrylab::control {

struct AdminOptions {
  std::string listen = "127.0.0.1";
  std::uint16_t port = 0;  // 0: any free one
  Security security{};
  // What has to be said out loud.
  std::function<void(std::string_view)> say;
};

class Admin {
 public:
  // Listening when this returns. `runs` outlives it. Errors: invalid_argument when `listen` is
  // not this host alone and there is no token; machine when it cannot listen.
  static Result<std::unique_ptr<Admin>> start(AdminOptions options, Runs& runs);
  ~Admin();  // stops
  Admin(const Admin&) = delete;
  Admin& operator=(const Admin&) = delete;

  const std::string& url() const;

  // Answers nothing any more, and leaves the runs alone.
  void stop();

 private:
  class Impl;
  explicit Admin(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace retrylab::control
