// SPDX-License-Identifier: MIT
// Collects what a rule found, attempt by attempt, and makes its result of it. This is where the
// principles are that hold for every rule: one proof fails it; spoiled evidence never passes it;
// what rests on a guess about which attempts belong together is no proof.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "server/verify/evidence.h"
#include "server/verify/verdict.h"

namespace retrylab::verify {

// One thing worth telling, in words for the client's author.
struct Finding {
  std::string expected;
  std::string observed;  // "attempt 2 came 0.31s after a 429 that asked for 5s"
  std::string advice;    // one sentence
};

// What to say when there is no finding to tell of.
struct Outline {
  std::string expected;
  std::string none;       // why there was nothing to judge
  bool is_never = false;  // "never" rules say what n chances prove
};

class Tally {
 public:
  explicit Tally(const Evidence& evidence) : evidence_(evidence) {}

  // Kept where it could have been broken, as `attempt` shows. If the fault that was planned for
  // it did not take place, that shows nothing.
  void kept(const AttemptEvidence& attempt);

  // Broken. `tell` makes the Finding and is called only when it is the worst so far.
  template <typename Tell>
  void broke(const AttemptEvidence& first, const AttemptEvidence& second,
             std::optional<Duration> missed_by, Tell tell) {
    add(is_proof(first) ? broken_ : guesses_, {first.ref(), second.ref()}, missed_by, tell);
  }
  // All these attempts, of one operation and at least one, show it.
  template <typename Tell>
  void broke(const std::vector<const AttemptEvidence*>& shown, Tell tell) {
    std::vector<AttemptRef> refs;
    for (const AttemptEvidence* attempt : shown) refs.push_back(attempt->ref());
    add(is_proof(*shown.front()) ? broken_ : guesses_, refs, std::nullopt, tell);
  }
  template <typename Tell>
  void broke(const AttemptEvidence& attempt, std::optional<Duration> missed_by, Tell tell) {
    broke(attempt, attempt, missed_by, tell);
  }

  // Not broken, but worth a word.
  template <typename Tell>
  void advise(const AttemptEvidence& first, const AttemptEvidence& second,
              std::optional<Duration> missed_by, Tell tell) {
    add(advised_, {first.ref(), second.ref()}, missed_by, tell);
  }

  // Cannot be told.
  template <typename Tell>
  void spoiled(const AttemptEvidence& first, const AttemptEvidence& second, Tell tell) {
    add(spoiled_, {first.ref(), second.ref()}, std::nullopt, tell);
  }

  const Evidence& evidence() const { return evidence_; }

  std::size_t chances() const { return kept_ + broken_.count + advised_.count; }

  RuleResult result(Outline outline) const;

 private:
  struct Pile {
    std::size_t count = 0;
    std::optional<Duration> worst_miss;
    std::optional<Finding> worst;
    std::vector<AttemptRef> attempts;
  };

  static constexpr std::size_t kAttemptsMax = 100;

  bool is_proof(const AttemptEvidence& attempt) const {
    return evidence_.operation_of(attempt).certain;
  }

  template <typename Tell>
  static void add(Pile& pile, std::vector<AttemptRef> attempts, std::optional<Duration> missed_by,
                  Tell& tell) {
    ++pile.count;
    for (const AttemptRef& ref : attempts) {
      const bool is_new = pile.attempts.empty() || pile.attempts.back() != ref;
      if (is_new && pile.attempts.size() < kAttemptsMax) pile.attempts.push_back(ref);
    }
    const bool is_worse =
        !pile.worst || (missed_by && pile.worst_miss.value_or(Duration(0)) < *missed_by);
    if (!is_worse) return;
    pile.worst = tell();
    pile.worst_miss = missed_by;
  }

  RuleResult from(const Pile& pile, Status status, const Outline& outline) const;

  const Evidence& evidence_;
  std::size_t kept_ = 0;
  Pile broken_;
  Pile guesses_;
  Pile advised_;
  Pile spoiled_;
};

}  // namespace retrylab::verify
