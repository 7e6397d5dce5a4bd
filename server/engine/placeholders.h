// SPDX-License-Identifier: MIT
// {{...}} filled in: the fixed set of scenario::Placeholder.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "client_lib/base/time.h"
#include "server/engine/request.h"
#include "server/scenario/scenario.h"

namespace retrylab::engine {

// What placeholders speak of.
struct PlaceholderValues {
  const Request& request;
  std::string_view resource_id;  // "" when the attempt created nothing
  std::uint64_t attempt = 0;     // n-th of its count (count_by)
  std::string_view run_url;
  WallTime now;  // when the answer is planned to start
};

// Where a text stands decides what a value taken from the request may not contain.
enum class Place {
  header,     // line ends and NUL become blanks: a request cannot add header lines
  body,       // as it is
  json_body,  // escaped as the inside of a JSON string
};

void append_filled(std::string& out, const scenario::Template& text,
                   const PlaceholderValues& values, Place place);

// Some text of the step, or of its `else`, holds {{request.body}}.
bool mentions_request_body(const scenario::Step& step);

// The first whole second not before `time`: what an announced wait is rounded to.
WallTime whole_second_up(WallTime time);
// A wait in whole seconds, rounded up, never below zero.
std::int64_t whole_seconds_up(Duration wait);

}  // namespace retrylab::engine
