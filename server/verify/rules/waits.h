// SPDX-License-Identifier: MIT
// What several rules ask of a gap: whose wait it is, and what the server asked for.
#pragma once

#include <optional>
#include <string>

#include "client_lib/base/http_date.h"
#include "server/verify/evidence.h"
#include "server/verify/timing.h"

namespace retrylab::verify {

// From here on a Retry-After is huge: no client sits through it (RA-8).
inline constexpr Duration kHugeWait = std::chrono::hours(1);

// A wait until the given time after a status that a retry may follow; nothing to judge otherwise:
// huge waits are RA-8's, and zero is RA-9's.
bool asks_to_wait(const AttemptEvidence& attempt);

// The form of a date that was sent; meaningful when `asked` is a date.
DateFormat date_form(const AttemptEvidence& attempt);

// The client runs on this host, so that its wall clock is ours.
bool is_local(const AttemptEvidence& attempt);

// What the client has to wait after that answer, its own policy considered: a clamp, or a profile
// that replaces long waits by its own. Nothing: this profile does not bind it.
std::optional<Duration> binding_wait(const Evidence& evidence, const AttemptEvidence& attempt);

// The gap as the late side of the tolerances sees it.
Lateness lateness(const Gap& gap, Duration allowed);

// A sentence about the likely mistake behind a wait that was too short.
std::string likely_mistake(const Evidence& evidence, const Gap& gap, Duration asked);

// A client retries a kind of failure or it does not: by its status, or 0 where there was no answer.
inline int failure_kind(const AttemptEvidence& attempt) {
  return attempt.seen.answered() ? attempt.seen.status : 0;
}

// How an operation ended after an attempt that nothing followed.
enum class Afterwards {
  unknown,   // no client process is known, or it had not ended
  too_soon,  // the run ended before a retry was due
  hung,      // stopped by --timeout
  gave_up,   // the client ended
};
Afterwards afterwards(const Evidence& evidence, const AttemptEvidence& last);

// How long the client lived on after that outcome, in words: "the client ended 12ms later".
std::string ending_text(const Evidence& evidence, const AttemptEvidence& last);

// It would have had another attempt: declared, or else the one retry that anyone has.
bool has_attempts_left(const Evidence& evidence, const Chain& chain);

}  // namespace retrylab::verify
