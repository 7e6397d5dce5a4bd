// SPDX-License-Identifier: MIT
#include "client_lib/retry/next_move.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "client_lib/retry/may_we.h"
#include "client_lib/retry/wait.h"

namespace retrylab {
namespace {

Move finish(Progress& progress, const Context& context, Reason reason) {
  if (context.guards.budget != nullptr) {
    context.guards.budget->end(reason == Reason::succeeded, progress.budget);
  }
  progress.begun = false;
  return Finish{reason};
}

Move start_attempt(const Policy& policy, Progress& progress, const Context& context) {
  const Instant now = context.now.at;
  if (!progress.begun) {
    progress.begun = true;
    progress.started = now;
    if (context.guards.budget != nullptr) context.guards.budget->begin(now);
  }
  if (!before_deadline(policy, progress.started, now)) {
    return finish(progress, context, Reason::deadline);
  }
  if (context.guards.breaker != nullptr) {
    const std::optional<BreakerPermit> permit = context.guards.breaker->admit(now);
    if (!permit) return finish(progress, context, Reason::breaker_open);
    progress.permit = *permit;
  }
  ++progress.attempts;
  return AttemptNow{time_for_attempt(policy, progress.started, now)};
}

// What an outcome says about the host: it failed, it works, or nothing.
std::optional<bool> host_failed(const Outcome& outcome, const BreakerPolicy& policy) {
  const bool says_nothing = outcome.failure == Failure::cancelled ||
                            outcome.failure == Failure::invalid_request ||
                            outcome.failure == Failure::too_large;
  if (says_nothing) return std::nullopt;
  if (!outcome.answered()) return true;
  const int status = outcome.response.status;
  return status >= 500 || (status == 429 && policy.count_throttling);
}

void settle_permit(Progress& progress, const Outcome& outcome, const Context& context) {
  Breaker* breaker = context.guards.breaker;
  if (breaker != nullptr && progress.permit.generation != 0) {
    breaker->settle(progress.permit, host_failed(outcome, breaker->policy()), context.now.at);
  }
  progress.permit = {};
}

// RFC 9110 §15.5.9 lets an outstanding request be repeated. A server that times it out again
// will go on doing so.
bool is_second_408(Progress& progress, const Outcome& outcome) {
  const bool times_out = outcome.answered() && outcome.response.status == 408;
  return times_out && std::exchange(progress.had_408, true);
}

RetryCause cause_of(const Outcome& outcome, const Judgement& judgement) {
  const bool timed_out =
      outcome.failure == Failure::timeout || outcome.failure == Failure::connect_timeout;
  if (timed_out) return RetryCause::timeout;
  return judgement.throttled ? RetryCause::throttled : RetryCause::failure;
}

// Everything that can refuse, the budget last: what is refused elsewhere must not be charged.
std::optional<Reason> refusal(const Policy& policy, const Progress& progress, const Wait& wait,
                              const Context& context) {
  if (wait.too_long) return Reason::retry_after_exceeds_limit;
  const Instant at = saturating_add(context.now.at, wait.time);
  if (!before_deadline(policy, progress.started, at)) {
    return wait.cause == WaitCause::backoff ? Reason::deadline : Reason::retry_after_exceeds_limit;
  }
  if (context.guards.breaker != nullptr && context.guards.breaker->surely_refuses(at)) {
    return Reason::breaker_open;
  }
  return std::nullopt;
}

WaitUntil wait_until(const Wait& wait, const Context& context) {
  return {.at = saturating_add(context.now.at, wait.time), .wait = wait.time, .cause = wait.cause};
}

Move retry(const Policy& policy, Progress& progress, const Wait& wait, const Context& context,
           RetryCause cause) {
  if (const auto refused = refusal(policy, progress, wait, context)) {
    return finish(progress, context, *refused);
  }
  Budget* budget = context.guards.budget;
  if (budget != nullptr && !budget->take_retry(cause, context.now.at, progress.budget)) {
    return finish(progress, context, Reason::budget_empty);
  }
  return wait_until(wait, context);
}

Move follow(const Policy& policy, Progress& progress, const ServerWait& server,
            const Context& context) {
  if (progress.redirects == policy.redirects) {
    return finish(progress, context, Reason::redirect_refused);
  }
  const Wait wait = redirect_wait(policy, server);
  if (const auto refused = refusal(policy, progress, wait, context)) {
    return finish(progress, context, *refused);
  }
  ++progress.redirects;
  return FollowRedirect{wait_until(wait, context)};
}

Move after_attempt(const Policy& policy, Progress& progress, const Outcome& outcome,
                   const Context& context) {
  settle_permit(progress, outcome, context);
  const ServerWait server =
      find_server_wait(outcome.response.headers, policy.server_wait.headers, context.now.wall);
  const Judgement judgement = judge(policy, progress.facts, outcome, server);
  switch (judgement.kind) {
    case Judgement::Kind::success:
      return finish(progress, context, Reason::succeeded);
    case Judgement::Kind::final:
      return finish(progress, context, judgement.reason);
    case Judgement::Kind::redirect:
      return follow(policy, progress, server, context);
    case Judgement::Kind::retryable:
      break;
  }
  if (is_second_408(progress, outcome)) {
    return finish(progress, context, Reason::permanent_status);
  }
  if (context.guards.budget != nullptr) context.guards.budget->attempt_failed();
  if (!attempts_left(policy, progress.attempts, progress.redirects)) {
    return finish(progress, context, Reason::attempts_exhausted);
  }
  const Instant latest = deadline_of(policy, progress.started);
  const Wait wait = retry_wait(
      policy, {.server = server, .throttled = judgement.throttled, .left = latest - context.now.at},
      progress.backoff, context.random);
  return retry(policy, progress, wait, context, cause_of(outcome, judgement));
}

}  // namespace

Move next_move(const Policy& policy, Progress& progress, const Outcome* outcome,
               const Context& context) {
  if (outcome == nullptr) return start_attempt(policy, progress, context);
  return after_attempt(policy, progress, *outcome, context);
}

std::string_view word(WaitCause cause) {
  switch (cause) {
    case WaitCause::backoff:
      return "backoff";
    case WaitCause::retry_after:
      return "retry_after";
    case WaitCause::redirect:
      return "redirect";
  }
  return "backoff";
}

}  // namespace retrylab
