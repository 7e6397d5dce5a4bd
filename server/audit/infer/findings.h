// SPDX-License-Identifier: MIT
// What the attempts on the wire say of a client's retry policy. Nothing here is declared by the
// client; what was not seen is unknown, never guessed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "client_lib/base/time.h"
#include "client_lib/retry/policy.h"

namespace retrylab::audit {

enum class Answer { yes, no, unknown };

// Whether a failure is retried.
struct Reaction {
  std::string what;    // "503", "reset", "close", "cut", "refused", "timeout"
  std::string method;  // of the request, as it was seen
  bool has_key = false;
  Answer retried = Answer::unknown;
};

struct AttemptsFound {
  std::optional<std::uint32_t> most;  // of one operation while everything fails
  bool varies = false;                // operations ended after different numbers: a deadline
  bool without_end = false;           // stopped by the audit's time limit, still trying
  std::size_t operations = 0;
};

struct BackoffFound {
  bool seen = false;
  bool first_at_once = false;  // the first retry comes without a wait, later ones do not
  Duration base{0};            // the ceiling before the first wait
  std::int64_t factor_thousandths = 1000;
  std::uint32_t power = 0;      // 1: the waits grow as 1, 2, 3; 2: as 1, 4, 9; 0: by the factor
  bool has_factor = false;      // waits before two different retries were seen
  std::optional<Duration> cap;  // nothing: not reached
  Duration longest{0};          // ceiling of the last wait that was seen
  Jitter jitter = Jitter::none;
  double spread = 0;  // half of the band's width over its middle
  Duration added{0};  // up to so much is added to each wait, whatever its length; jitter is none
  double confidence = 0;  // that it is this kind, against the next best
  bool is_decided = false;
  std::size_t waits = 0;
};

struct WaitsFound {
  Answer seconds = Answer::unknown;        // Retry-After: 2 is waited for
  Answer date = Answer::unknown;           // IMF-fixdate
  Answer old_dates = Answer::unknown;      // RFC 850 and asctime
  Answer survives_junk = Answer::unknown;  // a value that means nothing does not end the operation
  std::optional<Duration> longest_kept;    // the longest wait that it sat through
  std::optional<Duration> refused;         // the shortest that it gave up at once
  std::optional<Duration> clamp;           // it came back after this though asked for more
  std::optional<Duration> replaced;        // the shortest that it took for none, and backed off
  Answer sleeps_on = Answer::unknown;      // asked for a day, it was still there at the time limit
  std::optional<Duration> early;           // most that it came too early
  std::optional<Duration> late;            // most that it came after the time asked for
};

struct TimesFound {
  std::optional<Duration> attempt_timeout;
  std::optional<Duration> deadline;
  Duration watched{0};  // so long the audit looked: nothing above means "not within this time"
};

struct KeysFound {
  enum class Kind { unknown, none, stable, changes };
  Kind kind = Kind::unknown;
  std::string header;  // "Idempotency-Key"
};

struct ResendsFound {
  Answer safe = Answer::unknown;  // a safe request, when its kept-alive connection was cut
  Answer post = Answer::unknown;
};

struct Findings {
  AttemptsFound attempts;
  BackoffFound backoff;
  std::vector<Reaction> reactions;
  WaitsFound waits;
  TimesFound times;
  KeysFound keys;
  ResendsFound resends;

  // How that failure is met with that method; unknown when it was not tried.
  Answer reaction(std::string_view what, std::string_view method) const;
  // Nothing was ever followed by another attempt, though it was tried.
  bool never_retries() const;
};

std::string_view word(Answer answer);
std::string_view word(KeysFound::Kind kind);

}  // namespace retrylab::audit
