// SPDX-License-Identifier: MIT
// A port by which several runs can be reached: whose a connection is stands in the head of its
// first request.
#pragma once

#include <string>
#include <string_view>

namespace retrylab::net {

class Door {
 public:
  virtual ~Door() = default;
  // False: every connection is this server's, and none is looked at.
  virtual bool leads_elsewhere() const = 0;
  // The head of the first request, or what came before the client stopped sending. True: the
  // descriptor is another's now.
  virtual bool hand_over(std::string_view head, int descriptor, const std::string& client) = 0;
};

}  // namespace retrylab::net
