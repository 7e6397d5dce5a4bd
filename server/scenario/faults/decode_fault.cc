// SPDX-License-Identifier: MIT
#include "server/scenario/faults/decode_fault.h"

#include <array>
#include <optional>

#include <fmt/format.h>

#include "server/scenario/faults/effects.h"
#include "server/scenario/faults/order.h"
#include "server/scenario/json/object_reader.h"
#include "server/scenario/json/read.h"
#include "server/scenario/words.h"

namespace retrylab::scenario {
namespace {

using json::Mistakes;
using json::Node;
using json::ObjectReader;

// "at": "response_start", or {"body_byte": 100}, {"idle": "5s"}.
bool decode_measured_moment(const Node& node, Fault& fault, Mistakes& mistakes) {
  constexpr std::array<Moment, 4> kMeasured{Moment::request_byte, Moment::response_byte,
                                            Moment::body_byte, Moment::idle};
  ObjectReader reader(node, "a moment", mistakes);
  int given = 0;
  for (const Moment moment : kMeasured) {
    const Node* member = reader.optional(word(moment));
    if (member == nullptr) continue;
    fault.at = moment;
    ++given;
    if (moment == Moment::idle) {
      reader.optional("idle", fault.idle, json::read_wait);
    } else {
      reader.optional(word(moment), fault.byte, json::integer<std::uint64_t>(1));
    }
  }
  if (given > 1) mistakes.add(node, "a fault stands at one moment; write a list of faults");
  return given == 1;
}

bool decode_moment(const Node& node, Fault& fault, Mistakes& mistakes) {
  if (node.kind == Node::Kind::object && !node.members.empty()) {
    return decode_measured_moment(node, fault, mistakes);
  }
  const auto moment = json::one_of(moment_words())(node, mistakes);
  if (!moment) return false;
  fault.at = *moment;
  const bool counts = *moment == Moment::request_byte || *moment == Moment::response_byte ||
                      *moment == Moment::body_byte;
  if (counts || *moment == Moment::idle) {
    mistakes.add(node, fmt::format("\"{0}\" needs a measure: {{\"{0}\": {1}}}", node.text,
                                   counts ? "100" : "\"5s\""));
    return false;
  }
  return true;
}

std::optional<Effect> decode_effect(ObjectReader& reader) {
  const Node* node = reader.required("do");
  if (node == nullptr) return std::nullopt;
  std::vector<Word<const EffectEntry*>> words;
  for (const EffectEntry& entry : effect_table()) words.push_back({entry.word, &entry});
  const std::span<const Word<const EffectEntry*>> known = words;
  const auto entry = json::one_of(known)(*node, reader.mistakes());
  if (!entry) return std::nullopt;
  return (*entry)->decode(reader);
}

// The place rules that no effect escapes.
std::string_view site_problem(Moment at, FaultSite site) {
  const bool connecting = phase(at) == Phase::connection;
  if (site == FaultSite::step && connecting) {
    return "this moment comes before a route is known; it stands in \"connections\"";
  }
  if (site == FaultSite::connections && !connecting) {
    return "\"connections\" knows accept and request_start; later moments stand on a step";
  }
  return "";
}

// How much has been read when the moment comes; nothing where the fault may say.
std::optional<ReadBefore> read_at(Moment at) {
  switch (at) {
    case Moment::request_start:
    case Moment::next_request:
      return std::nullopt;
    case Moment::accept:
    case Moment::idle:
      return ReadBefore::none;
    case Moment::request_headers:
    case Moment::request_byte:
      return ReadBefore::head;
    case Moment::request_end:
    case Moment::response_start:
    case Moment::response_byte:
    case Moment::response_headers:
    case Moment::body_byte:
    case Moment::response_end:
      return ReadBefore::all;
  }
  return std::nullopt;
}

// A request that is killed is recorded, so its head is read, unless the file says otherwise.
ReadBefore read_by_default(const Fault& fault) {
  const bool kills = fault.at == Moment::next_request && ends_connection(fault.effect);
  return kills ? ReadBefore::head : ReadBefore::none;
}

void decode_read(ObjectReader& reader, Fault& fault) {
  const auto fixed = read_at(fault.at);
  fault.read = fixed.value_or(read_by_default(fault));
  const Node* node = reader.optional("read");
  if (node == nullptr) return;
  const auto said = json::one_of(read_words())(*node, reader.mistakes());
  if (!said) return;
  if (fixed && *said != *fixed) {
    reader.mistakes().add(
        *node, fmt::format("at {} the moment says it: \"{}\"", word(fault.at), word(*fixed)));
  } else if (*said != ReadBefore::none && !fixed && fault.at == Moment::next_request &&
             !ends_connection(fault.effect)) {
    reader.mistakes().add(*node,
                          "an unsolicited answer comes before the next request is read: \"none\"");
  } else {
    fault.read = *said;
  }
}

std::optional<Fault> decode_fault(const Node& node, FaultSite site, Mistakes& mistakes) {
  ObjectReader reader(node, "a fault", mistakes);
  Fault fault;
  const Node* at = reader.required("at");
  const bool has_moment = at != nullptr && decode_moment(*at, fault, mistakes);
  const std::optional<Effect> effect = decode_effect(reader);
  if (!effect) {
    reader.optional("for");  // members of some effect: the word of `do` is the mistake
    reader.optional("bytes");
    reader.optional("size");
  }
  if (!has_moment || !effect) {
    reader.optional("read");
    return std::nullopt;
  }
  fault.effect = *effect;
  decode_read(reader, fault);
  fault.text = describe(fault);
  std::string_view problem = site_problem(fault.at, site);
  if (problem.empty()) {
    problem = std::visit([&](const auto& one) { return why_not(one, fault.at); }, fault.effect);
  }
  if (!problem.empty()) {
    mistakes.add(
        *at, fmt::format("{} cannot stand at {}: {}", word(fault.effect), word(fault.at), problem));
    return std::nullopt;
  }
  return fault;
}

}  // namespace

std::vector<PlacedFault> decode_faults(const Node& node, FaultSite site, Mistakes& mistakes) {
  std::vector<PlacedFault> faults;
  const auto add = [&](const Node& item) {
    if (auto fault = decode_fault(item, site, mistakes)) {
      faults.push_back({std::move(*fault), &item});
    }
  };
  if (node.kind != Node::Kind::array) {
    add(node);
  } else if (const auto* items = json::read_list(node, 1, "fault", mistakes)) {
    for (const Node& item : *items) add(item);
  }
  check_order(faults, mistakes);
  return faults;
}

}  // namespace retrylab::scenario
