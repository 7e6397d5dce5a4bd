// SPDX-License-Identifier: MIT
#include "server/verify/evidence_part.h"

#include <algorithm>
#include <utility>

#include "server/verify/attempt_evidence.h"
#include "server/verify/chain_finder.h"
#include "server/verify/timing.h"

namespace retrylab::verify {
namespace {

using journal::OperationGroup;
using journal::Run;

std::size_t attempts_in(std::span<const OperationGroup> groups) {
  std::size_t count = 0;
  for (const OperationGroup& group : groups) count += group.attempts.size();
  return count;
}

class PartBuilder {
 public:
  explicit PartBuilder(const PartSource& source)
      : source_(source), run_(source.run), lags_(source.evidence.lags[source.run_index]) {
    // Spans point into them: they must not grow later.
    const std::size_t count = attempts_in(source.groups);
    part_.attempts.reserve(count);
    part_.gaps.reserve(count);
    part_.chains.reserve(count);
  }

  EvidencePart take() {
    for (std::size_t i = 0; i < source_.groups.size(); ++i) {
      if (i + 1 < source_.groups.size()) fetch(source_.groups[i + 1]);
      add(i);
    }
    return std::move(part_);
  }

 private:
  // The records of an operation lie far apart: they are on their way from memory while the one
  // before is worked on.
  void fetch(const OperationGroup& group) const {
    constexpr std::size_t kLine = 64;
    for (const std::size_t attempt : group.attempts) {
      const char* record = reinterpret_cast<const char*>(&run_.attempts[attempt]);
      for (std::size_t at = 0; at < sizeof(journal::Attempt); at += kLine) {
        __builtin_prefetch(record + at);
      }
    }
  }

  void add(std::size_t i) {
    const OperationGroup& group = source_.groups[i];
    OperationEvidence& operation = source_.operations[i];
    operation = {.run = source_.run_index,
                 .number = source_.first_number + static_cast<std::uint32_t>(i),
                 .name = group.name,
                 .by = group.by,
                 .certain = group.certain,
                 .client = client_of(group)};
    const std::size_t first = part_.attempts.size();
    const std::size_t first_chain = part_.chains.size();
    const auto chains = chains_of(group, static_cast<std::uint32_t>(i), operation);
    for (const std::size_t size : chains) add_chain(size);
    operation.attempts = std::span<const AttemptEvidence>(part_.attempts).subspan(first);
    operation.chains = std::span<const Chain>(part_.chains).subspan(first_chain);
  }

  // Puts the attempts of an operation into the part, chain by chain, and returns the chains' sizes.
  std::vector<std::size_t> chains_of(const OperationGroup& group, std::uint32_t index,
                                     OperationEvidence& operation) {
    const std::size_t first = part_.attempts.size();
    ChainFinder finder;
    std::vector<std::size_t> chain_of;  // by number in the operation
    std::vector<std::size_t> sizes;
    const AttemptEvidence* before = nullptr;
    for (const std::size_t attempt : group.attempts) {
      AttemptEvidence& made =
          part_.attempts.emplace_back(interpret(run_, lags_, run_.attempts[attempt], before));
      before = &made;
      part_.occurring.add(made);
      made.operation = source_.first_operation + index;
      made.number = static_cast<std::uint32_t>(part_.attempts.size() - first);
      chain_of.push_back(finder.chain_of(made));
      if (chain_of.back() == sizes.size()) sizes.push_back(0);
      ++sizes[chain_of.back()];
    }
    if (sizes.size() > 1) sort_by_chain(first, chain_of, operation);
    next_in_chain_ = first;
    return sizes;
  }

  void sort_by_chain(std::size_t first, const std::vector<std::size_t>& chain_of,
                     OperationEvidence& operation) {
    const auto begin = part_.attempts.begin() + static_cast<std::ptrdiff_t>(first);
    std::ranges::stable_sort(
        begin, part_.attempts.end(), {},
        [&chain_of](const AttemptEvidence& attempt) { return chain_of[attempt.number - 1]; });
    operation.order.resize(chain_of.size());
    std::uint32_t position = 0;
    for (auto at = begin; at != part_.attempts.end(); ++at) {
      operation.order[at->number - 1] = position++;
    }
  }

