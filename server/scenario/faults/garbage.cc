// SPDX-License-Identifier: MIT
// garbage: bytes that are no part of an answer, given ("bytes") or drawn from the seed ("size").
// What was going to be written follows behind them.
#include <fmt/format.h>

#include "server/scenario/faults/effects.h"
#include "server/scenario/json/read.h"

namespace retrylab::scenario {
namespace {

constexpr std::uint64_t kSizeMax = 1'000'000;

std::string draw(std::uint64_t size, Random& random) {
  std::string bytes;
  bytes.reserve(size);
  for (std::uint64_t i = 0; i < size; ++i) bytes += static_cast<char>(random.below(256));
  return bytes;
}

std::optional<std::uint64_t> read_garbage_size(const json::Node& node, json::Mistakes& mistakes) {
  const auto size = json::read_size(node, mistakes);
  if (!size || (*size > 0 && *size <= kSizeMax)) return size;
  json::expected(node, "a size from 1B to 1MB", mistakes);
  return std::nullopt;
}

}  // namespace

Effect decode_garbage(json::ObjectReader& reader) {
  GarbageEffect effect;
  reader.exclusive({"bytes", "size"}, "the bytes are given or drawn");
  reader.optional("bytes", effect.bytes, json::read_bytes);
  reader.optional("size", effect.size, read_garbage_size);
  if (reader.optional("bytes") == nullptr && reader.optional("size") == nullptr) {
    reader.mistakes().add(reader.node(), "garbage needs \"bytes\" or \"size\"");
  }
  return effect;
}

std::string_view why_not(const GarbageEffect&, Moment at) {
  return phase(at) == Phase::kept_alive ? "between two requests the word is \"unsolicited\"" : "";
}

std::vector<wire::Action> to_actions(const GarbageEffect& effect, Random& random) {
  return {wire::Write{effect.size > 0 ? draw(effect.size, random) : effect.bytes}};
}

std::string detail(const GarbageEffect& effect) {
  return fmt::format("{}B", effect.size > 0 ? effect.size : effect.bytes.size());
}

}  // namespace retrylab::scenario
