// SPDX-License-Identifier: MIT
#include "server/verify/rules/waits.h"

#include <fmt/format.h>

#include <algorithm>

#include "server/verify/rules/words.h"

namespace retrylab::verify {
namespace {

bool is_about(Duration wait, Duration other) {
  return wait > other * 95 / 100 - kEarlyAdvice && wait < other * 105 / 100 + kEarlyAdvice;
}

// Below that a wait of so many milliseconds looks like none at all.
constexpr Duration kSmallestMisreading = std::chrono::milliseconds(5);

// The wait fits so many milliseconds, a little late as timers are, and hardly anything else.
bool is_read_as_milliseconds(Duration wait, Duration asked) {
  const Duration misread = asked / 1000;
  return misread >= kSmallestMisreading && wait >= misread &&
         wait <= misread + misread / 10 + std::chrono::milliseconds(3);
}

}  // namespace

bool asks_to_wait(const AttemptEvidence& attempt) {
  return attempt.asked.valid() && is_retry_status(attempt.seen.status) && !attempt.asked.past &&
         attempt.asked.wait > Duration(0) && attempt.asked.wait < kHugeWait;
}

DateFormat date_form(const AttemptEvidence& attempt) {
  const auto& values = attempt.record->planned.retry_after;
  const std::string value = values.empty() ? "" : values.front();
  const auto comma = value.find(',');
  if (comma == std::string::npos) return DateFormat::asctime;
  return value.find('-', comma) == std::string::npos ? DateFormat::imf : DateFormat::rfc850;
}

bool is_local(const AttemptEvidence& attempt) {
  const std::string& client = attempt.record->client;
  return client.empty() || client.starts_with("127.") || client == "::1";
}

std::optional<Duration> binding_wait(const Evidence& evidence, const AttemptEvidence& attempt) {
  using Kind = scenario::ExpectRetryAfter::Kind;
  const Settings& settings = evidence.settings;
  switch (settings.retry_after.kind) {
    case Kind::any:
      return std::nullopt;
    case Kind::clamp:
      return std::min(attempt.asked.wait, settings.retry_after.clamp);
    case Kind::honoured:
      break;
  }
  const Profile& profile = *settings.profile;
  if (attempt.asked.wait <= profile.retry_after_max) return attempt.asked.wait;
  switch (profile.long_wait) {
    case LongWait::honour_or_fail:
      return attempt.asked.wait;
    case LongWait::clamp:
      return profile.retry_after_max;
    case LongWait::replace:
      break;
  }
  return std::nullopt;
}

Lateness lateness(const Gap& gap, Duration allowed) {
  return {.wait = gap.wait_at_least.value_or(Duration(0)),
          .allowed = allowed,
          .connecting = gap.connecting,
          .lag = gap.has_blind_spot ? kForever : gap.lag};
}

std::string likely_mistake(const Evidence& evidence, const Gap& gap, Duration asked) {
  const Duration wait = gap.wait_at_most.value_or(Duration(0));
  const Duration served =
      gap.before->seen.from.value_or(gap.before->first_byte) - gap.before->first_byte;
  if (is_read_as_milliseconds(wait, asked)) {
    return "It looks as if seconds were read as milliseconds.";
  }
  if (served > kEarlyAdvice && is_about(wait + served, asked)) {
    return "Count Retry-After from when the answer arrives, not from when the request was sent.";
  }
  const auto cap = evidence.settings.cap;
  if (cap && *cap < asked && is_about(wait, *cap)) {
    return "min(cap, Retry-After) comes back earlier than asked: give up when the wait is too "
           "long, do not shorten it.";
  }
  if (asked > std::chrono::seconds(1) && is_about(wait, asked - std::chrono::seconds(1))) {
    return "Round the wait up, not down, to whole seconds.";
  }
  return "Wait at least as long as Retry-After asks, counted from the answer, before trying "
         "again; give up if that is too long.";
}

Afterwards afterwards(const Evidence& evidence, const AttemptEvidence& last) {
  const journal::ClientEnd* client = evidence.operation_of(last).client;
  if (client == nullptr || !last.seen.until) return Afterwards::unknown;
  switch (client->outcome) {
    case journal::ClientEnd::Outcome::hung:
      break;
    case journal::ClientEnd::Outcome::interrupted:
      return Afterwards::unknown;
    case journal::ClientEnd::Outcome::none:
    case journal::ClientEnd::Outcome::success:
    case journal::ClientEnd::Outcome::failure:
    case journal::ClientEnd::Outcome::signalled:
      return Afterwards::gave_up;
  }
  const Duration lived = client->ended ? *client->ended - *last.seen.until : kForever;
  const Duration due = longest_wait(evidence.settings, last.number);
  // Stopped before an ordinary wait was over: that shows nothing, unless it was ample time.
  return lived > std::min(due, Duration(std::chrono::seconds(10))) ? Afterwards::hung
                                                                   : Afterwards::too_soon;
}

std::string ending_text(const Evidence& evidence, const AttemptEvidence& last) {
  const journal::ClientEnd* client = evidence.operation_of(last).client;
  if (client == nullptr) return "no more attempt came";
  const bool hung = client->outcome == journal::ClientEnd::Outcome::hung;
  if (client->outcome == journal::ClientEnd::Outcome::interrupted) return "the run was interrupted";
  if (!client->ended || !last.seen.until) return hung ? "the client hung" : "the client ended";
  const std::string later = time_text(std::max(Duration(0), *client->ended - *last.seen.until));
  return hung ? fmt::format("the client was still waiting when it was stopped {} later", later)
              : fmt::format("the client ended {} later", later);
}

bool has_attempts_left(const Evidence& evidence, const Chain& chain) {
  return chain.tries() < evidence.settings.attempts_max.value_or(2);
}

}  // namespace retrylab::verify
