// SPDX-License-Identifier: MIT
#include "client_lib/retry/whether.h"

#include <algorithm>
#include <optional>

namespace retrylab {
namespace {

Judgement final_because(Reason reason) {
  return {.kind = Judgement::Kind::final, .reason = reason};
}

bool repeatable_method(const Policy& policy, const Facts& facts) {
  const auto fits = [&facts](std::string_view method) {
    return method == "*" || method == facts.method;
  };
  return facts.has_key || std::ranges::any_of(policy.methods, fits);
}

// Worth another attempt; this says whether one is allowed.
Judgement retry_if_safe(const Policy& policy, const Facts& facts, bool surely_not_executed) {
  if (!surely_not_executed && !repeatable_method(policy, facts)) {
    return final_because(Reason::not_idempotent);
  }
  if (!facts.repeatable_body) return final_because(Reason::body_not_repeatable);
  return {.kind = Judgement::Kind::retryable};
}

Judgement judge_failure(const Policy& policy, const Facts& facts, Failure failure) {
  switch (failure) {
    case Failure::cancelled:
      return final_because(Reason::cancelled);
    case Failure::invalid_request:
      return final_because(Reason::invalid_request);
    case Failure::tls:
    case Failure::too_large:
      return final_because(Reason::permanent_failure);
    case Failure::none:
    case Failure::name_resolution:
    case Failure::refused:
    case Failure::connect_timeout:
    case Failure::reset:
    case Failure::closed:
    case Failure::truncated:
    case Failure::malformed:
    case Failure::timeout:
    case Failure::transport:
      break;
  }
  return retry_if_safe(policy, facts, surely_not_executed(failure));
}

// What "x-should-retry" or "Stripe-Should-Retry" says.
std::optional<bool> should_retry(const Policy& policy, const Headers& headers) {
  if (policy.should_retry == ShouldRetryHint::ignore) return std::nullopt;
  for (const std::string_view name : {"x-should-retry", "Stripe-Should-Retry"}) {
    const auto value = find_header(headers, name);
    if (value == "false") return false;
    if (value == "true" && policy.should_retry == ShouldRetryHint::heed) return true;
  }
  return std::nullopt;
}

bool is_followed_redirect(const Policy& policy, const Response& response) {
  constexpr int kFollowed[] = {301, 302, 303, 307, 308};
  return policy.redirects > 0 &&
         std::ranges::find(kFollowed, response.status) != std::end(kFollowed) &&
         find_header(response.headers, "Location").has_value();
}

bool worth_repeating(const Policy& policy, const Facts& facts, const Response& response,
                     const ServerWait& wait) {
  if (policy.statuses.contains(response.status)) return true;
  if (response.status == 413) return wait.kind == ServerWait::Kind::wait;  // RFC 9110 §15.5.14
  return response.status == 409 && facts.has_key && says_key_in_progress(response, wait);
}

bool contains_ignoring_case(std::string_view text, std::string_view lower_case) {
  const auto equal = [](char left, char right) {
    return (left >= 'A' && left <= 'Z' ? static_cast<char>(left + ('a' - 'A')) : left) == right;
  };
  // Not std::ranges::search, whose subrange clang 14 cannot compile with libstdc++ 12.
  return std::search(text.begin(), text.end(), lower_case.begin(), lower_case.end(), equal) !=
         text.end();
}

}  // namespace

bool says_key_in_progress(const Response& response, const ServerWait& wait) {
  constexpr std::size_t kLookAt = 4096;
  constexpr std::string_view kWord = "idempoten";
  if (wait.kind == ServerWait::Kind::wait) return true;
  if (contains_ignoring_case(std::string_view(response.body).substr(0, kLookAt), kWord)) {
    return true;
  }
  const auto link = find_header(response.headers, "Link");
  return link && contains_ignoring_case(*link, kWord);
}

Judgement judge(const Policy& policy, const Facts& facts, const Outcome& outcome,
                const ServerWait& wait) {
  if (!outcome.answered()) return judge_failure(policy, facts, outcome.failure);
  const Response& response = outcome.response;
  if (is_followed_redirect(policy, response)) return {.kind = Judgement::Kind::redirect};
  if (response.status < 400) return {.kind = Judgement::Kind::success};
  const std::optional<bool> hint = should_retry(policy, response.headers);
  if (hint == false || wait.kind == ServerWait::Kind::no_retry) {
    return final_because(Reason::server_said_no);
  }
  if (hint != true && !worth_repeating(policy, facts, response, wait)) {
    return final_because(Reason::permanent_status);
  }
  Judgement judgement =
      retry_if_safe(policy, facts, policy.not_executed_statuses.contains(response.status));
  judgement.throttled = response.status == 429;
  return judgement;
}

}  // namespace retrylab
