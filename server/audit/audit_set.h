// SPDX-License-Identifier: MIT
// Which scenarios an audit consists of, as data: audit_set.cc is the list.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace retrylab::audit {

struct SetEntry {
  std::string_view scenario;  // of scenarios/catalogue.h
  std::uint32_t quick = 0;    // clients in a quick audit; 0: not in it
  std::uint32_t full = 1;
};

// In the order in which they are started: the long ones first, so that their waits overlap.
std::span<const SetEntry> audit_set();

// Scenarios that an audit leaves out, and why: they need what not every client has.
struct LeftOut {
  std::string_view scenario;
  std::string_view why;
};
std::span<const LeftOut> left_out();

}  // namespace retrylab::audit
