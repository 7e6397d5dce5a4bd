// SPDX-License-Identifier: MIT
#include "server/journal/packed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <string>
#include <vector>

#include "client_lib/base/random.h"
#include "server/journal/ndjson.h"

namespace retrylab::journal {
namespace {

using std::chrono::milliseconds;

Instant at(int ms) {
  return Instant(milliseconds(ms));
}

// All that a record says, as the journal's file would have it.
std::string told(const Attempt& attempt) {
  std::string text;
  NdjsonSink sink([&](std::string_view line) { text += line; }, "1");
  sink.begun(attempt);
  sink.ended(attempt);
  return text;
}

std::vector<Attempt> unpacked(const PackedAttempts& packed) {
  std::vector<Attempt> attempts;
  packed.append_to(attempts);
  return attempts;
}

Attempt small(AttemptId id) {
  Attempt attempt{.id = id,
                  .connection = 3,
                  .client = "127.0.0.1",
                  .first_byte = at(60'000),
                  .first_byte_from_kernel = true,
                  .head_read = at(60'001),
                  .body_read = at(60'001),
                  .method = "GET",
                  .target = "/json",
                  .head = "GET /json HTTP/1.1\r\nHost: localhost:8080\r\n\r\n",
                  .body_sha256 = sha256("")};
  attempt.planned = {.source = Source::script, .route = "GET /json", .step = "/routes/0/script/0"};
  attempt.planned.status = 200;
  attempt.delivered = {.ending = Ending::delivered,
                       .r_min = at(60'002),
                       .r_max = at(60'002),
                       .bytes = 160,
                       .ended = at(60'002)};
  return attempt;
}

Attempt with_everything() {
  Attempt attempt = small(70'000);
  attempt.run = 2;
  attempt.number_on_connection = 400;
  attempt.listener = 1;
  attempt.body_bytes = 5;
  attempt.body_sha256 = sha256("hello");
  attempt.operation = "op-1";
  attempt.key = std::string("k\xff\0", 3);
  attempt.route_has_store = attempt.executed = attempt.replayed = true;
  attempt.resource = "payment-1";
  attempt.planned = {.source = Source::replay,
                     .route = "POST /v1/payments",
                     .step = "",
                     .status = 429,
                     .retry_after = {"2", "soon"},
                     .location = "/elsewhere",
                     .delay = milliseconds(250),
                     .faults = {"reset at response_start", "close at idle"},
                     .complete = false,
                     .connection_close = true,
                     .should_retry_false = true,
                     .hints = {{"retry-after-ms", "300"}, {"x-should-retry", "true"}},
                     .near_misses = {"GET /: the method is POST"},
                     .note = "bare LF"};
  attempt.delivered = {.ending = Ending::peer_left,
                       .r_min = at(59'999),
                       .bytes = 1'000'000'000'000U,
                       .faults_delivered = false,
                       .peer_left = at(70'000),
                       .peer_reset = true};
  return attempt;
}

Attempt malformed() {
  Attempt attempt;
  attempt.method = "G";
  attempt.head = "\x01\x02 rubbish";
  attempt.planned.source = Source::malformed;
  return attempt;
}

TEST(PackedAttempts, an_unpacked_record_says_the_same) {
  for (const Attempt& attempt : {small(1), with_everything(), malformed(), Attempt()}) {
    PackedAttempts packed;
    packed.push(attempt);
    const auto attempts = unpacked(packed);
    ASSERT_EQ(attempts.size(), 1u);
    EXPECT_EQ(told(attempts[0]), told(attempt));
  }
}

TEST(PackedAttempts, a_small_record_takes_few_bytes) {
  PackedAttempts packed;
  packed.push(small(99'999));
  EXPECT_LT(packed.bytes(), 150u);
}

// Against the simplest queue there is, over many chunks.
TEST(PackedAttempts, forgets_the_oldest_first) {
  Random random = Random::stream(7, "packed");
  PackedAttempts packed;
  std::deque<std::string> kept;
  for (AttemptId id = 1; id <= 3'000; ++id) {
    Attempt attempt = small(id);
    std::string head = attempt.head;
    head.append(random.below(2'000), 'h');
    if (id % 500 == 0) head.append(100'000, 'H');  // larger than a chunk
    attempt.head = std::move(head);
    packed.push(attempt);
    kept.push_back(told(attempt));
    while (!packed.empty() && random.below(3) == 0) {
      packed.pop();
      kept.pop_front();
    }
  }
  const auto attempts = unpacked(packed);
  ASSERT_EQ(attempts.size(), kept.size());
  ASSERT_EQ(packed.size(), kept.size());
  for (std::size_t i = 0; i < kept.size(); ++i) EXPECT_EQ(told(attempts[i]), kept[i]);
  while (!packed.empty()) packed.pop();
  EXPECT_EQ(packed.bytes(), 0u);
}

}  // namespace
}  // namespace retrylab::journal
