// SPDX-License-Identifier: MIT
#include "server/control/order.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "scenarios/catalogue.h"
#include "server/control/value_text.h"
#include "server/scenario/json/nearest.h"
#include "server/scenario/json/object_reader.h"
#include "server/scenario/json/read.h"
#include "server/scenario/load.h"

namespace retrylab::control {
namespace {

using scenario::json::Mistakes;
using scenario::json::Node;

// What every JSON reader keeps.
constexpr std::uint64_t kSeedMax = (std::uint64_t{1} << 53U) - 1;

tl::unexpected<Problem> wrong(Problem::Type type, std::vector<scenario::Mistake> mistakes) {
  const auto more = mistakes.size() - 1;
  std::string detail = scenario::describe("body", mistakes.front());
  if (more > 0) detail += fmt::format(", and {} more", more);
  return tl::unexpected<Problem>({.type = type, .detail = detail, .mistakes = std::move(mistakes)});
}

std::optional<std::uint64_t> read_seed(const Node& node, Mistakes& mistakes) {
  return scenario::json::read_integer(node, {.min = 0, .max = kSeedMax}, mistakes);
}

Result<std::string> no_file(const std::string& path) {
  return fail(ErrorCode::invalid_scenario, path,
              "a scenario that is sent has no folder, so no body_file");
}

Expected<scenario::Scenario> load(std::string_view text, const Node& node) {
  auto loaded = scenario::load(text, no_file);
  if (loaded) return std::move(*loaded);
  for (scenario::Mistake& mistake : loaded.error()) {
    if (mistake.line == 1) mistake.column += node.place.column - 1;
    mistake.line += node.place.line - 1;
    mistake.pointer.insert(0, node.pointer);
  }
  return wrong(Problem::Type::invalid_scenario, std::move(loaded.error()));
}

Expected<NewRun> from_catalogue(const std::string& name) {
  const auto entries = scenario::catalogue();
  const auto entry = std::ranges::find(entries, name, &scenario::CatalogueEntry::name);
  if (entry == entries.end()) {
    std::vector<std::string_view> names;
    for (const auto& one : entries) names.push_back(one.name);
    const auto near = scenario::json::nearest(name, names);
    return problem(Problem::Type::unknown_scenario,
                   near.empty() ? fmt::format("no scenario \"{}\"; GET /catalogue lists them", name)
                                : fmt::format("no scenario \"{}\"; did you mean {}?", name, near));
  }
  auto loaded = scenario::load(entry->text, no_file);
  if (!loaded) return problem(Problem::Type::internal, name + " of the catalogue has mistakes");
  return NewRun{.scenario = std::make_shared<const scenario::Scenario>(std::move(*loaded)),
                .text = std::string(entry->text),
                .catalogue = name};
}

Expected<NewRun> read_scenario(const Node& node, std::string_view body, Mistakes& mistakes) {
  if (node.kind == Node::Kind::string) return from_catalogue(node.text);
  if (node.kind != Node::Kind::object) {
    scenario::json::expected(node, "a scenario, or a name of the catalogue", mistakes);
    return NewRun{};
  }
  const std::string_view text = value_text(body, node.place);
  auto loaded = load(text, node);
  if (!loaded) return tl::unexpected(std::move(loaded.error()));
  return NewRun{.scenario = std::make_shared<const scenario::Scenario>(std::move(*loaded)),
                .text = std::string(text),
                .catalogue = ""};
}

}  // namespace

Expected<NewRun> read_new_run(std::string_view body) {
  Mistakes mistakes;
  const auto root = scenario::json::parse(body, mistakes);
  if (!root || !mistakes.empty()) return wrong(Problem::Type::invalid_json, mistakes.sorted());
  const Node* scenario = nullptr;
  std::optional<std::uint64_t> seed;
  std::optional<Duration> ttl;
  {
    scenario::json::ObjectReader reader(*root, "a run", mistakes);
    scenario = reader.required("scenario");
    reader.optional("seed", seed, read_seed);
    reader.optional("ttl", ttl, scenario::json::read_wait);
  }
  Expected<NewRun> order = NewRun{};
  if (scenario != nullptr) order = read_scenario(*scenario, body, mistakes);
  if (!mistakes.empty()) return wrong(Problem::Type::invalid_json, mistakes.sorted());
  if (!order) return order;
  order->seed = seed;
  order->ttl = ttl;
  return order;
}

Expected<std::optional<std::uint64_t>> read_reset(std::string_view body) {
  std::optional<std::uint64_t> seed;
  if (body.empty()) return seed;
  Mistakes mistakes;
  if (const auto root = scenario::json::parse(body, mistakes)) {
    scenario::json::ObjectReader reader(*root, "a reset", mistakes);
    reader.optional("seed", seed, read_seed);
  }
  if (!mistakes.empty()) return wrong(Problem::Type::invalid_json, mistakes.sorted());
  return seed;
}

}  // namespace retrylab::control
