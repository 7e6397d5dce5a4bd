// SPDX-License-Identifier: MIT
#include "server/scenario/words.h"

#include "client_lib/base/check.h"

namespace retrylab::scenario {
namespace {

constexpr std::array<Word<Moment>, 12> kMoments{{{"accept", Moment::accept},
                                                 {"request_start", Moment::request_start},
                                                 {"request_headers", Moment::request_headers},
                                                 {"request_byte", Moment::request_byte},
                                                 {"request_end", Moment::request_end},
                                                 {"response_start", Moment::response_start},
                                                 {"response_byte", Moment::response_byte},
                                                 {"response_headers", Moment::response_headers},
                                                 {"body_byte", Moment::body_byte},
                                                 {"response_end", Moment::response_end},
                                                 {"idle", Moment::idle},
                                                 {"next_request", Moment::next_request}}};

constexpr std::array<Word<ReadBefore>, 3> kReads{
    {{"none", ReadBefore::none}, {"head", ReadBefore::head}, {"all", ReadBefore::all}}};

constexpr std::array<Word<Ranges>, 5> kRanges{{{"ignored", Ranges::ignored},
                                               {"honoured", Ranges::honoured},
                                               {"wrong", Ranges::wrong},
                                               {"unknown_size", Ranges::unknown_size},
                                               {"too_much", Ranges::too_much}}};

using Certificate = wire::ShowCertificate::Which;
constexpr std::array<Word<Certificate>, 3> kCertificates{{{"untrusted", Certificate::untrusted},
                                                          {"expired", Certificate::expired},
                                                          {"wrong_host", Certificate::wrong_host}}};

constexpr std::array<Word<RateLimit::Kind>, 2> kRateLimits{
    {{"fixed_window", RateLimit::Kind::fixed_window},
     {"token_bucket", RateLimit::Kind::token_bucket}}};

constexpr std::array<Word<RateLimit::Tell>, 6> kTells{
    {{"retry_after", RateLimit::Tell::retry_after},
     {"retry_after_ms", RateLimit::Tell::retry_after_ms},
     {"x_ratelimit", RateLimit::Tell::x_ratelimit},
     {"x_ratelimit_epoch", RateLimit::Tell::x_ratelimit_epoch},
     {"ratelimit", RateLimit::Tell::ratelimit},
     {"ratelimit_three", RateLimit::Tell::ratelimit_three}}};

constexpr std::array<Word<AfterScript>, 3> kAfterScripts{{{"repeat_last", AfterScript::repeat_last},
                                                          {"cycle", AfterScript::cycle},
                                                          {"fail", AfterScript::fail}}};

constexpr std::array<Word<DateFormat>, 3> kDateFormats{
    {{"imf", DateFormat::imf}, {"rfc850", DateFormat::rfc850}, {"asctime", DateFormat::asctime}}};

constexpr std::array<Word<Framing::Kind>, 3> kFramings{
    {{"content_length", Framing::Kind::content_length},
     {"chunked", Framing::Kind::chunked},
     {"close", Framing::Kind::close}}};

constexpr std::array<Word<Pace::Part>, 2> kPaceParts{
    {{"head", Pace::Part::head}, {"body", Pace::Part::body}}};

constexpr std::array<Word<Idempotency::InFlight>, 2> kInFlights{
    {{"conflict", Idempotency::InFlight::conflict}, {"wait", Idempotency::InFlight::wait}}};

constexpr std::array<Word<Idempotency::Store>, 2> kStores{
    {{"executed", Idempotency::Store::executed}, {"every", Idempotency::Store::every}}};

constexpr std::array<Word<Outage::Do>, 4> kOutages{
    {{"answer", Outage::Do::answer},
     {"refuse", Outage::Do::refuse},
     {"hang", Outage::Do::hang},
     {"accept_and_hang", Outage::Do::accept_and_hang}}};

constexpr std::array<Word<ClockZero>, 2> kClocks{
    {{"first_connection", ClockZero::first_connection}, {"ready", ClockZero::ready}}};

constexpr std::array<Word<Jitter>, 5> kJitters{{{"none", Jitter::none},
                                                {"full", Jitter::full},
                                                {"equal", Jitter::equal},
                                                {"decorrelated", Jitter::decorrelated},
                                                {"any", Jitter::any}}};

constexpr std::array<Word<ExpectClient::Outcome>, 3> kOutcomes{
    {{"succeeds", ExpectClient::Outcome::succeeds},
     {"fails", ExpectClient::Outcome::fails},
     {"any", ExpectClient::Outcome::any}}};

constexpr std::array<std::string_view, 8> kProfiles{
    "core", "careful", "aws-standard-2.0", "aws-standard-2.1", "grpc", "envoy", "stripe", "openai"};

constexpr auto kRules = std::to_array<std::string_view>(
    {"CLS-1", "CLS-2", "CLS-3",  "CLS-4", "CLS-5",  "CLS-6",  "CLS-7",  "CLS-8", "CLS-9", "CLS-10",
     "RA-1",  "RA-2",  "RA-3",   "RA-4",  "RA-5",   "RA-6",   "RA-7",   "RA-8",  "RA-9",  "RA-10",
     "RA-11", "RA-12", "RA-13",  "RA-14", "BO-1",   "BO-2",   "BO-3",   "BO-4",  "BO-5",  "BO-6",
     "BO-7",  "BO-8",  "BO-9",   "BO-10", "AT-1",   "AT-2",   "AT-3",   "AT-4",  "AT-5",  "AT-6",
     "AT-7",  "AT-8",  "ID-1",   "ID-2",  "ID-3",   "ID-4",   "ID-5",   "ID-6",  "ID-7",  "ID-8",
     "ID-9",  "ID-10", "CONN-1", "BU-1",  "BU-2",   "BU-3",   "BU-4",   "CB-1",  "CB-2",  "CB-3",
     "CB-4",  "CB-5",  "CB-6",   "TH-1",  "HERD-1", "HERD-2", "HERD-3", "HERD-4"});

template <typename Value>
std::string_view word_of(std::span<const Word<Value>> words, Value value) {
  for (const Word<Value>& entry : words) {
    if (entry.value == value) return entry.word;
  }
  check_failed("every value has a word", __FILE__, __LINE__);
}

}  // namespace

std::span<const Word<Moment>> moment_words() {
  return kMoments;
}
std::span<const Word<ReadBefore>> read_words() {
  return kReads;
}
std::span<const Word<Ranges>> ranges_words() {
  return kRanges;
}
std::span<const Word<wire::ShowCertificate::Which>> certificate_words() {
  return kCertificates;
}
std::span<const Word<RateLimit::Kind>> rate_limit_words() {
  return kRateLimits;
}
std::span<const Word<RateLimit::Tell>> tell_words() {
  return kTells;
}
std::span<const Word<AfterScript>> after_script_words() {
  return kAfterScripts;
}
std::span<const Word<DateFormat>> date_format_words() {
  return kDateFormats;
}
std::span<const Word<Framing::Kind>> framing_words() {
  return kFramings;
}
std::span<const Word<Pace::Part>> pace_words() {
  return kPaceParts;
}
std::span<const Word<Idempotency::InFlight>> in_flight_words() {
  return kInFlights;
}
std::span<const Word<Idempotency::Store>> store_words() {
  return kStores;
}
std::span<const Word<Outage::Do>> outage_words() {
  return kOutages;
}
std::span<const Word<ClockZero>> clock_words() {
  return kClocks;
}
std::span<const Word<Jitter>> jitter_words() {
  return kJitters;
}
std::span<const Word<ExpectClient::Outcome>> outcome_words() {
  return kOutcomes;
}

std::span<const std::string_view> profile_names() {
  return kProfiles;
}
std::span<const std::string_view> rule_ids() {
  return kRules;
}

std::string_view word(Moment moment) {
  return word_of(moment_words(), moment);
}
std::string_view word(ReadBefore read) {
  return word_of(read_words(), read);
}
std::string_view word(wire::ShowCertificate::Which which) {
  return word_of(certificate_words(), which);
}
std::string_view word(AfterScript after) {
  return word_of(after_script_words(), after);
}
std::string_view word(DateFormat format) {
  return word_of(date_format_words(), format);
}
std::string_view word(Outage::Do what) {
  return word_of(outage_words(), what);
}
std::string_view word(Jitter jitter) {
  return word_of(jitter_words(), jitter);
}
std::string_view word(ExpectClient::Outcome outcome) {
  return word_of(outcome_words(), outcome);
}

}  // namespace retrylab::scenario
