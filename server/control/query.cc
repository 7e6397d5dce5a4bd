// SPDX-License-Identifier: MIT
#include "server/control/query.h"

#include <algorithm>
#include <charconv>
#include <vector>

#include <fmt/format.h>

#include "client_lib/base/duration_text.h"
#include "server/scenario/json/nearest.h"

namespace retrylab::control {
namespace {

tl::unexpected<Problem> wrong(const std::string& name, std::string_view wanted,
                              const std::string& found) {
  return problem(Problem::Type::invalid_request,
                 fmt::format("query parameter {}: expected {}, found \"{}\"", name, wanted, found));
}

}  // namespace

Expected<Query> Query::read(const Request& request, std::initializer_list<std::string_view> known) {
  Query query;
  for (const auto& [name, value] : request.query) {
    if (std::ranges::find(known, name) == known.end()) {
      const std::vector<std::string_view> names(known);
      const auto advice = scenario::json::advice(name, names);
      return problem(Problem::Type::invalid_request,
                     fmt::format("unknown query parameter \"{}\"{}{}", name,
                                 advice.empty() ? "" : "; ", advice));
    }
    if (!query.values_.emplace(name, value).second) {
      return problem(Problem::Type::invalid_request,
                     fmt::format("query parameter {} comes twice", name));
    }
  }
  return query;
}

std::optional<std::string> Query::text(const std::string& name) const {
  const auto found = values_.find(name);
  if (found == values_.end()) return std::nullopt;
  return found->second;
}

Expected<std::optional<std::uint64_t>> Query::count(const std::string& name) const {
  const auto given = text(name);
  if (!given) return std::nullopt;
  const auto value = parse_count(*given);
  if (!value) return wrong(name, "a whole number", *given);
  return value;
}

Expected<bool> Query::flag(const std::string& name) const {
  const auto given = text(name);
  if (!given || *given == "false") return false;
  if (*given == "true") return true;
  return wrong(name, "true or false", *given);
}

Expected<std::optional<Duration>> Query::duration(const std::string& name) const {
  const auto given = text(name);
  if (!given) return std::nullopt;
  const auto value = parse_duration(*given);
  if (!value) return wrong(name, "a duration such as 500ms", *given);
  return *value;
}

std::optional<std::uint64_t> parse_count(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace retrylab::control
