// SPDX-License-Identifier: MIT
// What the rules judge: the journal, grouped and interpreted once. Rules read it and nothing else.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "client_lib/retry/retry_after.h"
#include "server/journal/fingerprint.h"
#include "server/journal/in_parallel.h"
#include "server/journal/operations.h"
#include "server/journal/record.h"
#include "server/journal/seen.h"
#include "server/scenario/scenario.h"
#include "server/verify/joined.h"
#include "server/verify/lag_index.h"
#include "server/verify/settings.h"
#include "server/verify/verdict.h"

namespace retrylab::verify {

using journal::Seen;

// What an answer announced of when to come back, if its head reached the client.
struct Asked {
  RetryAfter::Kind kind = RetryAfter::Kind::absent;
  bool past = false;  // a date in the past
  Duration wait{0};   // from the answer on

  bool valid() const { return kind == RetryAfter::Kind::seconds || kind == RetryAfter::Kind::date; }
};

// What rules ask of every attempt is here, so that they need the record itself only for what they
// have to tell.
struct AttemptEvidence {
  const journal::Attempt* record = nullptr;
  Seen seen;
  Asked asked;
  journal::Fingerprint print;
  Instant first_byte;
  journal::ConnectionId connection = 0;
  std::uint32_t number_on_connection = 1;
  std::uint32_t operation = 0;  // index into Evidence::operations
  std::uint32_t number = 1;     // in the order of the operation
  journal::Source source = journal::Source::unmatched;
  std::optional<std::uint32_t> announced_retries;  // what the client says came before
  std::optional<bool> should_retry;                // what the server said outright (x-should-retry)
  bool has_hints = false;                          // of another kind than Retry-After
  bool body_was_read = false;                      // the request came whole
  bool closes_connection = false;                  // the answer said so
  // A key protects only where the server keeps answers by key.
  bool has_key = false;
  // Repeating it cannot do harm: by its method or its key.
  bool is_repeatable = false;
  bool took_effect = false;  // the server executed it, and not by giving a stored answer again
  // So late this host was with an answer that the client may have given up for it.
  Duration kept_waiting{0};

  AttemptRef ref() const { return {record->run, record->id}; }
};

// From one attempt to the next of the same chain.
struct Gap {
  const AttemptEvidence* before = nullptr;
  const AttemptEvidence* after = nullptr;
  // Of the chain, from 1; a stack's silent resend and a declared hedge are none and have the number
  // of the one before.
  std::uint32_t retry = 1;
  // Waits before it that the server asked for: clients differ in whether these count for the
  // growth of their own.
  std::uint32_t asked_before = 0;
  // The client waited at most so long: too little here is proof, whatever the host did. Nothing
  // when it never learned of an outcome, or had not when it sent the next attempt.
  std::optional<Duration> wait_at_most;
  // It waited at least so long, unless the host was late or the connection slow.
  std::optional<Duration> wait_at_least;
  Duration connecting{0};   // at most; part of wait_at_least
  Duration lag{0};          // how much of wait_at_least the host's lateness may explain
  Duration lag_at_ends{0};  // how late this process was when it began and when it ended
  // A port was refused or a connection cut meanwhile: there may have been attempts unseen.
  bool has_blind_spot = false;
  // On a reused connection that ended without an answer the HTTP stack sends again at once, by
  // itself: no decision of the client's retry policy.
  bool is_resend = false;
};

// Attempts for the same thing: one method and target, or one key, redirects followed. Usually an
// operation has one chain.
struct Chain {
  std::span<const AttemptEvidence> attempts;
  std::span<const Gap> gaps;  // one less

  const AttemptEvidence& first() const { return attempts.front(); }
  const AttemptEvidence& last() const { return attempts.back(); }
  // Attempts that are decisions of the client: without resends.
  std::size_t tries() const;
};

// The number that a client which counts its own waits alone gives to that retry.
inline std::uint32_t own_retry(const Gap& gap) {
  return gap.retry - gap.asked_before;
}

struct OperationEvidence {
  std::uint32_t run = 0;     // index into Evidence::runs
  std::uint32_t number = 1;  // within the run
  std::string name;
  Grouping by = Grouping::one_process;
  bool certain = true;
  std::span<const AttemptEvidence> attempts;  // chain by chain
  std::span<const Chain> chains;
  std::vector<std::uint32_t> order;            // empty: attempts are in order of arrival already
  const journal::ClientEnd* client = nullptr;  // of its process, if that is one operation

