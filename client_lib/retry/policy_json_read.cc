// SPDX-License-Identifier: MIT
#include <set>

#include "client_lib/retry/policy_json.h"
#include "client_lib/retry/policy_json_fields.h"
#include "client_lib/retry/policy_json_words.h"
#include "client_lib/retry/presets.h"

namespace retrylab {
namespace {

void read_wait_headers(JsonFields& fields, WaitHeaders& headers) {
  std::vector<std::string> names;
  const Json* given = fields.member("retry_after_headers");
  if (given == nullptr) return;
  fields.strings("retry_after_headers", names);
  headers = {.retry_after = false};
  for (const std::string& name : names) {
    bool known = false;
    for (const auto& [spelling, member] : kWaitHeaders) {
      if (spelling != name) continue;
      headers.*member = true;
      known = true;
    }
    if (!known) fields.mistake("retry_after_headers", "\"" + name + "\" is not a known header");
  }
}

BudgetPolicy read_tokens(JsonFields& fields) {
  TokenBucketPolicy bucket;
  fields.thousandths("capacity", bucket.capacity);
  fields.thousandths("retry_cost", bucket.retry_cost);
  fields.thousandths("timeout_cost", bucket.timeout_cost);
  fields.thousandths("throttle_cost", bucket.throttle_cost);
  fields.thousandths("failure_cost", bucket.failure_cost);
  fields.thousandths("first_try_gain", bucket.first_try_gain);
  fields.thousandths("success_gain", bucket.success_gain);
  fields.flag("refund_on_success", bucket.refund_on_success);
  fields.thousandths("floor", bucket.floor);
  return bucket;
}

BudgetPolicy read_window(JsonFields& fields) {
  RetryWindowPolicy window;
  fields.ratio("ratio", window.ratio);
  fields.word<RetryWindowPolicy::Of>("of", window.of, kOf);
  fields.count("per_second", window.per_second);
  fields.duration("window", window.window);
  return window;
}

BudgetPolicy read_concurrency(JsonFields& fields) {
  RetryConcurrencyPolicy concurrency;
  fields.ratio("ratio", concurrency.ratio);
  fields.count("minimum", concurrency.minimum);
  return concurrency;
}

void read_budget(JsonFields& outer, std::optional<BudgetPolicy>& budget) {
  const Json* given = outer.member("budget");
  if (given == nullptr) return;
  budget.reset();
  if (given->is_null()) return;
  JsonFields fields(*given, "budget.");
  using Read = BudgetPolicy (*)(JsonFields&);
  constexpr std::array<std::pair<std::string_view, Read>, 3> kKinds{
      {{"tokens", read_tokens}, {"window", read_window}, {"concurrency", read_concurrency}}};
  Read read = nullptr;
  fields.word<Read>("kind", read, kKinds);
  if (read == nullptr) {
    fields.mistake("kind", "a budget is one of: tokens, window, concurrency");
  } else {
    budget = read(fields);
  }
  if (auto error = fields.finish()) outer.mistake(*error);
}

void read_breaker(JsonFields& outer, std::optional<BreakerPolicy>& breaker) {
  const Json* given = outer.member("breaker");
  if (given == nullptr) return;
  breaker.reset();
  if (given->is_null()) return;
  JsonFields fields(*given, "breaker.");
  BreakerPolicy read;
  const Json* window = fields.member("window");
  if (window != nullptr && window->is_string()) {
    fields.duration("window", read.time);
  } else {
    fields.count("window", read.calls);
  }
  fields.ratio("threshold", read.threshold);
  fields.count("min_calls", read.min_calls);
  fields.duration("cool_down", read.cool_down);
  fields.count("probes", read.probes);
  fields.duration("probe_timeout", read.probe_timeout);
  fields.flag("count_throttling", read.count_throttling);
  if (auto error = fields.finish()) outer.mistake(*error);
  breaker = read;
}

void read_waits(JsonFields& fields, Policy& policy) {
  fields.duration("base", policy.backoff.base);
  fields.thousandths("factor", policy.backoff.factor_thousandths);
  fields.duration("cap", policy.backoff.cap);
  fields.word<bool>("first_ceiling", policy.backoff.first_ceiling_doubled, kFirstCeilings);
  fields.word<bool>("first_retry", policy.backoff.first_at_once, kFirstRetries);
  fields.word<Jitter>("jitter", policy.backoff.jitter, kJitters);
  fields.ratio("jitter_spread", policy.backoff.spread);
  fields.optional_duration("throttle_base", policy.backoff.throttle_base);
  fields.duration_or_none("deadline", policy.deadline);
  fields.duration_or_none("attempt_timeout", policy.attempt_timeout);
  fields.word<RetryAfterRule>("retry_after", policy.server_wait.rule, kRules);
  fields.optional_duration("retry_after_limit", policy.server_wait.limit);
  fields.duration("retry_after_spread", policy.server_wait.spread);
  fields.optional_duration("clamp_over_backoff", policy.server_wait.clamp_over_backoff);
  read_wait_headers(fields, policy.server_wait.headers);
}

Policy read_base(JsonFields& fields) {
  const Json* name = fields.member("preset");
  if (name == nullptr) return careful();
  const std::optional<Policy> found =
      name->is_string() ? find_preset(name->get<std::string>()) : std::nullopt;
  if (found) return *found;
  std::string known;
  for (const std::string_view preset : preset_names()) {
    known += (known.empty() ? "" : ", ") + std::string(preset);
  }
  fields.mistake("preset", "there is no such preset; known are: " + known);
  return careful();
}

// nlohmann keeps the last of two equal members silently.
bool has_duplicates(std::string_view text) {
  std::vector<std::set<std::string>> open;
  bool duplicate = false;
  const auto watch = [&](int, Json::parse_event_t event, Json& parsed) {
    if (event == Json::parse_event_t::object_start) open.emplace_back();
    if (event == Json::parse_event_t::object_end) open.pop_back();
    if (event == Json::parse_event_t::key) {
      duplicate = !open.back().insert(parsed.get<std::string>()).second || duplicate;
    }
    return true;
  };
  const Json ignored = Json::parse(text, watch, false);
  return duplicate;
}

}  // namespace

Result<Policy> policy_from_json(std::string_view text) {
  const Json parsed = Json::parse(text, nullptr, false);
  if (parsed.is_discarded()) {
    return fail(ErrorCode::invalid_argument, "", "the policy is not valid JSON");
  }
  if (has_duplicates(text)) {
    return fail(ErrorCode::invalid_argument, "", "a member occurs twice");
  }
  JsonFields fields(parsed, "");
  Policy policy = read_base(fields);
  fields.count("attempts", policy.attempts);
  read_waits(fields, policy);
  fields.statuses("statuses", policy.statuses);
  fields.strings("methods", policy.methods);
  fields.statuses("not_executed_statuses", policy.not_executed_statuses);
  fields.word<ShouldRetryHint>("should_retry", policy.should_retry, kHints);
  fields.count("redirects", policy.redirects);
  read_budget(fields, policy.budget);
  read_breaker(fields, policy.breaker);
  if (auto error = fields.finish()) return tl::unexpected(*error);
  return checked(std::move(policy));
}

}  // namespace retrylab
