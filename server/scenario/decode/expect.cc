// SPDX-License-Identifier: MIT
#include "server/scenario/expect.h"

#include <algorithm>
#include <array>
#include <functional>

#include <fmt/format.h>

#include "server/scenario/decode/decode.h"
#include "server/scenario/json/read.h"

namespace retrylab::scenario::decode {
namespace {

std::optional<std::string> read_profile(const Node& node, Mistakes& mistakes) {
  if (node.kind == Node::Kind::string) {
    const auto name = json::same_word(node.text, profile_names());
    if (!name.empty()) return std::string(name);
  }
  json::unknown_word(node, profile_names(), mistakes);
  return std::nullopt;
}

// [500] or {"statuses": [500], "except": [429]}.
std::vector<int> read_statuses(const Node& node, Mistakes& mistakes) {
  std::vector<int> statuses;
  const auto* items = json::read_list(node, 1, "status", mistakes);
  if (items == nullptr) return statuses;
  for (const Node& item : *items) {
    if (const auto status = json::read_status(item, mistakes)) statuses.push_back(*status);
  }
  return statuses;
}

std::optional<ExpectNeverRetry> read_never_retry(const Node& node, Mistakes& mistakes) {
  ExpectNeverRetry expect;
  if (node.kind == Node::Kind::array) {
    expect.statuses = read_statuses(node, mistakes);
    return expect;
  }
  ObjectReader reader(node, "\"never_retry\"", mistakes);
  if (const Node* list = reader.optional("statuses")) {
    expect.statuses = read_statuses(*list, mistakes);
  }
  if (const Node* list = reader.optional("except")) expect.except = read_statuses(*list, mistakes);
  for (const int status : expect.statuses) {
    if (std::ranges::find(expect.except, status) == expect.except.end()) continue;
    mistakes.add(node, fmt::format("{} is in \"statuses\" and in \"except\"", status));
  }
  return expect;
}

std::optional<ExpectKey> read_key(const Node& node, Mistakes& mistakes) {
  ExpectKey expect;
  ObjectReader reader(node, "\"idempotency_key\"", mistakes);
  reader.optional("stable", expect.stable, json::read_boolean);
  reader.optional("unique", expect.unique, json::read_boolean);
  return expect;
}

// {"payment": 1}; `known(member)` adds the mistake for a name that does not exist.
using KnownName = std::function<void(const Node& value, std::string_view name)>;
std::map<std::string, CountRange> read_counts(const Node& node, const KnownName& known,
                                              Mistakes& mistakes) {
  std::map<std::string, CountRange> counts;
  if (node.kind != Node::Kind::object) json::expected(node, "an object of counts", mistakes);
  for (const json::Member& member : node.members) {
    known(member.value, member.name);
    if (const auto range = read_count_range(member.value, mistakes)) counts[member.name] = *range;
  }
  return counts;
}

void check_kind(const Node& node, std::string_view kind, const std::vector<Route>& routes,
                Mistakes& mistakes) {
  std::vector<std::string_view> kinds;
  for (const Route& route : routes) {
    if (!route.creates.empty()) kinds.push_back(route.creates);
  }
  if (std::ranges::find(kinds, kind) != kinds.end()) return;
  if (kinds.empty() && mistakes.any_below("/routes")) return;  // "creates" may be misspelt
  mistakes.add(node, kinds.empty()
                         ? fmt::format("no route \"creates\" anything, so no {} either", kind)
                         : fmt::format("no route creates {}; {}", json::quote(kind),
                                       json::advice(kind, kinds)));
}

// "rules": {"RA-2": "off"}.
std::vector<std::string> read_rules(const Node& node, Mistakes& mistakes) {
  std::vector<std::string> disabled;
  if (node.kind != Node::Kind::object) {
    json::expected(node, "an object such as {\"RA-2\": \"off\"}", mistakes);
  }
  for (const json::Member& member : node.members) {
    const std::string& id = member.name;
    if (std::ranges::find(rule_ids(), id) == rule_ids().end()) {
      const std::string_view near = json::nearest(id, rule_ids());
      mistakes.add(member.place, member.value.pointer,
                   fmt::format("{} is no rule: {}", json::quote(id),
                               near.empty() ? "`retrylab rules` lists them"
                                            : fmt::format("did you mean {}?", json::quote(near))));
    }
    if (member.value.kind != Node::Kind::string || member.value.text != "off") {
      json::expected(member.value, "\"off\"", mistakes);
    }
    disabled.push_back(id);
  }
  return disabled;
}

std::optional<int> read_last_status(const Node& node, Mistakes& mistakes) {
  return json::read_status(node, mistakes);
}

}  // namespace

bool is_route(const Node& node, std::string_view text, const std::vector<Route>& routes,
              Mistakes& mistakes) {
  std::vector<std::string_view> known;
  for (const Route& route : routes) known.push_back(route.on.text);
  if (std::ranges::find(known, text) != known.end()) return true;
  // It may be the one that could not be read, which is a mistake already.
  if (std::ranges::find(known, "") != known.end()) return true;
  mistakes.add(node,
               fmt::format("no route is {}; {}", json::quote(text), json::advice(text, known)));
  return false;
}

std::optional<Expect> read_expect(const Node& node, const std::vector<Route>& routes,
                                  Mistakes& mistakes) {
  Expect expect;
  ObjectReader reader(node, "\"expect\"", mistakes);
  reader.optional("profile", expect.profile, read_profile);
  reader.optional("attempts", expect.attempts, read_count_range);
  reader.optional("operations", expect.operations, read_count_range);
  if (const Node* created = reader.optional("created")) {
    const auto known = [&](const Node& value, std::string_view kind) {
      check_kind(value, kind, routes, mistakes);
    };
    expect.created = read_counts(*created, known, mistakes);
  }
  reader.optional("backoff", expect.backoff, read_expect_backoff);
  reader.optional("retry_after", expect.retry_after, read_expect_retry_after);
  reader.optional("total_time", expect.total_time, read_time_range);
  reader.optional("never_retry", expect.never_retry, read_never_retry);
  reader.optional("idempotency_key", expect.idempotency_key, read_key);
  reader.optional("last_status", expect.last_status, read_last_status);
  if (const Node* counts = reader.optional("routes")) {
    const auto known = [&](const Node& value, std::string_view text) {
      is_route(value, text, routes, mistakes);
    };
    expect.routes = read_counts(*counts, known, mistakes);
  }
  if (const Node* requests = reader.optional("requests")) {
    expect.requests = read_expect_requests(*requests, routes, mistakes).value_or(expect.requests);
  }
  reader.optional("client", expect.client, read_expect_client);
  reader.optional("connections", expect.connections, read_count_range);
  reader.optional("concurrency", expect.concurrency, read_count_range);
  reader.optional("unmatched", expect.unmatched, read_count_range);
  reader.optional("traffic", expect.traffic, read_count_range);
  read_expect_many(reader, expect);
  if (const Node* rules = reader.optional("rules")) {
    expect.disabled_rules = read_rules(*rules, mistakes);
  }
  check_expect(reader, expect, mistakes);
  return expect;
}

}  // namespace retrylab::scenario::decode
