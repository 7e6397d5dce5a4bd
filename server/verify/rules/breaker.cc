// SPDX-License-Identifier: MIT
#include "server/verify/rules/breaker.h"

#include <algorithm>
#include <map>
#include <string_view>

#include "server/verify/timing.h"

namespace retrylab::verify {
namespace {

// A silence in which so many attempts were due is none by chance: e^-14 is below 1e-6.
constexpr double kDueMin = 14;
// The load is taken from so many attempts before it.
constexpr std::size_t kLoadFrom = 10;

double seconds(Duration time) {
  return std::chrono::duration<double>(time).count();
}

// Attempts that the load up to attempt number `last` lets expect in a time.
double due_in(Duration time, const Arrivals& attempts, std::size_t last) {
  const Duration measured = attempts[last]->first_byte - attempts[last + 1 - kLoadFrom]->first_byte;
  return seconds(time) * static_cast<double>(kLoadFrom - 1) / std::max(seconds(measured), 1e-6);
}

Opening open_at(const AttemptEvidence& failure, Duration lasts) {
  return {.last_failure = &failure,
          .from = *failure.seen.until + kLateTolerance,
          .until = *failure.seen.from + lasts - kEarlyAdvice};
}

// From that attempt until it was answered; it is one itself though that took no time.
Arrivals probes_from(const Arrivals& attempts, std::size_t first) {
  Arrivals probes{attempts[first]};
  // Nobody knows when the client gave it up, and so what was sent beside it.
  if (!attempts[first]->seen.from) return probes;
  const Instant answered = *attempts[first]->seen.from;
  for (std::size_t i = first + 1; i < attempts.size(); ++i) {
    if (attempts[i]->first_byte >= answered) break;
    probes.push_back(attempts[i]);
  }
  return probes;
}

}  // namespace

bool is_trouble(const AttemptEvidence& attempt) {
  const int status = attempt.seen.status;
  return attempt.seen.until && (attempt.seen.broken() || status == 429 || status / 100 == 5);
}

bool is_silent_after(const Arrivals& attempts, std::size_t last,
                     const scenario::ExpectSilence& silence) {
  if (last + 1 < kLoadFrom || last + 1 >= attempts.size()) return false;
  const Duration gap = attempts[last + 1]->first_byte - attempts[last]->first_byte;
  return gap >= silence.lasts * 3 / 4 && gap <= silence.lasts * 3 / 2 &&
         due_in(gap, attempts, last) >= kDueMin;
}

Arrivals in_order_of_arrival(const RunEvidence& run) {
  Arrivals attempts;
  for (const OperationEvidence& operation : run.operations) {
    for (const AttemptEvidence& attempt : operation.attempts) attempts.push_back(&attempt);
  }
  std::ranges::stable_sort(attempts, {},
                           [](const AttemptEvidence* one) { return one->first_byte; });
  return attempts;
}

std::vector<Arrivals> by_host(const RunEvidence& run) {
  std::vector<Arrivals> hosts;
  std::map<std::string_view, std::size_t> place_of;
  for (const AttemptEvidence* attempt : in_order_of_arrival(run)) {
    const std::string_view host = attempt->record->header("Host").value_or("");
    const std::size_t place = place_of.emplace(host, hosts.size()).first->second;
    if (place == hosts.size()) hosts.emplace_back();
    hosts[place].push_back(attempt);
  }
  return hosts;
}

std::vector<Opening> openings_of(const Arrivals& attempts, const scenario::ExpectSilence& silence) {
  std::vector<Opening> openings;
  std::uint64_t failures = 0;
  bool reopens = false;
  for (std::size_t i = 0; i < attempts.size(); ++i) {
    failures = is_trouble(*attempts[i]) ? failures + 1 : 0;
    if (failures < silence.after) continue;
    failures = 0;
    Opening opening = open_at(*attempts[i], silence.lasts);
    opening.is_probe = reopens;
    std::size_t next = i + 1;
    while (next < attempts.size() && attempts[next]->first_byte < opening.until) {
      const bool was_on_its_way = attempts[next]->first_byte <= opening.from;
      if (!was_on_its_way && opening.intruder == nullptr) opening.intruder = attempts[next];
      ++next;
    }
    openings.push_back(std::move(opening));
    // After a silence that was not kept nobody knows what the breaker is at.
    if (openings.back().intruder != nullptr || next == attempts.size()) break;
    openings.back().probes = probes_from(attempts, next);
    // A failed probe opens it again at once.
    reopens = is_trouble(*attempts[next]);
    if (reopens) failures = silence.after - 1;
    i = next - 1;
  }
  return openings;
}

RuleResult judge_openings(const Evidence& evidence, const Outline& outline,
                          void (*judge)(const Evidence&, const Opening&, Tally&)) {
  const auto& silence = evidence.scenario.expect.silence;
  if (!silence) {
    return {.expected = outline.expected, .observed = "no breaker is declared: say silence"};
  }
  Tally tally(evidence);
  for (const RunEvidence& run : evidence.runs) {
    for (const Arrivals& attempts : by_host(run)) {
      for (const Opening& opening : openings_of(attempts, *silence)) {
        judge(evidence, opening, tally);
      }
    }
  }
  return tally.result(outline);
}

double depth_of(const Opening& opening, const AttemptEvidence& attempt) {
  const auto into = std::chrono::duration<double>(attempt.first_byte - opening.from);
  return into / std::chrono::duration<double>(opening.until - opening.from);
}

}  // namespace retrylab::verify
