// SPDX-License-Identifier: MIT
#include "server/journal/record.h"

#include <algorithm>
#include <array>
#include <utility>

namespace retrylab::journal {
namespace {

template <typename Enum, std::size_t N>
using Words = std::array<std::pair<Enum, std::string_view>, N>;

constexpr Words<Source, 13> kSources{{{Source::unmatched, "unmatched"},
                                      {Source::malformed, "malformed"},
                                      {Source::outage, "outage"},
                                      {Source::override_step, "override"},
                                      {Source::rate_limit, "rate_limit"},
                                      {Source::capacity, "capacity"},
                                      {Source::key_missing, "key_missing"},
                                      {Source::key_reused, "key_reused"},
                                      {Source::key_in_flight, "key_in_flight"},
                                      {Source::replay, "replay"},
                                      {Source::script, "script"},
                                      {Source::after_script, "after_script"},
                                      {Source::connection, "connection"}}};

constexpr Words<Ending, 4> kEndings{{{Ending::pending, "pending"},
                                     {Ending::delivered, "delivered"},
                                     {Ending::peer_left, "peer_left"},
                                     {Ending::failed, "failed"}}};

using ClosedBy = Connection::ClosedBy;
constexpr Words<ClosedBy, 4> kClosedBy{{{ClosedBy::nobody, "nobody"},
                                        {ClosedBy::peer, "peer"},
                                        {ClosedBy::peer_reset, "peer_reset"},
                                        {ClosedBy::server, "server"}}};

using ClientOutcome = ClientEnd::Outcome;
constexpr Words<ClientOutcome, 6> kOutcomes{{{ClientOutcome::none, "none"},
                                             {ClientOutcome::success, "success"},
                                             {ClientOutcome::failure, "failure"},
                                             {ClientOutcome::hung, "hung"},
                                             {ClientOutcome::signalled, "signalled"},
                                             {ClientOutcome::interrupted, "interrupted"}}};

template <typename Enum, std::size_t N>
std::string_view word_in(const Words<Enum, N>& words, Enum value) {
  return std::ranges::find(words, value, &std::pair<Enum, std::string_view>::first)->second;
}

template <typename Enum, std::size_t N>
std::optional<Enum> value_in(const Words<Enum, N>& words, std::string_view word) {
  const auto* found = std::ranges::find(words, word, &std::pair<Enum, std::string_view>::second);
  if (found == words.end()) return std::nullopt;
  return found->first;
}

std::string_view without_blanks(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

// The next line without its line end, cut off `text`.
std::string_view take_line(std::string_view& text) {
  const auto end = text.find('\n');
  std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

}  // namespace

Headers parse_headers(std::string_view head) {
  Headers headers;
  take_line(head);
  while (!head.empty()) {
    const std::string_view line = take_line(head);
    if (line.empty()) break;
    if (line.front() == ' ' || line.front() == '\t') {
      if (!headers.empty()) headers.back().value.append(" ").append(without_blanks(line));
      continue;
    }
    const auto colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    headers.push_back(
        {std::string(line.substr(0, colon)), std::string(without_blanks(line.substr(colon + 1)))});
  }
  return headers;
}

Headers Attempt::headers() const {
  return parse_headers(head);
}

std::optional<std::string_view> Attempt::header(std::string_view name) const {
  std::string_view rest = head;
  take_line(rest);
  while (!rest.empty()) {
    const std::string_view line = take_line(rest);
    if (line.size() <= name.size() || line[name.size()] != ':') continue;
    if (same_name(line.substr(0, name.size()), name)) {
      return without_blanks(line.substr(name.size() + 1));
    }
  }
  return std::nullopt;
}

std::string_view word(Source source) {
  return word_in(kSources, source);
}
std::string_view word(Ending ending) {
  return word_in(kEndings, ending);
}
std::string_view word(Connection::ClosedBy by) {
  return word_in(kClosedBy, by);
}
std::string_view word(ClientEnd::Outcome outcome) {
  return word_in(kOutcomes, outcome);
}

std::optional<Source> source_of(std::string_view word) {
  return value_in(kSources, word);
}
std::optional<Ending> ending_of(std::string_view word) {
  return value_in(kEndings, word);
}
std::optional<Connection::ClosedBy> closed_by_of(std::string_view word) {
  return value_in(kClosedBy, word);
}
std::optional<ClientEnd::Outcome> outcome_of(std::string_view word) {
  return value_in(kOutcomes, word);
}

}  // namespace retrylab::journal
