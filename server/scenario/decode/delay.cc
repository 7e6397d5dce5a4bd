// SPDX-License-Identifier: MIT
// "delay": "15s" | {"fixed": "15s"} | {"uniform": {"min", "max"}}
//        | {"lognormal": {"median", "sigma", "max"}} | {"until": {"waiting": 50}, "max": "20s"}
#include <array>

#include <fmt/format.h>

#include "client_lib/base/duration_text.h"
#include "server/scenario/decode/decode.h"
#include "server/scenario/json/read.h"

namespace retrylab::scenario::decode {
namespace {

UniformDelay read_uniform(const Node& node, Mistakes& mistakes) {
  UniformDelay delay;
  ObjectReader reader(node, "a uniform delay", mistakes);
  reader.required("min", delay.min, json::read_duration);
  reader.required("max", delay.max, json::read_duration);
  if (node.find("max") != nullptr && delay.max < delay.min)
    mistakes.add(node, "\"min\" is above \"max\"");
  return delay;
}

LognormalDelay read_lognormal(const Node& node, Mistakes& mistakes) {
  LognormalDelay delay;
  ObjectReader reader(node, "a lognormal delay", mistakes);
  reader.required("median", delay.median, json::read_wait);
  reader.required("sigma", delay.sigma_thousandths, json::read_thousandths);
  reader.required("max", delay.max, json::read_wait);
  if (node.find("max") != nullptr && delay.max < delay.median)
    mistakes.add(node, "\"median\" is above \"max\"");
  return delay;
}

BarrierDelay read_barrier(const Node& until, ObjectReader& delay) {
  BarrierDelay barrier;
  ObjectReader reader(until, "\"until\"", delay.mistakes());
  reader.required("waiting", barrier.waiting, json::integer<std::uint32_t>(2));
  delay.required("max", barrier.max, json::read_wait);
  return barrier;
}

Duration longest(const Delay& delay) {
  struct Longest {
    Duration operator()(const FixedDelay& fixed) const { return fixed.time; }
    Duration operator()(const UniformDelay& uniform) const { return uniform.max; }
    Duration operator()(const LognormalDelay& lognormal) const { return lognormal.max; }
    Duration operator()(const BarrierDelay& barrier) const { return barrier.max; }
  };
  return std::visit(Longest{}, delay);
}

std::optional<Delay> read_kind(const Node& node, Mistakes& mistakes) {
  if (node.kind == Node::Kind::string) {
    const auto time = json::read_duration(node, mistakes);
    if (!time) return std::nullopt;
    return FixedDelay{*time};
  }
  if (node.kind != Node::Kind::object || node.members.empty()) {
    json::expected(node,
                   "a duration such as \"15s\", or {\"uniform\": {\"min\": \"1s\", \"max\": "
                   "\"2s\"}}",
                   mistakes);
    return std::nullopt;
  }
  ObjectReader reader(node, "a delay", mistakes);
  reader.exclusive({"fixed", "uniform", "lognormal", "until"}, "a delay is of one kind");
  std::optional<Delay> delay;
  if (const Node* fixed = reader.optional("fixed")) {
    delay = FixedDelay{json::read_duration(*fixed, mistakes).value_or(Duration(0))};
  }
  if (const Node* uniform = reader.optional("uniform")) delay = read_uniform(*uniform, mistakes);
  if (const Node* spread = reader.optional("lognormal")) delay = read_lognormal(*spread, mistakes);
  if (const Node* until = reader.optional("until")) {
    delay = read_barrier(*until, reader);
  } else {
    reader.refuse({"max"}, "it belongs to \"until\", or inside \"uniform\" and \"lognormal\"");
  }
  return delay;
}

}  // namespace

std::optional<Delay> read_delay(const Node& node, const Context& context) {
  auto delay = read_kind(node, context.mistakes);
  if (delay && longest(*delay) > context.limits.delay) {
    context.mistakes.add(
        node, fmt::format("a delay of up to {} is longer than the limit of {}; raise "
                          "\"limits\": {{\"delay\": ...}}",
                          format_duration(longest(*delay)), format_duration(context.limits.delay)));
  }
  return delay;
}

}  // namespace retrylab::scenario::decode
