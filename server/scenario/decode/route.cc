// SPDX-License-Identifier: MIT
#include <algorithm>
#include <utility>

#include "server/scenario/decode/decode.h"
#include "server/scenario/json/read.h"

namespace retrylab::scenario::decode {
namespace {

// The word for a kind of resource.
std::optional<std::string> read_kind(const Node& node, Mistakes& mistakes) {
  if (node.kind == Node::Kind::string && json::is_token(node.text)) return node.text;
  json::expected(node, "a word for what is created, such as \"payment\"", mistakes);
  return std::nullopt;
}

// Why the step is only known once the request's body is read, or "".
std::string_view reason_for_body(const Route& route, const RouteSite& site) {
  if (!site.needs_body.empty()) return site.needs_body;
  if (!route.on.body.empty()) return "\"on\" looks at the body";
  if (site.operation.kind == OperationBy::Kind::body) return "\"operation\" is in the body";
  const bool counts = route.count_by.kind == CountBy::Kind::operation;
  if (counts && site.operation.kind == OperationBy::Kind::automatic) {
    return "without an \"operation\" of the scenario, \"count_by\" tells operations by their body";
  }
  return "";
}

bool overrides_need_body(const Route& route) {
  return std::ranges::any_of(route.overrides,
                             [](const Override& one) { return !one.when.body.empty(); });
}

std::vector<Step> read_script(const Node& node, const StepSite& site, const Context& context) {
  std::vector<Step> script;
  const auto* items = json::read_list(node, 1, "step", context.mistakes);
  if (items == nullptr) return script;
  for (const Node& item : *items) {
    if (auto step = read_step(item, site, context)) script.push_back(std::move(*step));
  }
  return script;
}

}  // namespace

std::optional<Route> read_route(const Node& node, const RouteSite& site, const Context& context) {
  Route route;
  route.where = node.pointer;
  ObjectReader reader(node, "a route", context.mistakes);
  reader.required("on", route.on, read_match);
  reader.optional("after_script", route.after_script, json::one_of(after_script_words()));
  if (const Node* count_by = reader.optional("count_by")) {
    route.count_by = read_count_by(*count_by, route.on, context.mistakes).value_or(CountBy{});
  }
  reader.optional("creates", route.creates, read_kind);
  reader.optional("idempotency", route.idempotency, read_idempotency);
  if (const Node* limit = reader.optional("rate_limit")) {
    route.rate_limit = read_rate_limit(*limit, context);
  }
  if (const Node* capacity = reader.optional("capacity")) {
    route.capacity = read_capacity(*capacity, context);
  }
  StepSite step_site{StepSite::Kind::script, &route.on, reason_for_body(route, site)};
  reader.optional("overrides", route.overrides, [&](const Node& list, Mistakes&) {
    return read_overrides(list, step_site, context);
  });
  if (step_site.needs_body.empty() && overrides_need_body(route)) {
    step_site.needs_body = "an override looks at the body";
  }
  if (const Node* script = reader.required("script")) {
    route.script = read_script(*script, step_site, context);
  }
  return route;
}

}  // namespace retrylab::scenario::decode
