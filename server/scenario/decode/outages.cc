// SPDX-License-Identifier: MIT
// "outages": from .. until on the run's clock every request is answered alike, refused or hung.
#include <utility>

#include "server/scenario/decode/decode.h"
#include "server/scenario/json/read.h"

namespace retrylab::scenario::decode {
namespace {

Outage read_outage(const Node& node, const Context& context) {
  Outage outage;
  outage.answer.status = 503;
  outage.answer.where = node.pointer;
  ObjectReader reader(node, "an outage", context.mistakes);
  reader.optional("from", outage.from, json::read_duration);
  reader.required("until", outage.until, json::read_duration);
  if (reader.optional("until") != nullptr && outage.from >= outage.until) {
    context.mistakes.add(node, "\"from\" has to come before \"until\"");
  }
  reader.optional("do", outage.what, json::one_of(outage_words()));
  if (outage.what != Outage::Do::answer) {
    reader.refuse({"answer"}, "this outage gives no answer");
  } else if (const Node* answer = reader.optional("answer")) {
    const StepSite site{StepSite::Kind::outage, nullptr, ""};
    if (auto step = read_step(*answer, site, context)) outage.answer = std::move(*step);
  }
  return outage;
}

}  // namespace

std::optional<std::vector<Outage>> read_outages(const Node& node, const Context& context) {
  const auto* items = json::read_list(node, 0, "outages", context.mistakes);
  if (items == nullptr) return std::nullopt;
  std::vector<Outage> outages;
  for (const Node& item : *items) {
    const Outage outage = read_outage(item, context);
    for (const Outage& earlier : outages) {
      if (outage.from >= earlier.until || earlier.from >= outage.until) continue;
      context.mistakes.add(item, "this outage overlaps an earlier one");
      break;
    }
    outages.push_back(outage);
  }
  return outages;
}

}  // namespace retrylab::scenario::decode
