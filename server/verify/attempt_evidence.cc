// SPDX-License-Identifier: MIT
#include "server/verify/attempt_evidence.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "server/verify/timing.h"

namespace retrylab::verify {
namespace {

using journal::Attempt;
using journal::Run;

std::optional<bool> should_retry_of(const Attempt& attempt, const Seen& seen) {
  if (seen.status == 0) return std::nullopt;
  if (attempt.planned.should_retry_false) return false;
  for (const Header& hint : attempt.planned.hints) {
    const bool is_it =
        same_name(hint.name, "x-should-retry") || same_name(hint.name, "stripe-should-retry");
    if (is_it && (hint.value == "true" || hint.value == "false")) return hint.value == "true";
  }
  return std::nullopt;
}

Asked asked_of(const Run& run, const Attempt& attempt, const Seen& seen) {
  if (seen.status == 0 || !seen.from || attempt.planned.retry_after.empty()) return {};
  const RetryAfter asked = find_retry_after(attempt.planned.retry_after,
                                            run.wall_origin + seen.from->time_since_epoch());
  return {.kind = asked.kind, .past = asked.past, .wait = asked.wait};
}

std::optional<std::uint32_t> announced_retries_of(const Attempt& attempt,
                                                  const AttemptEvidence* before) {
  // Retries that are not counted have one head, and its text is kept once.
  if (before != nullptr && &before->record->head.str() == &attempt.head.str()) {
    return before->announced_retries;
  }
  const auto retries = journal::announced_by(attempt).retries;
  if (!retries) return std::nullopt;
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(*retries, UINT32_MAX));
}

// Without the kernel's time it may have come as much earlier as this process was late to read it.
Instant earliest_arrival(const LagIndex& lags, const Attempt& attempt) {
  if (attempt.first_byte_from_kernel) return attempt.first_byte;
  return attempt.first_byte - lags.between(attempt.first_byte, attempt.first_byte);
}

// How long this process stood still with the request to read. The kernel's time is that of the last
// segment: of the client's leaving, if it has left meanwhile.
Duration unread_for(const LagIndex& lags, const Attempt& attempt) {
  const Duration lag = lags.between(attempt.first_byte, attempt.head_read);
  return lag >= kOverdue ? lag : Duration(0);
}

// An answer that this host delivered late, or never since the client left meanwhile.
Duration kept_waiting(const LagIndex& lags, const Attempt& attempt, const Seen& seen) {
  const Duration unread = unread_for(lags, attempt);
  if (unread > Duration(0)) return unread;
  if (!seen.until || attempt.planned.status == 0) return Duration(0);
  const Instant arrived = earliest_arrival(lags, attempt);
  const Duration late = *seen.until - saturating_add(arrived, attempt.planned.delay);
  const Duration lag = lags.between(arrived, *seen.until);
  const bool is_left = seen.kind == Seen::Kind::left;
  const bool is_given_up =
      is_left && attempt.planned.complete && late >= Duration(0) && lag >= kGivenUpLag;
  const bool is_late = !is_left && late >= kOverdue && lag >= late / 2;
  return is_given_up || is_late ? lag : Duration(0);
}

const journal::Connection* find_connection(const Run& run, journal::ConnectionId id) {
  const auto found = std::ranges::lower_bound(run.connections, id, {}, &journal::Connection::id);
  return found == run.connections.end() || found->id != id ? nullptr : &*found;
}

// The client closed the connection as soon as this attempt was answered, and sent nothing else.
bool was_the_last_of_its_connection(const Run& run, const Attempt& attempt, Instant answered) {
  const journal::Connection* found = find_connection(run, attempt.connection);
  if (found == nullptr) return true;  // dropped: nobody knows
  const bool is_closed_by_peer = found->closed_by == journal::Connection::ClosedBy::peer ||
                                 found->closed_by == journal::Connection::ClosedBy::peer_reset;
  return is_closed_by_peer && found->requests == attempt.number_on_connection && found->closed &&
         *found->closed <= answered + kNeighbourLagMax;
}

// How late this host was with an answer that went into a connection which the client may have
// closed long before: whether it saw it, nobody knows.
Duration unseen_for(const Run& run, const LagIndex& lags, const Attempt& attempt,
                    const Seen& seen) {
  const bool was_sent = seen.from && seen.until && seen.kind != Seen::Kind::left;
  if (!was_sent) return Duration(0);
  const Instant arrived = earliest_arrival(lags, attempt);
  const Duration overdue = *seen.from - saturating_add(arrived, attempt.planned.delay);
  const Duration lag = lags.between(arrived, *seen.from);
  const bool is_late = overdue >= kNeighbourLagMax && lag >= overdue / 2;
  if (!is_late && unread_for(lags, attempt) == Duration(0)) return Duration(0);
  return was_the_last_of_its_connection(run, attempt, *seen.until) ? lag : Duration(0);
}

}  // namespace

AttemptEvidence interpret(const Run& run, const LagIndex& lags, const Attempt& attempt,
                          const AttemptEvidence* before) {
  AttemptEvidence made;
  made.record = &attempt;
  made.seen = seen_of(attempt);
  const Duration unseen = unseen_for(run, lags, attempt, made.seen);
  if (unseen > Duration(0)) made.seen = Seen{.spoiled = true};
  made.asked = asked_of(run, attempt, made.seen);
  made.print = journal::fingerprint_of(attempt);
  made.first_byte = attempt.first_byte;
  made.connection = attempt.connection;
  made.number_on_connection = attempt.number_on_connection;
  made.source = attempt.planned.source;
  made.announced_retries = announced_retries_of(attempt, before);
  made.should_retry = should_retry_of(attempt, made.seen);
  made.has_hints = !attempt.planned.hints.empty();
  made.body_was_read = attempt.body_read.has_value();
  made.closes_connection = attempt.planned.connection_close;
  made.has_key = attempt.route_has_store && !attempt.key.empty();
  made.took_effect = attempt.executed && !attempt.replayed;
  made.kept_waiting = std::max(unseen, kept_waiting(lags, attempt, made.seen));
  made.is_repeatable = made.has_key || is_idempotent_method(attempt.method);
  return made;
}

Duration connecting_time(const Run& run, const AttemptEvidence& attempt) {
  if (attempt.number_on_connection != 1) return Duration(0);
  const journal::Connection* found = find_connection(run, attempt.connection);
  if (found == nullptr) return Duration(0);
  return std::clamp(attempt.first_byte - found->accepted, Duration(0), kConnectingMax);
}

}  // namespace retrylab::verify
