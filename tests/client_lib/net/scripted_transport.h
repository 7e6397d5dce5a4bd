// SPDX-License-Identifier: MIT
// A transport in memory: answers with given outcomes and keeps what was sent.
#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "client_lib/net/transport.h"

namespace retrylab {

class ScriptedTransport : public Transport {
 public:
  struct Sent {
    std::string method;
    std::string url;
    Headers headers;
    std::string body;
    Duration time{0};
  };

  // The last outcome repeats.
  explicit ScriptedTransport(std::vector<Outcome> outcomes) : outcomes_(std::move(outcomes)) {}

  Outcome send(const WireRequest& wire, Duration time, const std::stop_token& stop) override {
    if (on_send) on_send();
    const std::lock_guard lock(mutex_);
    sent.push_back({std::string(wire.method), wire.url.text(), wire.headers, body_of(wire), time});
    if (stop.stop_requested()) return {.failure = Failure::cancelled};
    return outcomes_[std::min(sent.size(), outcomes_.size()) - 1];
  }

  std::vector<Sent> sent;
  std::function<void()> on_send;

 private:
  static std::string body_of(const WireRequest& wire) {
    if (wire.body_source == nullptr) return std::string(wire.body);
    std::string body(wire.body_source->size() + 1, '\0');
    body.resize(wire.body_source->read(body));
    return body;
  }

  std::mutex mutex_;
  std::vector<Outcome> outcomes_;
};

inline Outcome answer(int status, Headers headers = {}, std::string body = {}) {
  return {.response = {.status = status, .headers = std::move(headers), .body = std::move(body)}};
}

}  // namespace retrylab
