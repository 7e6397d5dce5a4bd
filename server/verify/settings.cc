// SPDX-License-Identifier: MIT
#include "server/verify/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace retrylab::verify {
namespace {

// RULES.md CLS-2. 413 is another matter when it carries Retry-After (CLS-7).
constexpr std::array kNeverRetried{400, 401, 403, 404, 405, 406, 410, 411, 412, 413,
                                   414, 415, 416, 422, 426, 428, 431, 451, 501, 505};
constexpr Duration kUnknownWait = std::chrono::minutes(1);
// Beyond any spread that clients add to their ceilings.
constexpr std::int64_t kWidestBand = 1500;

bool contains(const auto& values, int value) {
  return std::ranges::find(values, value) != std::ranges::end(values);
}

std::optional<Band> band_of(scenario::Jitter jitter) {
  switch (jitter) {
    case scenario::Jitter::none:
      return Band{1000, 1000};
    case scenario::Jitter::full:
      return Band{0, 1000};
    case scenario::Jitter::equal:
      return Band{500, 1000};
    case scenario::Jitter::decorrelated:
    case scenario::Jitter::any:
      break;
  }
  return std::nullopt;
}

void declare_backoff(const scenario::ExpectBackoff& expect, Settings& settings) {
  settings.backoff_declared = true;
  settings.base = expect.base;
  settings.cap = expect.cap;
  settings.factor_thousandths = expect.factor_thousandths;
  settings.shift = expect.first_ceiling_doubled ? 1 : 0;
  settings.band = band_of(expect.jitter);
  settings.decorrelated = expect.jitter == scenario::Jitter::decorrelated;
}

bool is_status(int status) {
  return status >= 100 && status < 600;
}

bool is_forbidden(const Settings& settings, int status) {
  if (contains(settings.never_retry.except, status)) return false;
  if (contains(settings.never_retry.statuses, status)) return true;
  return contains(kNeverRetried, status) && !contains(settings.profile->may_be_retried, status) &&
         !contains(settings.profile->retried, status);
}

void classify_statuses(Settings& settings) {
  for (int status = 100; status < 600; ++status) {
    const auto index = static_cast<std::size_t>(status);
    settings.never_retried[index] = is_forbidden(settings, status);
    settings.retried[index] =
        contains(settings.profile->retried, status) && !settings.never_retried[index];
  }
}

Duration scaled(Duration time, std::int64_t thousandths) {
  if (time > kForever / 10'000) return kForever;
  return time * thousandths / 1000;
}

}  // namespace

Settings settle(const scenario::Scenario& scenario) {
  const scenario::Expect& expect = scenario.expect;
  Settings settings;
  settings.profile = find_profile(expect.profile);
  if (settings.profile == nullptr) settings.profile = find_profile("");
  const ProfileBackoff& backoff = settings.profile->backoff;
  settings.base = backoff.base;
  settings.cap = backoff.cap;
  settings.factor_thousandths = backoff.factor_thousandths;
  settings.band = backoff.band;
  if (expect.backoff) declare_backoff(*expect.backoff, settings);
  settings.attempts_max = settings.profile->attempts;
  if (expect.attempts) {
    settings.attempts_min = expect.attempts->min;
    settings.attempts_max = expect.attempts->max;
  }
  if (expect.total_time) settings.deadline = expect.total_time->max;
  settings.retry_after = expect.retry_after;
  settings.never_retry = expect.never_retry;
  settings.patience = settings.profile->retry_after_max;
  if (expect.backoff && expect.backoff->cap) settings.patience = *expect.backoff->cap;
  if (expect.retry_after.kind == scenario::ExpectRetryAfter::Kind::clamp) {
    settings.patience = expect.retry_after.clamp;
  }
  classify_statuses(settings);
  return settings;
}

std::optional<Duration> ceiling(const Settings& settings, std::uint32_t retry) {
  if (!settings.base) return std::nullopt;
  const Duration cap = settings.cap.value_or(kForever);
  Duration top = *settings.base;
  for (std::uint32_t i = 1; i < retry + settings.shift && top < cap; ++i) {
    const Duration next = scaled(top, settings.factor_thousandths);
    if (next == top) break;
    top = next;
  }
  return std::min(top, cap);
}

std::optional<WaitBand> wait_band(const Settings& settings, std::uint32_t retry,
                                  std::optional<Duration> previous) {
  if (settings.decorrelated && settings.base) {
    const Duration top = saturating_multiply(previous.value_or(*settings.base), 3);
    return WaitBand{std::min(*settings.base, settings.cap.value_or(kForever)),
                    std::min(std::max(top, *settings.base), settings.cap.value_or(kForever))};
  }
  const auto top = ceiling(settings, retry);
  if (!top || !settings.band) return std::nullopt;
  return WaitBand{scaled(*top, settings.band->low), scaled(*top, settings.band->high)};
}

Duration longest_wait(const Settings& settings, std::uint32_t retry) {
  if (settings.decorrelated) return settings.cap.value_or(kUnknownWait);
  const auto top = ceiling(settings, retry);
  if (!top) return std::max(kUnknownWait, settings.cap.value_or(Duration(0)));
  return scaled(*top, settings.band ? settings.band->high : kWidestBand);
}

bool is_retried(const Settings& settings, int status) {
  return is_status(status) && settings.retried[static_cast<std::size_t>(status)];
}

bool is_never_retried(const Settings& settings, int status) {
  return is_status(status) && settings.never_retried[static_cast<std::size_t>(status)];
}

std::string describe_band(const Settings& settings) {
  if (settings.decorrelated) return "decorrelated jitter";
  if (!settings.band) return "any jitter";
  if (*settings.band == Band{1000, 1000}) return "no jitter";
  if (*settings.band == Band{0, 1000}) return "full jitter";
  if (*settings.band == Band{500, 1000}) return "equal jitter";
  return fmt::format("{}% to {}% of the ceiling", settings.band->low / 10,
                     settings.band->high / 10);
}

}  // namespace retrylab::verify
