// SPDX-License-Identifier: MIT
// The retry loop: makes an operation's attempts over a transport as the decision
// (retry/next_move.h) says, and sleeps on a clock in between.
//
//   auto client = RetryClient::make({.policy = careful()});
//   OperationResult result = client->send({.url = "http://127.0.0.1:8080/"});
//   if (result.ok()) use(result.response());
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "client_lib/base/result.h"
#include "client_lib/net/clock.h"
#include "client_lib/net/request.h"
#include "client_lib/net/transport.h"
#include "client_lib/retry/next_move.h"
#include "client_lib/retry/policy.h"
#include "client_lib/retry/presets.h"

namespace retrylab {

// One attempt as it went. Times are on the client's clock.
struct AttemptRecord {
  std::uint32_t number = 1;  // 1-based, redirects included
  std::string method;
  std::string url;
  Instant started{};
  Instant ended{};
  Failure failure = Failure::none;
  int status = 0;      // 0: no answer
  std::string detail;  // the system's words about a failure
  // What was decided then: a wait before the next attempt, or nothing.
  std::optional<Duration> wait;
  WaitCause wait_cause = WaitCause::backoff;
};

// "attempt 2 POST http://... 503 in 1.2ms, waits 250ms (backoff)": one line, no final newline.
std::string describe(const AttemptRecord& record);

struct OperationResult {
  Reason reason = Reason::cancelled;
  // What the last attempt came to; nothing when there was none.
  std::optional<Outcome> outcome;
  std::string key;  // the idempotency key that went with every attempt, "" for none
  std::vector<AttemptRecord> attempts;
  std::string problem;  // for invalid_request: what is wrong with it

  bool ok() const { return reason == Reason::succeeded; }
  // Only when ok(), or when the reason is about an answer (permanent_status ...).
  const Response& response() const { return outcome.value().response; }
};

// "failed after 5 attempts in 7.2s: attempts_exhausted, last answer 503": one line.
std::string describe(const OperationResult& result);

struct ClientOptions {
  Policy policy = careful();
  std::string key_header = "Idempotency-Key";
  bool quoted_keys = false;  // the structured-field form of the IETF draft
  // Offer gzip, decode it, and count an answer that does not decode as malformed.
  bool decode_gzip = true;
  std::size_t body_bytes_max = 64'000'000;  // after decoding
  std::optional<std::uint64_t> seed;        // of the jitter; nothing: from the system
  // Called after each attempt, on the caller's thread, when it is decided what comes next.
  std::function<void(const AttemptRecord&)> on_attempt;
};

// Thread-safe: one client for all threads, so that they share its budget and its breakers.
class RetryClient {
 public:
  // The usual client: HttplibTransport and SystemClock of its own. Errors: a policy that makes
  // no sense (retry/policy.h).
  static Result<std::unique_ptr<RetryClient>> make(ClientOptions options = {});

  // `transport` and `clock` outlive the client.
  static Result<std::unique_ptr<RetryClient>> make(ClientOptions options, Transport& transport,
                                                   Clock& clock);
  ~RetryClient();
  RetryClient(const RetryClient&) = delete;
  RetryClient& operator=(const RetryClient&) = delete;

  // Carries the operation out. Blocks until it is over; stop.request_stop() from another thread
  // ends a sleep at once and an attempt soon, with Reason::cancelled. Never throws for anything
  // that a peer or the network does.
  OperationResult send(Request request, std::stop_token stop = {});

 private:
  class Impl;
  explicit RetryClient(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace retrylab