  const AttemptEvidence& first() const { return attempts[order.empty() ? 0 : order.front()]; }
  const AttemptEvidence& last() const {
    return attempts[order.empty() ? attempts.size() - 1 : order.back()];
  }
  const AttemptEvidence& in_order(std::size_t i) const {
    return attempts[order.empty() ? i : order[i]];
  }
};

// One own wait of a chain; they stand one after the other, chain by chain.
struct Sample {
  const Gap* gap = nullptr;
  const Chain* chain = nullptr;
  Duration time{0};
  std::optional<Duration> ceiling;   // known with the base
  std::optional<Duration> previous;  // the chain's wait before it
  // The wait as a share of its ceiling, or of the band that jitter leaves it.
  std::optional<double> share;

  double seconds() const { return std::chrono::duration<double>(time).count(); }
};

// What occurs anywhere, so that a rule about something rare need not look for it in every attempt.
struct Occurring {
  std::bitset<600> statuses;       // that clients saw
  std::bitset<16> sources;         // of answers
  std::bitset<8> kinds;            // of outcomes
  bool asked = false;              // an answer asked the client to wait, in whatever words
  bool should_retry = false;       // an answer said outright whether to retry
  bool announced_retries = false;  // a client counts its retries
  bool closing = false;            // an answer closed its connection
  bool unrepeatable = false;       // repeating some attempt may do harm
  bool spoiled = false;            // some outcome was not what was planned

  bool status(int one) const { return statuses[static_cast<std::size_t>(one)]; }
  bool source(journal::Source one) const { return sources[static_cast<std::size_t>(one)]; }
  bool kind(Seen::Kind one) const { return kinds[static_cast<std::size_t>(one)]; }
  void add(const AttemptEvidence& attempt);
  void add(const Occurring& other);
};

struct RunEvidence {
  const journal::Run* record = nullptr;
  std::span<const OperationEvidence> operations;
  Duration worst_lag{0};
};

struct Evidence {
  Evidence(const scenario::Scenario& scenario_judged, std::span<const journal::Run> records,
           const InParallel& in_parallel = one_after_the_other);
  Evidence(const Evidence&) = delete;
  Evidence& operator=(const Evidence&) = delete;

  const scenario::Scenario& scenario;
  Settings settings;
  std::vector<RunEvidence> runs;
  std::vector<LagIndex> lags;  // by run
  std::vector<OperationEvidence> operations;
  Joined<Chain> chains;
  Joined<AttemptEvidence> attempts;
  Joined<Gap> gaps;
  // Own waits, without those that the host's lateness blurs, since a statistic cannot weigh them;
  // and how many those are, by the number of the retry.
  std::vector<Sample> samples;
  std::map<std::uint32_t, std::size_t> blurred;
  Grouping grouping = Grouping::one_process;
  Duration worst_lag{0};
  std::vector<const journal::Resource*> resources;  // by run and attempt
  Occurring occurring;
  bool dropped = false;  // attempts are missing: their order and number prove less

  // For rules about something that may not occur at all: none of them where it does not.
  const Joined<Gap>& gaps_if(bool occurs) const;
  const Joined<Chain>& chains_if(bool occurs) const;
  const OperationEvidence& operation_of(const AttemptEvidence& attempt) const {
    return operations[attempt.operation];
  }
  const RunEvidence& run_of(const AttemptEvidence& attempt) const {
    return runs[operation_of(attempt).run];
  }
  std::vector<const journal::Resource*> resources_of(const OperationEvidence& operation) const;
  // What the host's lateness explains of the time between two arrivals.
  Duration lag_between(const AttemptEvidence& first, const AttemptEvidence& last) const;
  WallTime wall_time(const AttemptEvidence& attempt, Instant at) const {
    return run_of(attempt).record->wall_origin + at.time_since_epoch();
  }
};

// Method, target and body are the same. False when a body was never read whole.
bool is_same_request(const AttemptEvidence& one, const AttemptEvidence& other);

// One that a retry may follow: 408, 425, 429 and 5xx.
bool is_retry_status(int status);

// A wait that the client chose by itself: after a failure that asked for nothing.
bool is_own_wait(const Gap& gap);

// The last outcome that the client knows of is one that a right client retries, and it did not
// have to give up.
bool may_be_followed(const Evidence& evidence, const AttemptEvidence& attempt);

// A wait that the server asked for and that is beyond what the client has to sit through.
bool asks_too_much(const Evidence& evidence, const AttemptEvidence& attempt);

}  // namespace retrylab::verify
