// SPDX-License-Identifier: MIT
#include "server/journal/ndjson_line.h"

#include <fmt/format.h>

#include <cstddef>

namespace retrylab::journal {
namespace {

constexpr std::string_view kHex = "0123456789abcdef";

bool is_plain(char letter) {
  return letter >= ' ' && letter <= '~' && letter != '"' && letter != '\\';
}

void append_quoted(std::string& out, std::string_view bytes) {
  out.push_back('"');
  std::size_t from = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (is_plain(bytes[i])) continue;
    out.append(bytes, from, i - from);
    const auto byte = static_cast<unsigned char>(bytes[i]);
    out.append("\\u00").push_back(kHex[byte / 16]);
    out.push_back(kHex[byte % 16]);
    from = i + 1;
  }
  out.append(bytes, from, bytes.size() - from).push_back('"');
}

}  // namespace

NdjsonLine::NdjsonLine(std::string& out, std::string_view record) : out_(out) {
  out_.assign("{\"record\":\"").append(record).push_back('"');
}

NdjsonLine& NdjsonLine::text(std::string_view name, std::string_view value) {
  if (value.empty()) return *this;
  put_name(name);
  append_quoted(out_, value);
  return *this;
}

NdjsonLine& NdjsonLine::texts(std::string_view name, const std::vector<std::string>& values) {
  if (values.empty()) return *this;
  put_name(name);
  char before = '[';
  for (const std::string& value : values) {
    out_.push_back(before);
    append_quoted(out_, value);
    before = ',';
  }
  out_.push_back(']');
  return *this;
}

NdjsonLine& NdjsonLine::headers(std::string_view name, const Headers& headers) {
  std::vector<std::string> values;
  for (const Header& header : headers) {
    values.push_back(header.name);
    values.push_back(header.value);
  }
  return texts(name, values);
}

NdjsonLine& NdjsonLine::flag(std::string_view name, bool value, bool otherwise) {
  if (value == otherwise) return *this;
  put_name(name);
  out_.append(value ? "true" : "false");
  return *this;
}

NdjsonLine& NdjsonLine::open_object(std::string_view name) {
  put_name(name);
  out_.push_back('{');
  return *this;
}

NdjsonLine& NdjsonLine::close_object() {
  out_.push_back('}');
  return *this;
}

void NdjsonLine::end() {
  out_.append("}\n");
}

NdjsonLine& NdjsonLine::put_unsigned(std::string_view name, std::uint64_t value) {
  put_name(name);
  const fmt::format_int digits(value);
  out_.append(digits.data(), digits.size());
  return *this;
}

NdjsonLine& NdjsonLine::put_signed(std::string_view name, std::int64_t value) {
  put_name(name);
  const fmt::format_int digits(value);
  out_.append(digits.data(), digits.size());
  return *this;
}

void NdjsonLine::put_name(std::string_view name) {
  if (out_.back() != '{') out_.push_back(',');
  out_.append("\"").append(name).append("\":");
}

}  // namespace retrylab::journal
