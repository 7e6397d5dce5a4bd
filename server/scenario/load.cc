// SPDX-License-Identifier: MIT
#include "server/scenario/load.h"

#include <utility>

#include "client_lib/base/sha256.h"
#include "server/scenario/decode/decode.h"
#include "server/scenario/json/read.h"

namespace retrylab::scenario {
namespace {

using json::Mistakes;
using json::Node;

void read_head(json::ObjectReader& reader, Scenario& scenario) {
  std::string schema;
  reader.optional("$schema", schema, json::read_string);
  reader.required("name", scenario.name, json::read_line);
  reader.optional("about", scenario.about, json::read_string);
  reader.optional("seed", scenario.seed, json::integer<std::uint64_t>(0));
  reader.optional("clock", scenario.clock, json::one_of(clock_words()));
  reader.optional("operation", scenario.operation, decode::read_operation);
  reader.optional("limits", scenario.limits, decode::read_limits);
}

Scenario read_scenario(const Node& root, const ReadFile& read, Mistakes& mistakes) {
  Scenario scenario;
  json::ObjectReader reader(root, "a scenario", mistakes);
  read_head(reader, scenario);
  const decode::Context context{mistakes, read, scenario.limits};
  reader.optional("connections", scenario.connections, decode::read_connections);
  reader.optional("keep_alive", scenario.keep_alive, decode::read_keep_alive);
  if (const Node* routes = reader.required("routes")) {
    auto read_all = decode::read_routes(*routes, scenario.operation, context);
    if (read_all) scenario.routes = std::move(*read_all);
  }
  reader.optional("outages", scenario.outages,
                  [&](const Node& node, Mistakes&) { return decode::read_outages(node, context); });
  reader.optional("expect", scenario.expect, [&](const Node& node, Mistakes& all) {
    return decode::read_expect(node, scenario.routes, all);
  });
  if (const Node* operation = reader.optional("operation")) {
    decode::check_operation(*operation, scenario.operation, scenario.routes, mistakes);
  }
  return scenario;
}

}  // namespace

tl::expected<Scenario, std::vector<Mistake>> load(std::string_view text, const ReadFile& read) {
  Mistakes mistakes;
  const auto root = json::parse(text, mistakes);
  Scenario scenario;
  if (root) scenario = read_scenario(*root, read, mistakes);
  if (!mistakes.empty()) return tl::unexpected(mistakes.sorted());
  scenario.hash = to_hex(sha256(text)).substr(0, 16);
  return scenario;
}

}  // namespace retrylab::scenario
