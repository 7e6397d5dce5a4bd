// SPDX-License-Identifier: MIT
// "rate_limit": {"requests": 5, "per": "1s", "kind": "fixed_window" | "token_bucket", "burst": 10,
//                "by": "route" | "client" | "header:NAME", "tells": ["retry_after", ...],
//                "answer": 429}
#include <string>
#include <utility>

#include <fmt/format.h>

#include "server/scenario/decode/decode.h"
#include "server/scenario/json/read.h"

namespace retrylab::scenario::decode {
namespace {

std::optional<LimitBy> read_limit_by(const Node& node, Mistakes& mistakes) {
  constexpr std::string_view kHeader = "header:";
  if (node.kind == Node::Kind::string) {
    if (node.text == "route") return LimitBy{};
    if (node.text == "client") return LimitBy{LimitBy::Kind::client, ""};
    const std::string name = node.text.substr(std::min(kHeader.size(), node.text.size()));
    if (node.text.starts_with(kHeader) && json::is_token(name)) {
      return LimitBy{LimitBy::Kind::header, name};
    }
  }
  json::expected(node, R"("route", "client" or "header:NAME")", mistakes);
  return std::nullopt;
}

std::optional<std::vector<RateLimit::Tell>> read_tells(const Node& node, Mistakes& mistakes) {
  const auto* items = json::read_list(node, 0, "words", mistakes);
  if (items == nullptr) return std::nullopt;
  std::vector<RateLimit::Tell> tells;
  for (const Node& item : *items) {
    if (const auto tell = json::one_of(tell_words())(item, mistakes)) tells.push_back(*tell);
  }
  return tells;
}

}  // namespace

Step read_refusal(ObjectReader& reader, std::string_view name, int status, const Context& context) {
  Step step;
  step.status = status;
  step.where = fmt::format("{}/{}", reader.node().pointer, name);
  const Node* node = reader.optional(name);
  if (node == nullptr) return step;
  const StepSite site{StepSite::Kind::outage, nullptr, ""};
  return read_step(*node, site, context).value_or(std::move(step));
}

std::optional<RateLimit> read_rate_limit(const Node& node, const Context& context) {
  RateLimit limit;
  ObjectReader reader(node, "a rate limit", context.mistakes);
  reader.required("requests", limit.requests, json::integer<std::uint32_t>(1));
  reader.required("per", limit.per, json::read_wait);
  reader.optional("kind", limit.kind, json::one_of(rate_limit_words()));
  limit.burst = limit.requests;
  if (limit.kind == RateLimit::Kind::token_bucket) {
    reader.optional("burst", limit.burst, json::integer<std::uint32_t>(1));
  } else {
    reader.refuse({"burst"}, "it is the size of a \"token_bucket\"");
  }
  reader.optional("by", limit.by, read_limit_by);
  reader.optional("tells", limit.tells, read_tells);
  limit.refused = read_refusal(reader, "answer", 429, context);
  return limit;
}

}  // namespace retrylab::scenario::decode
