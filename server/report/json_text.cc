// SPDX-License-Identifier: MIT
#include "server/report/json_text.h"

#include <array>
#include <charconv>
#include <cstdlib>

#include <nlohmann/json.hpp>

#include "client_lib/base/check.h"

namespace retrylab::report {
namespace {

// To the end, whatever it sees: so a compiler looks at many letters at once.
bool stands_for_itself(std::string_view text) {
  bool plain = true;
  for (const char letter : text) {
    plain &= static_cast<signed char>(letter) >= 0x20;  // no byte of 128 and more either
    plain &= letter != '"';
    plain &= letter != '\\';
  }
  return plain;
}

// Up to here a double has all digits of a count of microseconds.
constexpr std::int64_t kExactMicros = 1'000'000'000'000'000;

}  // namespace

JsonText& JsonText::end() {
  CHECK(!levels_.empty() && !named_);
  const Level level = levels_.back();
  levels_.pop_back();
  if (level.has_values) new_line();
  out_ += level.closes;
  return *this;
}

JsonText& JsonText::name(std::string_view name) {
  begin_value();
  out_ += '"';
  out_ += name;
  out_ += "\": ";
  named_ = true;
  return *this;
}

JsonText& JsonText::text(std::string_view value) {
  begin_value();
  append_text(value);
  return *this;
}

JsonText& JsonText::texts(const std::vector<std::string>& values) {
  list();
  for (const std::string& value : values) text(value);
  return end();
}

// The shortest digits that name the double nearest to it, as JSON libraries write it.
JsonText& JsonText::milliseconds(Duration value) {
  const auto micros = (value.count() + (value.count() < 0 ? -500 : 500)) / 1'000;
  if (micros <= -kExactMicros || micros >= kExactMicros) {
    return digits(nlohmann::json(static_cast<double>(micros) / 1e3).dump());
  }
  std::array<char, 24> buffer;
  char* at = buffer.data();
  if (micros < 0) *at++ = '-';
  const auto whole = std::abs(micros) / 1'000;
  const auto rest = static_cast<int>(std::abs(micros) % 1'000);
  at = std::to_chars(at, buffer.data() + buffer.size(), whole).ptr;
  *at++ = '.';
  *at++ = static_cast<char>('0' + rest / 100);
  if (rest % 100 != 0) *at++ = static_cast<char>('0' + rest / 10 % 10);
  if (rest % 10 != 0) *at++ = static_cast<char>('0' + rest % 10);
  return digits({buffer.data(), static_cast<std::size_t>(at - buffer.data())});
}

std::string JsonText::take() && {
  CHECK(levels_.empty());
  out_ += '\n';
  return std::move(out_);
}

JsonText& JsonText::open(char bracket) {
  begin_value();
  out_ += bracket;
  levels_.push_back({.closes = bracket == '{' ? '}' : ']'});
  return *this;
}

JsonText& JsonText::digits(std::string_view word) {
  begin_value();
  out_ += word;
  return *this;
}

// What stands between a value and the one before it.
void JsonText::begin_value() {
  if (std::exchange(named_, false) || levels_.empty()) return;
  if (std::exchange(levels_.back().has_values, true)) out_ += ',';
  new_line();
}

void JsonText::new_line() {
  out_ += '\n';
  out_.append(levels_.size() * 2, ' ');
}

void JsonText::append_text(std::string_view value) {
  if (!stands_for_itself(value)) {
    out_ += nlohmann::json(value).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    return;
  }
  out_ += '"';
  out_ += value;
  out_ += '"';
}

}  // namespace retrylab::report
