// SPDX-License-Identifier: MIT
#include "server/control/admin.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <utility>

#include "server/control/api.h"
#include "server/control/server.h"

namespace retrylab::control {
namespace {

// A small part of the listener's threads.
constexpr int kPlaces = 32;

// Time passes by itself, until the process stops.
class SteadyClock final : public WaitClock {
 public:
  Instant now() const override { return Instant(std::chrono::steady_clock::now() - origin_); }

  bool pause(Duration time) override {
    std::unique_lock lock(mutex_);
    return !stopped_.wait_for(lock, time, [&] { return is_stopped_; });
  }

  void stop() {
    const std::lock_guard lock(mutex_);
    is_stopped_ = true;
    stopped_.notify_all();
  }

 private:
  std::chrono::steady_clock::time_point origin_ = std::chrono::steady_clock::now();
  std::mutex mutex_;
  std::condition_variable stopped_;
  bool is_stopped_ = false;
};

}  // namespace

class Admin::Impl {
 public:
  Impl(AdminOptions options, Runs& runs)
      : options_(std::move(options)),
        followers_(kPlaces),
        api_({runs, clock_, followers_}, options_.security) {}

  Result<void> start() {
    auto server =
        Server::start({.listen = options_.listen,
                       .port = options_.port,
                       .answer = [this](const auto& request) { return api_.answer(request); },
                       .dropped = [this](const auto& what) { dropped(what); }});
    if (!server) return tl::unexpected(server.error());
    server_ = std::move(*server);
    return {};
  }

  void stop() {
    clock_.stop();
    if (server_) server_->stop();
  }

  const std::string& url() const { return server_->url(); }

 private:
  void dropped(const std::string& what) {
    followers_.count_dropped();
    if (options_.say) options_.say("an admin client was too slow for " + what + " and is cut off");
  }

  AdminOptions options_;
  SteadyClock clock_;
  Followers followers_;
  Api api_;
  std::unique_ptr<Server> server_;
};

Admin::Admin(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

Admin::~Admin() {
  stop();
}

Result<std::unique_ptr<Admin>> Admin::start(AdminOptions options, Runs& runs) {
  if (!is_loopback(options.listen) && !options.security.token) {
    return fail(ErrorCode::invalid_argument, "--admin-listen",
                options.listen + " is open to other hosts: give a --admin-token-file too");
  }
  auto impl = std::make_unique<Impl>(std::move(options), runs);
  if (auto started = impl->start(); !started) return tl::unexpected(started.error());
  return std::unique_ptr<Admin>(new Admin(std::move(impl)));
}

const std::string& Admin::url() const {
  return impl_->url();
}

void Admin::stop() {
  impl_->stop();
}

}  // namespace retrylab::control
