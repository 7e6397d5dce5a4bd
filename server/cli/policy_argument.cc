// SPDX-License-Identifier: MIT
#include "server/cli/policy_argument.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "client_lib/retry/policy_json.h"
#include "client_lib/retry/presets.h"
#include "server/cli/scenario_source.h"
#include "server/cli/split_argument.h"
#include "server/scenario/json/nearest.h"

namespace retrylab::cli {
namespace {

using Json = nlohmann::ordered_json;

// JSON where it reads as such, else text: 3, true, {"kind": ...}, 250ms.
Json value_of(const std::string& text) {
  const Json parsed = Json::parse(text, nullptr, false);
  return parsed.is_discarded() ? Json(text) : parsed;
}

Result<Policy> from_members(const std::string& text) {
  Json json = Json::object();
  for (const std::string& part : split_argument(text, ',')) {
    const auto equals = part.find('=');
    if (equals == std::string::npos) {
      json["preset"] = part;
    } else {
      json[part.substr(0, equals)] = value_of(part.substr(equals + 1));
    }
  }
  return policy_from_json(json.dump());
}

Result<Policy> read_policy(const std::string& text) {
  if (text.starts_with('{')) return policy_from_json(text);
  if (const auto preset = find_preset(text)) return *preset;
  const bool has_members = text.find('=') != std::string::npos;
  if (has_members) return from_members(text);
  const auto file = read_file(text);
  if (!file) {
    const auto near = scenario::json::nearest(text, preset_names());
    return fail(ErrorCode::invalid_argument, "",
                near.empty() ? fmt::format("neither a preset ({}) nor a file that can be read",
                                           fmt::join(preset_names(), ", "))
                             : fmt::format("neither a preset nor a file that can be read; did you "
                                           "mean {}?",
                                           near));
  }
  return policy_from_json(*file);
}

}  // namespace

Result<Policy> policy_argument(const std::string& text) {
  auto policy = read_policy(text);
  if (policy) return policy;
  Error error = policy.error();
  if (error.where != text) {
    error.where = fmt::format("--policy {}{}", text, error.where.empty() ? "" : ": " + error.where);
  }
  return tl::unexpected(std::move(error));
}

}  // namespace retrylab::cli
