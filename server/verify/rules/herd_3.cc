// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

#include "server/verify/rules/all.h"
#include "server/verify/rules/plain.h"
#include "server/verify/rules/waits.h"
#include "server/verify/rules/words.h"
#include "server/verify/statistics/statistics.h"

namespace retrylab::verify::rules {
namespace {

constexpr std::size_t kRetriesMin = 50;
constexpr std::size_t kRetriesMax = 10'000;
// How much of the retries has to keep the beat, from 0 to 1.
constexpr double kLocked = 0.3;

// How strongly times keep a beat: 0 for any times, 1 when all fall on one phase (Rayleigh's R).
double lock_of(const std::vector<double>& times, double period) {
  std::complex<double> sum = 0;
  for (const double time : times) {
    sum += std::polar(1.0, 2 * std::numbers::pi * std::fmod(time, period) / period);
  }
  return std::abs(sum) / static_cast<double>(times.size());
}

// Retries by the client's own wait: when the failure was known, and when they came.
struct Retries {
  std::vector<double> known;
  std::vector<double> came;
  std::vector<AttemptRef> attempts;
};

std::vector<const Gap*> own_waits_of(const RunEvidence& run) {
  std::vector<const Gap*> waits;
  for (const OperationEvidence& operation : run.operations) {
    for (const Chain& chain : operation.chains) {
      for (const Gap& gap : chain.gaps) {
        if (is_own_wait(gap)) waits.push_back(&gap);
      }
    }
  }
  return waits;
}

// Of very many, some from all over the run.
Retries retries_of(const RunEvidence& run) {
  const auto seconds = [](Instant at) {
    return std::chrono::duration<double>(at.time_since_epoch()).count();
  };
  const std::vector<const Gap*> waits = own_waits_of(run);
  const std::size_t stride = waits.size() / kRetriesMax + 1;
  Retries retries;
  for (std::size_t i = 0; i < waits.size(); i += stride) {
    const Gap& gap = *waits[i];
    retries.known.push_back(seconds(*gap.before->seen.from));
    retries.came.push_back(seconds(gap.after->first_byte));
    if (retries.attempts.size() < kEvidenceMax) retries.attempts.push_back(gap.after->ref());
  }
  return retries;
}

// The waits that a client may fall into step with: each ceiling up to the cap.
std::vector<Duration> beats_of(const Settings& settings) {
  std::vector<Duration> beats;
  for (std::uint32_t retry = 1; retry <= 16; ++retry) {
    const auto top = ceiling(settings, retry);
    if (!top || (!beats.empty() && beats.back() == *top)) break;
    beats.push_back(*top);
  }
  return beats;
}

// What keeps the beat already as a failure is the server's doing, or the start's.
bool is_locked(const Retries& retries, Duration beat, double alpha) {
  const double period = std::chrono::duration<double>(beat).count();
  const double before = lock_of(retries.known, period);
  const double after = lock_of(retries.came, period);
  const double chance = std::exp(-static_cast<double>(retries.came.size()) * after * after);
  return before <= kLocked && after > kLocked && after > 2 * before && chance < alpha;
}

RuleResult judge_run(const Retries& retries, const std::vector<Duration>& beats) {
  if (retries.came.size() < kRetriesMin) {
    return {.status = Status::not_applicable,
            .observed = fmt::format("had {} in a run, needs {}",
                                    counted(retries.came.size(), "retry"), kRetriesMin)};
  }
  const double alpha = statistics::kAlpha / static_cast<double>(beats.size());
  for (const Duration beat : beats) {
    if (!is_locked(retries, beat, alpha)) continue;
    return {.status = Status::fail,
            .expected = "retries at any time",
            .observed = fmt::format("{} keep a beat of {}, which their failures did not",
                                    counted(retries.came.size(), "retry"), time_text(beat)),
            .attempts = retries.attempts,
            .advice =
                "Wait from the failure on, and draw the wait; do not retry on a clock's "
                "tick."};
  }
  return {.status = Status::pass,
          .expected = "retries at any time",
          .observed = fmt::format("{} keep no beat", counted(retries.came.size(), "retry"))};
}

RuleResult judge(const Evidence& evidence) {
  const std::vector<Duration> beats = beats_of(evidence.settings);
  if (beats.empty()) {
    return {.status = Status::not_applicable, .observed = "no base is declared: say backoff.base"};
  }
  RuleResult worst{.status = Status::not_applicable, .observed = "there was no retry"};
  for (const RunEvidence& run : evidence.runs) {
    RuleResult result = judge_run(retries_of(run), beats);
    if (weight(result.status) > weight(worst.status)) worst = std::move(result);
  }
  return worst;
}

}  // namespace

constinit const Rule kHerd3{
    .id = "HERD-3",
    .statement = "Retries do not fall into step",
    .source = "Floyd and Jacobson, The Synchronization of Periodic Routing Messages; RULES HERD-3",
    .parameters = "backoff.base, backoff.cap",
    .decision =
        "Needs 50 retries in a run. Fails when they keep the beat of a declared wait (Rayleigh's R "
        "above 0.3, p < 1e-4) and the failures before them did not.",
    .judge = judge};

}  // namespace retrylab::verify::rules
