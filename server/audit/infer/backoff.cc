// SPDX-License-Identifier: MIT
#include "server/audit/infer/backoff.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "server/audit/infer/added_fit.h"
#include "server/audit/infer/band_fit.h"
#include "server/audit/infer/decorrelated_fit.h"
#include "server/audit/infer/round_value.h"
#include "server/verify/statistics/statistics.h"

namespace retrylab::audit {
namespace {

constexpr double kDecided = 4.6;  // ln 100
constexpr std::size_t kWaitsMin = 8;
// A first retry that is so much shorter than the second's wait, and that short, was not waited for.
constexpr double kAtOnceShare = 0.1;
constexpr double kAtOnceSeconds = 0.02;

struct Kind {
  Jitter jitter;
  BandLimits spread;
};
// What lies between the named kinds is "so much either way". Timers spread waits a little, the
// shorter the more.
std::array<Kind, 5> kinds(double shortest) {
  const double noise = std::clamp(0.006 / std::max(shortest, 1e-3), 0.02, 0.08);
  return {{{Jitter::none, {0, noise}},
           {Jitter::full, {0.93, 1}},
           {Jitter::equal, {0.30, 0.366}},
           {Jitter::proportional, {noise, 0.30}},
           {Jitter::proportional, {0.366, 0.93}}}};
}

std::vector<WaitOfChain> waits_of(const verify::Evidence& evidence) {
  std::vector<WaitOfChain> waits;
  for (const verify::Sample& sample : evidence.samples) {
    WaitOfChain wait{.retry = sample.gap->retry, .seconds = sample.seconds()};
    if (sample.previous) wait.previous = std::chrono::duration<double>(*sample.previous).count();
    waits.push_back(wait);
  }
  return waits;
}

std::vector<double> before_retry(const std::vector<WaitOfChain>& waits, std::size_t retry) {
  std::vector<double> found;
  for (const WaitOfChain& wait : waits) {
    if (wait.retry == retry) found.push_back(wait.seconds);
  }
  return found;
}

bool first_comes_at_once(const std::vector<WaitOfChain>& waits) {
  const auto first = before_retry(waits, 1);
  const auto second = before_retry(waits, 2);
  if (first.empty() || second.empty()) return false;
  const double middle = verify::statistics::median(first);
  return middle < kAtOnceSeconds && middle < kAtOnceShare * verify::statistics::median(second);
}

void leave_out_first(std::vector<WaitOfChain>& waits) {
  std::erase_if(waits, [](const WaitOfChain& wait) { return wait.retry == 1; });
  for (WaitOfChain& wait : waits) --wait.retry;
}

struct Candidate {
  Jitter jitter = Jitter::none;
  BandFit fit;
  double added = 0;  // seconds
};

// The most likely first.
std::vector<Candidate> candidates(const std::vector<WaitOfChain>& waits) {
  std::vector<GrowingWait> growing;
  for (const WaitOfChain& wait : waits) growing.push_back({wait.retry, wait.seconds});
  std::vector<double> factors(usual_factors().begin(), usual_factors().end());
  if (const auto any = fit_band(growing)) factors.push_back(any->factor);
  std::vector<Candidate> found;
  const double shortest = std::ranges::min_element(growing, {}, &GrowingWait::seconds)->seconds;
  for (const Kind& kind : kinds(shortest)) {
    auto fit = fit_band(growing, kind.spread, factors);
    if (!fit) continue;
    // Any spread will do for it, where the others have theirs given.
    if (kind.jitter == Jitter::proportional) {
      fit->log_likelihood -= 0.5 * std::log(static_cast<double>(waits.size()) + 1) + 1;
    }
    found.push_back({kind.jitter, *fit});
  }
  if (const auto fit = fit_decorrelated(waits)) {
    found.push_back({Jitter::decorrelated,
                     {.log_likelihood = fit->log_likelihood,
                      .middle = fit->base,
                      .factor = 3,
                      .cap = fit->cap,
                      .last = fit->longest}});
  }
  if (const auto fit = fit_added(growing, usual_factors())) {
    found.push_back({Jitter::none,
                     {.log_likelihood = fit->log_likelihood,
                      .middle = fit->base,
                      .factor = fit->factor,
                      .last = fit->last},
                     fit->added});
  }
  std::ranges::stable_sort(found, std::ranges::greater{},
                           [](const Candidate& one) { return one.fit.log_likelihood; });
  return found;
}

Duration time_of(double seconds) {
  return std::chrono::duration_cast<Duration>(std::chrono::duration<double>(seconds));
}

// From the middle of a band to what a policy calls its ceiling.
double ceiling_share(const Candidate& one) {
  switch (one.jitter) {
    case Jitter::full:
      return 2;
    case Jitter::equal:
      return 4.0 / 3;
    case Jitter::none:
    case Jitter::decorrelated:
    case Jitter::proportional:
      break;
  }
  return 1;
}

// A constant delay on top of every wait makes a factor look a little smaller.
double snapped_factor(double factor) {
  for (const double usual : usual_factors()) {
    if (std::abs(usual - factor) < 0.03 * usual) return usual;
  }
  return factor;
}

// Of waits that grow otherwise, the factor that leads to the same last one.
double factor_of(const BandFit& fit, const std::vector<WaitOfChain>& waits) {
  if (fit.power == 0) return snapped_factor(fit.factor);
  const auto last = std::ranges::max_element(waits, {}, &WaitOfChain::retry)->retry;
  return std::pow(fit.last / fit.middle, 1 / static_cast<double>(last - 1));
}

double snapped_spread(const Candidate& one) {
  constexpr std::array kUsual{0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.75};
  if (one.jitter != Jitter::proportional) return 0;
  for (const double usual : kUsual) {
    if (std::abs(usual - one.fit.spread) < 0.02) return usual;
  }
  return one.fit.spread;
}

}  // namespace

BackoffFound infer_backoff(const Observed& observed) {
  BackoffFound found;
  const auto* evidence = observed.of("audit-unavailable");
  if (evidence == nullptr) return found;
  auto waits = waits_of(*evidence);
  found.first_at_once = first_comes_at_once(waits);
  if (found.first_at_once) leave_out_first(waits);
  if (waits.empty()) return found;
  const auto ranking = candidates(waits);
  if (ranking.empty()) return found;
  const Candidate& best = ranking.front();
  // Where no other kind can make these waits at all, enough of them decide.
  const double lead = waits.size() < kWaitsMin ? 0
                      : ranking.size() > 1 ? best.fit.log_likelihood - ranking[1].fit.log_likelihood
                                           : 2 * kDecided;
  // A share of the range is left to chance: the fewer waits, the more.
  const double tolerance = best.jitter == Jitter::none && best.added == 0
                               ? 0.03
                               : std::clamp(3.0 / static_cast<double>(waits.size()), 0.03, 0.1);
  const double share = ceiling_share(best);
  found.seen = true;
  found.waits = waits.size();
  found.jitter = best.jitter;
  found.spread = snapped_spread(best);
  if (best.added > 0) found.added = round_value(time_of(best.added), 0.15);
  found.base = round_value(time_of(share * best.fit.middle), tolerance);
  found.longest = round_value(time_of(share * best.fit.last), tolerance);
  if (best.fit.cap) found.cap = round_value(time_of(share * *best.fit.cap), tolerance);
  found.has_factor = std::ranges::any_of(waits, [](const WaitOfChain& w) { return w.retry > 1; });
  found.power = best.fit.power;
  found.factor_thousandths = std::lround(factor_of(best.fit, waits) * 1000);
  found.confidence = 1 / (1 + std::exp(-lead));
  found.is_decided = lead > kDecided;
  return found;
}

}  // namespace retrylab::audit
