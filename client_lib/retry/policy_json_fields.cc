// SPDX-License-Identifier: MIT
#include "client_lib/retry/policy_json_fields.h"

#include <algorithm>
#include <cmath>

#include "client_lib/base/duration_text.h"

namespace retrylab {

JsonFields::JsonFields(const Json& object, std::string prefix)
    : object_(object), prefix_(std::move(prefix)) {
  if (!object.is_object()) mistake("", "a JSON object belongs here");
}

const Json* JsonFields::member(std::string_view name) {
  known_.emplace_back(name);
  if (!object_.is_object()) return nullptr;
  const auto found = object_.find(std::string(name));
  return found == object_.end() ? nullptr : &*found;
}

void JsonFields::mistake(std::string_view name, std::string message) {
  mistake(Error{ErrorCode::invalid_argument, prefix_ + std::string(name), std::move(message)});
}

void JsonFields::mistake(Error error) {
  if (!error_) error_ = std::move(error);
}

std::optional<std::string> JsonFields::text(std::string_view name) {
  const Json* found = member(name);
  if (found == nullptr) return std::nullopt;
  if (found->is_string()) return found->get<std::string>();
  mistake(name, "a string belongs here");
  return std::nullopt;
}

std::optional<Duration> JsonFields::read_duration(std::string_view name, const std::string& text) {
  const Result<Duration> parsed = parse_duration(text);
  if (parsed) return *parsed;
  mistake(name, parsed.error().message);
  return std::nullopt;
}

void JsonFields::duration(std::string_view name, Duration& value) {
  if (const auto found = text(name)) value = read_duration(name, *found).value_or(value);
}

void JsonFields::duration_or_none(std::string_view name, Duration& value) {
  const auto found = text(name);
  if (!found) return;
  value = *found == "none" ? kForever : read_duration(name, *found).value_or(value);
}

void JsonFields::optional_duration(std::string_view name, std::optional<Duration>& value) {
  const Json* found = member(name);
  if (found == nullptr) return;
  if (found->is_null()) {
    value.reset();
  } else if (const auto words = text(name)) {
    value = read_duration(name, *words);
  }
}

void JsonFields::count(std::string_view name, std::uint32_t& value) {
  const Json* found = member(name);
  if (found == nullptr) return;
  if (!found->is_number_unsigned() || found->get<std::uint64_t>() > UINT32_MAX) {
    return mistake(name, "a whole number from 0 to 4294967295 belongs here");
  }
  value = found->get<std::uint32_t>();
}

void JsonFields::flag(std::string_view name, bool& value) {
  const Json* found = member(name);
  if (found == nullptr) return;
  if (!found->is_boolean()) return mistake(name, "true or false belongs here");
  value = found->get<bool>();
}

void JsonFields::ratio(std::string_view name, Ratio& value) {
  const Json* found = member(name);
  if (found == nullptr) return;
  const double number = found->is_number() ? found->get<double>() : -1;
  if (!(number >= 0 && number <= 1)) return mistake(name, "a number from 0 to 1 belongs here");
  constexpr std::uint64_t kWhole = 1'000'000;
  value = {static_cast<std::uint64_t>(std::llround(number * 1e6)), kWhole};
}

void JsonFields::thousandths(std::string_view name, std::int64_t& value) {
  const Json* found = member(name);
  if (found == nullptr) return;
  const double number = found->is_number() ? found->get<double>() : -1;
  if (!(number >= 0 && number <= 1e12)) return mistake(name, "a number of 0 or more belongs here");
  value = std::llround(number * 1000);
}

void JsonFields::statuses(std::string_view name, StatusSet& value) {
  const Json* found = member(name);
  if (found == nullptr) return;
  if (!found->is_array()) return mistake(name, "a list of statuses belongs here");
  StatusSet read;
  for (const Json& item : *found) {
    if (!item.is_number_integer() || !StatusSet::in_range(item.get<int>())) {
      return mistake(name, "a status is a whole number from 100 to 599");
    }
    read.insert(item.get<int>());
  }
  value = read;
}

void JsonFields::strings(std::string_view name, std::vector<std::string>& value) {
  const Json* found = member(name);
  if (found == nullptr) return;
  if (!found->is_array()) return mistake(name, "a list of strings belongs here");
  std::vector<std::string> read;
  for (const Json& item : *found) {
    if (!item.is_string()) return mistake(name, "a list of strings belongs here");
    read.push_back(item.get<std::string>());
  }
  value = std::move(read);
}

std::optional<Error> JsonFields::finish() {
  if (!error_ && object_.is_object()) {
    for (const auto& item : object_.items()) {
      if (std::ranges::find(known_, item.key()) == known_.end()) {
        mistake(item.key(), "there is no such member");
      }
    }
  }
  return error_;
}

}  // namespace retrylab
