// SPDX-License-Identifier: MIT
#include "server/scenario/json/nearest.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <vector>

#include <fmt/format.h>

namespace retrylab::scenario::json {
namespace {

char plain(char letter) {
  if (letter == '-' || letter == ' ') return '_';
  return static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
}

// Optimal string alignment distance, regardless of case and of "-" for "_".
std::size_t distance(std::string_view left, std::string_view right) {
  const std::size_t width = right.size() + 1;
  std::vector<std::size_t> before(width);
  std::vector<std::size_t> above(width);
  std::vector<std::size_t> row(width);
  for (std::size_t j = 0; j < width; ++j) above[j] = j;
  for (std::size_t i = 1; i <= left.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j < width; ++j) {
      const bool same = plain(left[i - 1]) == plain(right[j - 1]);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (same ? 0U : 1U)});
      const bool swapped = i > 1 && j > 1 && plain(left[i - 1]) == plain(right[j - 2]) &&
                           plain(left[i - 2]) == plain(right[j - 1]);
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before.swap(above);
    above.swap(row);
  }
  return above[right.size()];
}

}  // namespace

std::string_view nearest(std::string_view word, std::span<const std::string_view> known) {
  std::string_view best;
  std::size_t best_distance = std::string_view::npos;
  for (const std::string_view candidate : known) {
    const std::size_t changed = distance(word, candidate);
    const std::size_t slip = (std::max(word.size(), candidate.size()) + 1) / 3;
    if (changed > slip || changed >= best_distance) continue;
    best = candidate;
    best_distance = changed;
  }
  return best;
}

std::string_view same_word(std::string_view word, std::span<const std::string_view> known) {
  const auto same = [](char left, char right) {
    constexpr std::string_view kJoints = "-_.";
    return left == right || (kJoints.find(left) != std::string_view::npos &&
                             kJoints.find(right) != std::string_view::npos);
  };
  const auto found = std::ranges::find_if(
      known, [&](std::string_view candidate) { return std::ranges::equal(word, candidate, same); });
  return found == known.end() ? std::string_view() : *found;
}

std::string advice(std::string_view word, std::span<const std::string_view> known) {
  if (const std::string_view near = nearest(word, known); !near.empty()) {
    return fmt::format("did you mean \"{}\"?", near);
  }
  std::string list;
  for (const std::string_view candidate : known) {
    list += fmt::format("{}\"{}\"", list.empty() ? "" : ", ", candidate);
  }
  return list.empty() ? "" : "known: " + list;
}

}  // namespace retrylab::scenario::json
