// SPDX-License-Identifier: MIT
// A request of a virtual client as the bytes of its head and the views into them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "server/sim/virtual_run.h"
#include "server/wire/request.h"

namespace retrylab::sim {

class VirtualRequest {
 public:
  explicit VirtualRequest(const Send& send);
  VirtualRequest(const VirtualRequest&) = delete;
  VirtualRequest& operator=(const VirtualRequest&) = delete;

  // Valid as long as the request.
  wire::RequestHead head() const;
  const std::string& body() const { return body_; }
  bool is_head() const { return method_ == "HEAD"; }
  std::uint64_t size() const { return raw_.size() + body_.size(); }

 private:
  std::string method_;
  std::string target_;
  std::string raw_;
  std::string body_;
  Headers headers_;
  std::vector<wire::HeaderView> views_;
};

}  // namespace retrylab::sim
