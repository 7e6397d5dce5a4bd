// SPDX-License-Identifier: MIT
#include "server/cli/sweep_argument.h"

#include <charconv>
#include <optional>
#include <sstream>
#include <string_view>

#include <fmt/format.h>

namespace retrylab::cli {
namespace {

constexpr std::size_t kMostValues = 1000;

std::optional<std::uint32_t> number_in(std::string_view text) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value == 0) return std::nullopt;
  return value;
}

// "10..200:10" or "10..1000"; nothing when it is not of that form.
std::optional<std::vector<std::uint32_t>> range_in(std::string_view text) {
  const auto dots = text.find("..");
  if (dots == std::string_view::npos) return std::nullopt;
  const auto colon = text.find(':', dots);
  const auto from = number_in(text.substr(0, dots));
  const auto until = number_in(text.substr(
      dots + 2, colon == std::string_view::npos ? std::string_view::npos : colon - dots - 2));
  std::optional<std::uint32_t> step;
  if (colon != std::string_view::npos) {
    step = number_in(text.substr(colon + 1));
    if (!step) return std::nullopt;
  }
  if (!from || !until || *from > *until) return std::nullopt;
  std::vector<std::uint32_t> values;
  for (std::uint64_t value = *from; value < *until && values.size() <= kMostValues;
       value += step ? *step : value) {
    values.push_back(static_cast<std::uint32_t>(value));
  }
  values.push_back(*until);
  return values;
}

std::optional<std::vector<std::uint32_t>> list_in(const std::string& text) {
  std::vector<std::uint32_t> values;
  std::istringstream items(text);
  for (std::string item; std::getline(items, item, ',');) {
    const auto value = number_in(item);
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  if (values.empty()) return std::nullopt;
  return values;
}

}  // namespace

Result<Sweep> sweep_argument(const std::string& text) {
  const auto wrong = [&](std::string_view why) {
    return fail(ErrorCode::invalid_argument, "--sweep", fmt::format("\"{}\" {}", text, why));
  };
  const auto equals = text.find('=');
  if (equals == std::string::npos) return wrong("is not like clients=10..1000");
  Sweep sweep{.parameter = text.substr(0, equals), .values = {}};
  const bool known =
      sweep.parameter == "clients" || sweep.parameter == "rate" || sweep.parameter == "operations";
  if (!known) return wrong("sweeps none of clients, rate, operations");
  const std::string values = text.substr(equals + 1);
  const auto read = values.find("..") == std::string::npos ? list_in(values) : range_in(values);
  if (!read) return wrong("has no values above zero like 10..1000, 10..200:10 or 10,50,100");
  if (read->size() > kMostValues) return wrong("has more than 1000 values");
  sweep.values = *read;
  return sweep;
}

}  // namespace retrylab::cli
