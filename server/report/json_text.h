// SPDX-License-Identifier: MIT
// JSON (RFC 8259) written member by member into one string, two spaces to a level, as
// nlohmann::json::dump(2) lays it out. A tree of a report with a hundred thousand attempts would
// take gigabytes and most of the time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "client_lib/base/time.h"

namespace retrylab::report {

// Every call gives the object itself, so that members can be chained.
class JsonText {
 public:
  // `bytes`: about how long it becomes, where that is much.
  explicit JsonText(std::size_t bytes = 0) { out_.reserve(bytes); }

  JsonText& object() { return open('{'); }
  JsonText& list() { return open('['); }
  // Of what was opened last.
  JsonText& end();
  // Before each value of an object; needs no escapes.
  JsonText& name(std::string_view name);

  // Bytes that are not UTF-8 come out as U+FFFD.
  JsonText& text(std::string_view value);
  JsonText& text_or_null(std::string_view value) { return value.empty() ? null() : text(value); }
  JsonText& texts(const std::vector<std::string>& values);
  template <typename Integer>
  JsonText& number(Integer value) {
    return digits(std::to_string(value));
  }
  template <typename Integer>
  JsonText& number_or_null(const std::optional<Integer>& value) {
    return value ? number(*value) : null();
  }
  // To the microsecond: 1.25, 12.0.
  JsonText& milliseconds(Duration value);
  JsonText& flag(bool value) { return digits(value ? "true" : "false"); }
  JsonText& null() { return digits("null"); }

  // The document with a line feed at its end. Everything that was opened is ended.
  std::string take() &&;

 private:
  struct Level {
    char closes = '}';
    bool has_values = false;
  };

  JsonText& open(char bracket);
  JsonText& digits(std::string_view word);
  void begin_value();
  void new_line();
  void append_text(std::string_view value);

  std::string out_;
  std::vector<Level> levels_;
  bool named_ = false;
};

}  // namespace retrylab::report
