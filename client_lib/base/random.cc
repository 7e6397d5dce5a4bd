// SPDX-License-Identifier: MIT
#include "client_lib/base/random.h"

#include <bit>

#include "client_lib/base/check.h"

namespace retrylab {
namespace {

__extension__ using Wide = unsigned __int128;

// SplitMix64 (Steele, Lea, Flood 2014): one step, and the finaliser that spreads its state.
std::uint64_t split_mix(std::uint64_t& state) {
  state += 0x9e3779b97f4a7c15U;
  std::uint64_t mixed = state;
  mixed = (mixed ^ (mixed >> 30U)) * 0xbf58476d1ce4e5b9U;
  mixed = (mixed ^ (mixed >> 27U)) * 0x94d049bb133111ebU;
  return mixed ^ (mixed >> 31U);
}

// FNV-1a over the purpose's name.
std::uint64_t hash_name(std::string_view name) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char letter : name) {
    hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3U;
  }
  return hash;
}

}  // namespace

Random::Random(std::uint64_t seed) : state_{} {
  for (std::uint64_t& word : state_) word = split_mix(seed);
}

Random Random::stream(std::uint64_t seed, std::string_view purpose, std::uint64_t index) {
  std::uint64_t mixed = seed;
  mixed = split_mix(mixed) ^ hash_name(purpose);
  mixed = split_mix(mixed) ^ index;
  return Random(split_mix(mixed));
}

std::uint64_t Random::next() {
  const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
  const std::uint64_t shifted = state_[1] << 17U;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= shifted;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

// Lemire's multiply-and-reject.
std::uint64_t Random::below(std::uint64_t bound) {
  CHECK(bound >= 1);
  const std::uint64_t reject_below = (0 - bound) % bound;
  Wide product = Wide{next()} * bound;
  while (static_cast<std::uint64_t>(product) < reject_below) product = Wide{next()} * bound;
  return static_cast<std::uint64_t>(product >> 64U);
}

Duration Random::between(Duration low, Duration high) {
  CHECK(low <= high);
  const auto width =
      static_cast<std::uint64_t>(high.count()) - static_cast<std::uint64_t>(low.count());
  const std::uint64_t offset = width == UINT64_MAX ? next() : below(width + 1);
  return Duration(static_cast<std::int64_t>(static_cast<std::uint64_t>(low.count()) + offset));
}

bool Random::chance(Ratio probability) {
  CHECK(probability.whole >= 1);
  return below(probability.whole) < probability.part;
}

}  // namespace retrylab
