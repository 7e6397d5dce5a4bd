// SPDX-License-Identifier: MIT
// One vocabulary: the word of the scenario file is the enumerator, the journal word and the
// report word. Each closed set has one table here, read by decoder and reports alike.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "server/scenario/scenario.h"

namespace retrylab::scenario {

template <typename Value>
struct Word {
  std::string_view word;
  Value value;
};

std::span<const Word<Moment>> moment_words();
std::span<const Word<ReadBefore>> read_words();
std::span<const Word<Ranges>> ranges_words();
std::span<const Word<wire::ShowCertificate::Which>> certificate_words();
std::span<const Word<RateLimit::Kind>> rate_limit_words();
std::span<const Word<RateLimit::Tell>> tell_words();
std::span<const Word<AfterScript>> after_script_words();
std::span<const Word<DateFormat>> date_format_words();
std::span<const Word<Framing::Kind>> framing_words();
std::span<const Word<Pace::Part>> pace_words();
std::span<const Word<Idempotency::InFlight>> in_flight_words();
std::span<const Word<Idempotency::Store>> store_words();
std::span<const Word<Outage::Do>> outage_words();
std::span<const Word<ClockZero>> clock_words();
std::span<const Word<Jitter>> jitter_words();
std::span<const Word<ExpectClient::Outcome>> outcome_words();

// The names that `expect.profile` knows; server/verify has a profile for each.
std::span<const std::string_view> profile_names();

// The ids that `expect.rules` knows; server/verify has a rule for each.
std::span<const std::string_view> rule_ids();

std::string_view word(Moment moment);
std::string_view word(ReadBefore read);
std::string_view word(wire::ShowCertificate::Which which);
std::string_view word(AfterScript after);
std::string_view word(DateFormat format);
std::string_view word(Outage::Do what);
std::string_view word(Jitter jitter);
std::string_view word(ExpectClient::Outcome outcome);

}  // namespace retrylab::scenario
