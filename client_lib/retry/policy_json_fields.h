// SPDX-License-Identifier: MIT
// Reads the members of one JSON object into values and keeps the first mistake. Private to
// policy_json.cc.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "client_lib/base/ratio.h"
#include "client_lib/base/result.h"
#include "client_lib/base/time.h"
#include "client_lib/retry/status_set.h"

namespace retrylab {

using Json = nlohmann::ordered_json;

template <typename Enum>
using Words = std::span<const std::pair<std::string_view, Enum>>;

class JsonFields {
 public:
  // `prefix` stands before member names in errors: "budget.".
  JsonFields(const Json& object, std::string prefix);

  // Each leaves `value` alone when the member is missing.
  void duration(std::string_view name, Duration& value);
  void duration_or_none(std::string_view name, Duration& value);  // "none": kForever
  void optional_duration(std::string_view name, std::optional<Duration>& value);  // or null
  void count(std::string_view name, std::uint32_t& value);
  void flag(std::string_view name, bool& value);
  void ratio(std::string_view name, Ratio& value);               // 0.2, to six decimals
  void thousandths(std::string_view name, std::int64_t& value);  // 1.5 is 1500
  void statuses(std::string_view name, StatusSet& value);
  void strings(std::string_view name, std::vector<std::string>& value);
  template <typename Enum>
  void word(std::string_view name, Enum& value, Words<Enum> words);

  // The member, or null when it is missing; counts as known.
  const Json* member(std::string_view name);

  void mistake(std::string_view name, std::string message);
  void mistake(Error error);

  // The first mistake; a member that nobody asked for is one.
  std::optional<Error> finish();

 private:
  std::optional<std::string> text(std::string_view name);
  std::optional<Duration> read_duration(std::string_view name, const std::string& text);

  const Json& object_;
  std::string prefix_;
  std::vector<std::string> known_;
  std::optional<Error> error_;
};

template <typename Enum>
void JsonFields::word(std::string_view name, Enum& value, Words<Enum> words) {
  const std::optional<std::string> found = text(name);
  if (!found) return;
  std::string known;
  for (const auto& [spelling, meaning] : words) {
    if (spelling == *found) {
      value = meaning;
      return;
    }
    known += (known.empty() ? "" : ", ") + std::string(spelling);
  }
  mistake(name, "\"" + *found + "\" is none of: " + known);
}

}  // namespace retrylab