  // The next attempts of that number are a chain.
  void add_chain(std::size_t size) {
    const auto attempts =
        std::span<const AttemptEvidence>(part_.attempts).subspan(next_in_chain_, size);
    next_in_chain_ += size;
    const std::size_t first_gap = part_.gaps.size();
    std::uint32_t retry = 0;
    std::uint32_t asked = 0;
    for (std::size_t i = 0; i + 1 < attempts.size(); ++i) {
      Gap& gap = part_.gaps.emplace_back(gap_between(attempts[i], attempts[i + 1]));
      if (!gap.is_resend && !is_hedge(gap)) ++retry;
      gap.retry = std::max<std::uint32_t>(retry, 1);
      gap.asked_before = std::min(asked, gap.retry - 1);
      const bool is_asked =
          attempts[i].asked.kind != RetryAfter::Kind::absent || attempts[i].has_hints;
      if (is_asked && !gap.is_resend) ++asked;
    }
    part_.chains.push_back({attempts, std::span<const Gap>(part_.gaps).subspan(first_gap)});
  }

  Gap gap_between(const AttemptEvidence& before, const AttemptEvidence& after) const {
    Gap gap{.before = &before, .after = &after};
    const Instant arrived = after.first_byte;
    if (before.seen.from && *before.seen.from <= arrived) {
      gap.wait_at_most = arrived - *before.seen.from;
    }
    if (!before.seen.until) return gap;
    gap.wait_at_least = std::max(Duration(0), arrived - *before.seen.until);
    gap.connecting = connecting_time(run_, after);
    gap.lag = lags_.explains(*before.seen.until, arrived);
    gap.lag_at_ends = lag_at_ends(*before.seen.until, arrived);
    gap.has_blind_spot = source_.spots.touch(*before.seen.until, arrived);
    gap.is_resend = is_resend(before, after, *gap.wait_at_least);
    return gap;
  }

  // Not what is in between: a client that sleeps notices nothing of it, and long waits would be
  // left out more often than short ones.
  Duration lag_at_ends(Instant answered, Instant arrived) const {
    return lags_.between(answered, answered + kEndOfWait) +
           lags_.between(std::max(answered, arrived - kEndOfWait), arrived);
  }

  // It did not wait for the outcome, as declared: no retry.
  bool is_hedge(const Gap& gap) const {
    return source_.evidence.scenario.expect.hedging_delay && !gap.wait_at_most;
  }

  static bool is_resend(const AttemptEvidence& before, const AttemptEvidence& after,
                        Duration wait) {
    const bool was_stale =
        before.number_on_connection > 1 &&
        (before.seen.kind == Seen::Kind::reset || before.seen.kind == Seen::Kind::closed);
    return was_stale && after.number_on_connection == 1 && wait <= kResendWithin;
  }

  const journal::ClientEnd* client_of(const OperationGroup& group) const {
    if (group.by != Grouping::one_process || run_.clients.empty()) return nullptr;
    if (run_.one_process) return run_.clients.size() == 1 ? &run_.clients.front() : nullptr;
    const auto process = run_.attempts[group.attempts.front()].listener;
    const auto found = std::ranges::find(run_.clients, process, &journal::ClientEnd::process);
    return found == run_.clients.end() ? nullptr : &*found;
  }

  const PartSource& source_;
  const Run& run_;
  const LagIndex& lags_;
  EvidencePart part_;
  std::size_t next_in_chain_ = 0;
};

}  // namespace

EvidencePart make_part(const PartSource& source) {
  EvidencePart part = PartBuilder(source).take();
  take_samples(source.evidence, part);
  return part;
}

}  // namespace retrylab::verify
