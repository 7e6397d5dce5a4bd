// SPDX-License-Identifier: MIT
// "overrides": steps with a "when". They do not consume the script; the first that applies wins.
#include <utility>

#include "server/scenario/decode/decode.h"
#include "server/scenario/json/read.h"

namespace retrylab::scenario::decode {
namespace {

void read_elapsed(const Node& node, When& when, Mistakes& mistakes) {
  ObjectReader reader(node, "\"elapsed\"", mistakes);
  reader.optional("from", when.elapsed_from, json::read_duration);
  reader.optional("until", when.elapsed_until, json::read_duration);
  if (node.kind == Node::Kind::object && node.members.empty()) {
    mistakes.add(node, "\"elapsed\" needs \"from\", \"until\" or both");
  } else if (when.elapsed_until && when.elapsed_from.value_or(Duration(0)) >= *when.elapsed_until) {
    mistakes.add(node, "\"from\" has to come before \"until\"");
  }
}

void read_concurrency(const Node& node, When& when, Mistakes& mistakes) {
  ObjectReader reader(node, "\"concurrency\"", mistakes);
  reader.required("min", when.concurrency_min, json::integer<std::uint32_t>(1));
}

Override read_override(const Node& node, const StepSite& site, const Context& context) {
  Override result;
  ObjectReader reader(node, "an override", context.mistakes);
  StepSite inner = site;
  inner.kind = StepSite::Kind::override_step;
  reader.required("when", result.when, read_when);
  if (inner.needs_body.empty() && !result.when.body.empty()) {
    inner.needs_body = "\"when\" looks at the body";
  }
  result.step = read_step_members(reader, inner, context);
  return result;
}

}  // namespace

std::optional<When> read_when(const Node& node, Mistakes& mistakes) {
  When when;
  ObjectReader reader(node, "\"when\"", mistakes);
  const auto count = json::integer<std::uint32_t>(1);
  reader.optional("attempt", when.attempt, count);
  reader.optional("connection", when.connection, count);
  reader.optional("request_on_connection", when.request_on_connection, count);
  reader.optional("replay", when.replay, count);
  if (const Node* elapsed = reader.optional("elapsed")) read_elapsed(*elapsed, when, mistakes);
  if (const Node* concurrency = reader.optional("concurrency")) {
    read_concurrency(*concurrency, when, mistakes);
  }
  const auto conditions = [](ConditionKind kind) {
    return [kind](const Node& part, Mistakes& all) { return read_conditions(part, kind, all); };
  };
  reader.optional("headers", when.headers, conditions(ConditionKind::header));
  reader.optional("body", when.body, conditions(ConditionKind::body));
  if (node.kind == Node::Kind::object && node.members.empty()) {
    mistakes.add(node, "\"when\" is empty: say when, such as {\"attempt\": 2}");
  }
  return when;
}

std::optional<std::vector<Override>> read_overrides(const Node& node, const StepSite& site,
                                                    const Context& context) {
  const auto* items = json::read_list(node, 0, "overrides", context.mistakes);
  if (items == nullptr) return std::nullopt;
  std::vector<Override> overrides;
  for (const Node& item : *items) overrides.push_back(read_override(item, site, context));
  return overrides;
}

}  // namespace retrylab::scenario::decode
