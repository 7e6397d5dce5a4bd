// SPDX-License-Identifier: MIT
// Writes the members of one flat JSON line into a string, without building a tree. Members that
// have their default are left out.
#pragma once

#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "client_lib/base/http.h"
#include "client_lib/base/time.h"

namespace retrylab::journal {

class NdjsonLine {
 public:
  // Clears `out` and begins an object of that kind in it.
  NdjsonLine(std::string& out, std::string_view record);

  NdjsonLine& text(std::string_view name, std::string_view value);
  NdjsonLine& texts(std::string_view name, const std::vector<std::string>& values);
  // Names and values in turn, as one list.
  NdjsonLine& headers(std::string_view name, const Headers& headers);
  NdjsonLine& integer(std::string_view name, std::unsigned_integral auto value) {
    return value == 0 ? *this : put_unsigned(name, value);
  }
  NdjsonLine& integer(std::string_view name, std::signed_integral auto value) {
    return value == 0 ? *this : put_signed(name, value);
  }
  NdjsonLine& integer(std::string_view name, std::optional<int> value) {
    return value ? put_signed(name, *value) : *this;
  }
  NdjsonLine& flag(std::string_view name, bool value, bool otherwise = false);
  NdjsonLine& time(std::string_view name, Instant at) {
    return put_signed(name, at.time_since_epoch().count());
  }
  NdjsonLine& time(std::string_view name, std::optional<Instant> at) {
    return at ? time(name, *at) : *this;
  }
  // An object as the value; its members follow until close_object().
  NdjsonLine& open_object(std::string_view name);
  NdjsonLine& close_object();
  // Ends the object and the line.
  void end();

 private:
  NdjsonLine& put_unsigned(std::string_view name, std::uint64_t value);
  NdjsonLine& put_signed(std::string_view name, std::int64_t value);
  void put_name(std::string_view name);

  std::string& out_;
};

}  // namespace retrylab::journal
