// SPDX-License-Identifier: MIT
// The members of one line of a journal file, read into the records' own types.
#pragma once

#include <charconv>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "client_lib/base/http.h"
#include "client_lib/base/sha256.h"
#include "client_lib/base/time.h"
#include "server/journal/json_line.h"
#include "server/journal/text.h"

namespace retrylab::journal {

// What is wrong with a line, for people; thrown and caught within this folder.
struct Wrong {
  std::string what;
};

constexpr std::optional<std::uint8_t> hex_value(char digit) {
  if (digit >= '0' && digit <= '9') return static_cast<std::uint8_t>(digit - '0');
  if (digit >= 'a' && digit <= 'f') return static_cast<std::uint8_t>(digit - 'a' + 10);
  return std::nullopt;
}

// The members of one object of a line, each with its default.
class Members {
 public:
  // What reading needs again and again, for all lines.
  struct Tools {
    JsonLine line;
    TextPool pool;
    std::string bytes;
  };

  explicit Members(Tools& tools, std::size_t object = 0) : tools_(tools), object_(object) {}

  void read(const char* name, std::string& value) const {
    if (const JsonMember* found = find(name)) value = text(name, *found);
  }
  void read(const char* name, Text& value) const {
    if (const JsonMember* found = find(name)) value = tools_.pool.of(text(name, *found));
  }
  void read(const char* name, std::vector<std::string>& values) const {
    const JsonMember* found = find(name);
    if (found == nullptr) return;
    if (found->kind != Kind::list) wrong_type(name);
    values.clear();
    const auto& members = tools_.line.members();
    const auto list = static_cast<std::size_t>(found - members.data());
    for (std::size_t i = list + 1; i < members.size() && members[i].parent == list; ++i) {
      values.push_back(text(name, members[i]));
    }
  }
  // Names and values in turn.
  void read(const char* name, Headers& headers) const {
    std::vector<std::string> texts;
    read(name, texts);
    for (std::size_t i = 0; i + 1 < texts.size(); i += 2) {
      headers.push_back({std::move(texts[i]), std::move(texts[i + 1])});
    }
  }
  void read(const char* name, bool& value) const {
    const JsonMember* found = find(name);
    if (found == nullptr) return;
    if (found->kind != Kind::truth) wrong_type(name);
    value = found->raw == "true";
  }
  template <std::integral T>
  void read(const char* name, T& value) const {
    if (const JsonMember* found = find(name)) value = number<T>(name, *found);
  }
  void read(const char* name, Instant& at) const {
    if (const JsonMember* found = find(name)) at = Instant(duration(name, *found));
  }
  void read(const char* name, Duration& time) const {
    if (const JsonMember* found = find(name)) time = duration(name, *found);
  }
  template <typename T>
  void read(const char* name, std::optional<T>& value) const {
    if (find(name) != nullptr) read(name, value.emplace());
  }
  void read(const char* name, std::optional<Sha256>& digest) const {
    const JsonMember* found = find(name);
    if (found == nullptr) return;
    const std::string& hex = text(name, *found);
    if (!hex.empty()) digest = from_hex(name, hex);
  }
  // An enum by its word.
  template <typename T>
  void read(const char* name, T& value, std::optional<T> (*of)(std::string_view)) const {
    const JsonMember* found = find(name);
    if (found == nullptr) return;
    const std::string& word = text(name, *found);
    if (word.empty()) return;
    const std::optional<T> known = of(word);
    if (!known) throw Wrong{fmt::format("has an unknown {}, \"{}\"", name, word)};
    value = *known;
  }
  std::optional<Members> object(const char* name) const {
    const JsonMember* found = find(name);
    if (found == nullptr) return std::nullopt;
    if (found->kind != Kind::object) {
      throw Wrong{fmt::format("has a \"{}\" that is no object", name)};
    }
    return Members(tools_, static_cast<std::size_t>(found - tools_.line.members().data()));
  }

 private:
  using Kind = JsonMember::Kind;

  const JsonMember* find(const char* name) const { return tools_.line.find(object_, name); }

  [[noreturn]] static void wrong_type(const char* name) {
    throw Wrong{fmt::format("has a member of a wrong type, \"{}\"", name)};
  }

  // Valid until the next call.
  const std::string& text(const char* name, const JsonMember& member) const {
    if (member.kind != Kind::text) wrong_type(name);
    tools_.bytes.clear();
    if (append_bytes(member.raw, tools_.bytes)) return tools_.bytes;
    throw Wrong{fmt::format("has a \"{}\" with a character beyond U+00FF", name)};
  }

  template <typename T>
  static T number(const char* name, const JsonMember& member) {
    T value{};
    const char* end = member.raw.data() + member.raw.size();
    const auto [to, error] = std::from_chars(member.raw.data(), end, value);
    if (member.kind == Kind::number && error == std::errc() && to == end) return value;
    throw Wrong{fmt::format("has a \"{}\" that is no such number", name)};
  }

  static Duration duration(const char* name, const JsonMember& member) {
    return Duration(number<std::int64_t>(name, member));
  }

  static Sha256 from_hex(const char* name, std::string_view hex) {
    Sha256 digest{};
    bool is_right = hex.size() == 2 * digest.size();
    for (std::size_t i = 0; is_right && i < digest.size(); ++i) {
      const auto high = hex_value(hex[2 * i]);
      const auto low = hex_value(hex[2 * i + 1]);
      is_right = high && low;
      if (is_right) digest[i] = static_cast<std::uint8_t>(*high * 16 + *low);
    }
    if (!is_right) throw Wrong{fmt::format("has a \"{}\" that is no SHA-256", name)};
    return digest;
  }

  Tools& tools_;
  std::size_t object_;
};

}  // namespace retrylab::journal
