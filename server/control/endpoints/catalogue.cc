// SPDX-License-Identifier: MIT
// /catalogue: the scenarios that are built in.
#include <algorithm>

#include <fmt/format.h>

#include "scenarios/catalogue.h"
#include "server/control/endpoints/endpoints.h"
#include "server/control/json_text.h"
#include "server/control/query.h"

namespace retrylab::control::endpoints {
namespace {

std::string method_and_path(const nlohmann::json& on) {
  if (on.is_string()) return on.get<std::string>();
  return on.value("method", "*") + " " + on.value("path", "");
}

// The texts are known to be right.
Json routes_of(const nlohmann::json& scenario) {
  Json routes = Json::array();
  for (const auto& route : scenario.at("routes")) routes.push_back(method_and_path(route.at("on")));
  return routes;
}

Json entry_json(const scenario::CatalogueEntry& entry) {
  const auto scenario = nlohmann::json::parse(entry.text);
  return {{"name", entry.name},
          {"about", scenario.value("about", "")},
          {"routes", routes_of(scenario)}};
}

}  // namespace

Expected<Answer> catalogue(Call& call) {
  if (auto query = Query::read(call.request, {}); !query) return tl::unexpected(query.error());
  Json scenarios = Json::array();
  for (const auto& entry : scenario::catalogue()) scenarios.push_back(entry_json(entry));
  return json_answer({{"scenarios", std::move(scenarios)}});
}

Expected<Answer> catalogue_entry(Call& call) {
  if (auto query = Query::read(call.request, {}); !query) return tl::unexpected(query.error());
  const auto entries = scenario::catalogue();
  const auto entry = std::ranges::find(entries, call.parameter, &scenario::CatalogueEntry::name);
  if (entry == entries.end()) {
    return problem(Problem::Type::unknown_scenario,
                   fmt::format("no scenario \"{}\"; GET /catalogue lists them", call.parameter));
  }
  return Answer{.content_type = "application/json", .body = std::string(entry->text)};
}

}  // namespace retrylab::control::endpoints
