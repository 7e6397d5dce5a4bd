// SPDX-License-Identifier: MIT
// Who may use the admin API. A page of another site that runs in the user's browser must not:
// it cannot send another Origin or Host than its own. No answer allows another site to read it,
// and no cookie means anything here.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/control/problem.h"

namespace retrylab::control {

struct Security {
  // Names besides localhost and IP addresses that Host may have. A name is what DNS rebinding
  // needs; an address cannot be rebound.
  std::vector<std::string> hosts{};
  // Needed by every request but those for the page and /health; nothing: none is needed.
  std::optional<std::string> token{};
};

// Why the request is turned down: forbidden_host, forbidden_origin or token_required.
std::optional<Problem> refuse(const Request& request, const Security& security);

// Whether an address is this host's alone: 127.0.0.0/8 or ::1.
bool is_loopback(std::string_view address);

}  // namespace retrylab::control
