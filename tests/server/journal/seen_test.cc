// SPDX-License-Identifier: MIT
#include "server/journal/seen.h"

#include <gtest/gtest.h>

#include "tests/server/journal/run_builder.h"

namespace retrylab::journal {
namespace {

using namespace std::chrono_literals;

// "answered 503 5ms..7ms"; the times as the client can have known it.
std::string text(const Seen& seen) {
  const auto time = [](std::optional<Instant> at) {
    return at ? std::to_string(at->time_since_epoch() / 1ms) + "ms" : std::string("-");
  };
  return std::string(word(seen.kind)) + " " + std::to_string(seen.status) + " " + time(seen.from) +
         ".." + time(seen.until) + (seen.spoiled ? " spoiled" : "");
}

TEST(Seen, tells_what_the_client_saw_and_when) {
  struct Case {
    const char* story;
    std::function<void(AttemptBuilder)> tell;
    const char* seen;
  };
  const std::vector<Case> cases{
      {"answered", [](AttemptBuilder a) { a.answered(503, 5ms); }, "answered 503 5ms..5ms"},
      {"the last write returned later",
       [](AttemptBuilder a) { a.answered(503, 5ms).attempt().delivered.r_max = instant(7ms); },
       "answered 503 5ms..7ms"},
      {"reset", [](AttemptBuilder a) { a.reset(2ms); }, "reset 0 2ms..2ms"},
      {"closed", [](AttemptBuilder a) { a.closed(2ms); }, "closed 0 2ms..2ms"},
      {"cut in the body", [](AttemptBuilder a) { a.truncated(201); }, "truncated 201 1ms..1ms"},
      {"cut in the head",
       [](AttemptBuilder a) {
         a.truncated(201).attempt().planned.faults = {"close at response_byte 20"};
       },
       "truncated 0 1ms..1ms"},
      {"reset after the head",
       [](AttemptBuilder a) {
         a.truncated(200).attempt().planned.faults = {"reset at response_headers"};
       },
       "truncated 200 1ms..1ms"},
      {"garbage", [](AttemptBuilder a) { a.garbage(); }, "malformed 0 1ms..1ms"},
      {"client timed out", [](AttemptBuilder a) { a.left(10s); }, "left 0 10000ms..10000ms"},
      {"client left after the head",
       [](AttemptBuilder a) {
         a.answered(503, 5ms).attempt().delivered.ending = Ending::peer_left;
         a.attempt().delivered.peer_left = instant(9ms);
       },
       "left 503 5ms..9ms"},
      {"client left before the answer was written",
       [](AttemptBuilder a) {
         a.answered(503, 9ms).attempt().delivered.ending = Ending::peer_left;
         a.attempt().delivered.peer_left = instant(5ms);
       },
       "left 0 5ms..5ms"},
      {"stalled after the head until the client left",
       [](AttemptBuilder a) {
         a.truncated(200).attempt().planned.faults = {"stall at body_byte 2"};
         a.attempt().delivered.peer_left = instant(9s);
       },
       "left 200 1ms..9000ms"},
      {"never ended", [](AttemptBuilder a) { a.hangs(); }, "nothing 0 -..-"},
      {"fault did not happen",
       [](AttemptBuilder a) { a.left(1s).undelivered("reset at response_start"); },
       "left 0 1000ms..1000ms spoiled"},
      {"host could not write",
       [](AttemptBuilder a) { a.answered(200).attempt().delivered.ending = Ending::failed; },
       "nothing 200 -..- spoiled"},
  };
  for (const Case& one : cases) {
    RunBuilder run;
    one.tell(run.get(0ms));
    EXPECT_EQ(text(seen_of(run.run().attempts.front())), one.seen) << one.story;
  }
}

}  // namespace
}  // namespace retrylab::journal
