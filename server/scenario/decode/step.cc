// SPDX-License-Identifier: MIT
#include <array>
#include <memory>
#include <utility>

#include "server/scenario/decode/decode.h"
#include "server/scenario/json/read.h"

namespace retrylab::scenario::decode {
namespace {

void read_answer(ObjectReader& reader, Step& step, const Context& context) {
  reader.optional("status", step.status, json::read_status);
  reader.optional("reason", step.reason, json::read_line);
  reader.optional("headers", step.headers, read_headers);
  reader.optional("retry_after", step.retry_after, read_retry_after);
  step.body = read_body(reader, context);
  reader.optional("encoding", step.encoding, read_encoding);
  reader.optional("ranges", step.ranges, json::one_of(ranges_words()));
  constexpr std::array<Word<int>, 2> kVersions{{{"1.0", 0}, {"1.1", 1}}};
  const std::span<const Word<int>> versions = kVersions;
  reader.optional("version", step.minor_version, json::one_of(versions));
  reader.optional("interim", step.interim, read_interim);
  reader.optional("continue", step.expect_continue, read_continue);
}

void read_delivery(ObjectReader& reader, Step& step, const Context& context) {
  reader.optional("framing", step.framing, read_framing);
  reader.optional("chunks", step.framing.chunks, read_pieces);
  reader.optional("write_sizes", step.write_sizes, read_pieces);
  reader.optional("pace", step.pace, read_pace);
  if (const Node* delay = reader.optional("delay")) step.delay = read_delay(*delay, context);
}

void read_execution(ObjectReader& reader, Step& step, const Context& context) {
  constexpr std::array<Word<bool>, 2> kTimes{{{"before_delay", false}, {"after_delay", true}}};
  if (const Node* node = reader.optional("executes")) step.executes = read_executes(*node, context);
  const std::span<const Word<bool>> words = kTimes;
  reader.optional("executes_at", step.executes_after_delay, json::one_of(words));
}

void read_for(const Node& node, Step& step, Mistakes& mistakes) {
  step.lasts_until_retry_after =
      node.kind == Node::Kind::string && node.text == "until_retry_after";
  if (!step.lasts_until_retry_after) step.lasts = json::read_wait(node, mistakes);
}

// How often, for how long and with what luck a script comes to this step.
void read_turns(ObjectReader& reader, Step& step, const StepSite& site, const Context& context) {
  reader.exclusive({"times", "for"}, "a step lasts for a count or for a time");
  reader.optional("times", step.times, json::integer<std::uint32_t>(1));
  if (const Node* node = reader.optional("for")) read_for(*node, step, context.mistakes);
  reader.optional("chance", step.chance, json::read_ratio);
  const bool has_chance = reader.optional("chance") != nullptr;
  const Node* otherwise = has_chance ? reader.required("else") : nullptr;
  if (!has_chance) reader.refuse({"else"}, "it is the answer when \"chance\" does not pick");
  if (otherwise == nullptr) return;
  const StepSite inner{StepSite::Kind::otherwise, site.on, site.needs_body};
  if (auto other = read_step(*otherwise, inner, context)) {
    step.otherwise = std::make_shared<const Step>(std::move(*other));
  }
}

void refuse_turns(ObjectReader& reader, StepSite::Kind kind) {
  switch (kind) {
    case StepSite::Kind::script:
      return;
    case StepSite::Kind::otherwise:
      return reader.refuse({"times", "for", "chance", "else"}, "the step around it has the turn");
    case StepSite::Kind::override_step:
      return reader.refuse({"times", "for", "chance", "else"},
                           "\"when\" says how often an override applies");
    case StepSite::Kind::outage:
      return reader.refuse({"times", "for", "chance", "else", "executes", "executes_at"},
                           "an outage answers everything alike and executes nothing");
  }
}

}  // namespace

Step read_step_members(ObjectReader& reader, const StepSite& site, const Context& context) {
  Step step;
  step.where = reader.node().pointer;
  read_answer(reader, step, context);
  read_delivery(reader, step, context);
  refuse_turns(reader, site.kind);
  if (site.kind != StepSite::Kind::outage) read_execution(reader, step, context);
  if (site.kind == StepSite::Kind::script) read_turns(reader, step, site, context);
  std::vector<PlacedFault> faults;
  if (const Node* node = reader.optional("fault")) {
    faults = decode_faults(*node, FaultSite::step, context.mistakes);
  }
  for (const PlacedFault& placed : faults) step.faults.push_back(placed.fault);
  check_step(reader, step, faults, site);
  return step;
}

std::optional<Step> read_step(const Node& node, const StepSite& site, const Context& context) {
  if (node.kind == Node::Kind::number) {
    Step step;
    step.where = node.pointer;
    step.status = json::read_status(node, context.mistakes);
    return step;
  }
  if (node.kind != Node::Kind::object) {
    json::expected(node, "a status such as 503, or a step such as {\"status\": 503}",
                   context.mistakes);
    return std::nullopt;
  }
  ObjectReader reader(node, "a step", context.mistakes);
  return read_step_members(reader, site, context);
}

}  // namespace retrylab::scenario::decode
