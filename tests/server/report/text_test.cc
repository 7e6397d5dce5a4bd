// SPDX-License-Identifier: MIT
#include "server/report/text.h"

#include <algorithm>
#include <sstream>

#include <gmock/gmock.h>

#include "server/report/layout.h"
#include "tests/server/report/synthetic.h"

namespace retrylab::report {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string golden(std::string text) {
  constexpr std::string_view kVersion = "{version}";
  text.replace(text.find(kVersion), kVersion.size(), version());
  return text;
}

TEST(TextReport, wide) {
  EXPECT_EQ(text_report(early_client().report(), {.width = 100}), golden(R"(busy-then-paid
  The server is busy, then asks for two seconds.

  #      time        gap  attempt            what the server did
  1    0.000s             POST /v1/payments  503 Service Unavailable
✗ 2    0.251s   +250.8ms  POST /v1/payments  429 Too Many Requests · Retry-After: 2
✗ 3    0.252s     +0.8ms  POST /v1/payments  201 Created · created payment_1

  client   succeeded (exit 0)
  created  payment_1 by attempt 3

✗ RA-1  No attempt before Retry-After is over (RFC 9110 §10.2.3)
    expected   2s or more after the answer of attempt 2
    observed   0.8ms
    missed by  1.999s
    attempts   2, 3
    advice     Wait until Retry-After is over before the next attempt
? BO-3  No immediate first retry
    observed   the host was 40ms late
! RA-2  Not much later than Retry-After
    expected   at most 3s
    observed   4s
✓ 2 rules kept: CLS-1, created
- 1 rule had nothing to judge (--verbose says why)

retrylab {version} · profile careful · seed 42 · scenario 0123456789abcdef · host lag at most 1.3ms
again: retrylab run pay.json --seed 42 -- ./client
✗ FAIL  busy-then-paid: RA-1
)"));
}

TEST(TextReport, narrow) {
  EXPECT_EQ(text_report(early_client().report(), {.width = 40}), golden(R"(busy-then-paid
  The server is busy, then asks for two
  seconds.

  1 0.000s
     POST /v1/payments
     503 Service Unavailable
✗ 2 0.251s  +250.8ms
     POST /v1/payments
     429 Too Many Requests ·
     Retry-After: 2
✗ 3 0.252s  +0.8ms
     POST /v1/payments
     201 Created · created payment_1

  client   succeeded (exit 0)
  created  payment_1 by attempt 3

✗ RA-1  No attempt before Retry-After is
  over (RFC 9110 §10.2.3)
    expected   2s or more after the
               answer of attempt 2
    observed   0.8ms
    missed by  1.999s
    attempts   2, 3
    advice     Wait until Retry-After is
               over before the next
               attempt
? BO-3  No immediate first retry
    observed   the host was 40ms late
! RA-2  Not much later than Retry-After
    expected   at most 3s
    observed   4s
✓ 2 rules kept: CLS-1, created
- 1 rule had nothing to judge (--verbose
  says why)

retrylab {version} · profile careful · seed
42 · scenario 0123456789abcdef · host
lag at most 1.3ms
again: retrylab run pay.json --seed 42 -- ./client
✗ FAIL  busy-then-paid: RA-1
)"));
}

TEST(TextReport, no_line_is_wider_than_asked_but_the_command) {
  for (const std::size_t width : {24UL, 40UL, 71UL, 72UL, 80UL, 100UL, 200UL}) {
    std::istringstream text(text_report(early_client().report(), {.width = width}));
    for (std::string line; std::getline(text, line);) {
      if (line.starts_with("again: ")) continue;
      EXPECT_LE(display_width(line), width) << line;
    }
  }
}

TEST(TextReport, a_herd_that_fails_is_told_of_the_script_it_shares) {
  auto made = early_client();
  made.runs.front().processes = 3;
  scenario::Route route;
  route.on.text = "POST /v1/payments";
  route.script.resize(2);
  made.scenario.routes.push_back(route);
  const auto text = [&] { return text_report(made.report(), {.width = 200}); };
  EXPECT_THAT(text(), HasSubstr("hint     3 clients went through the one script of \"POST "
                                "/v1/payments\" together; with \"count_by\": \"operation\""));
  made.scenario.routes.front().idempotency.emplace();
  EXPECT_THAT(text(), HasSubstr("\"count_by\": \"header:Idempotency-Key\""));
  made.scenario.routes.front().count_by.kind = scenario::CountBy::Kind::operation;
  EXPECT_THAT(text(), Not(HasSubstr("hint")));
  made.scenario.routes.front().count_by.kind = scenario::CountBy::Kind::route;
  made.runs.front().processes = 1;
  EXPECT_THAT(text(), Not(HasSubstr("hint")));
}

TEST(TextReport, nothing_between_two_parts_leaves_one_blank_line) {
  auto made = early_client();
  made.runs.front().clients.clear();
  made.runs.front().resources.clear();
  EXPECT_THAT(text_report(made.report(), {}), Not(HasSubstr("\n\n\n")));
}

TEST(TextReport, without_colour_there_is_no_escape) {
  EXPECT_THAT(text_report(early_client().report(), {}), Not(HasSubstr("\x1b")));
  EXPECT_THAT(text_report(early_client().report(), {.colour = true}), HasSubstr("\x1b[31m✗"));
}

TEST(TextReport, many_passing_runs_are_summed_up) {
  const auto text = text_report(passing(20).report(), {});
  EXPECT_THAT(text, HasSubstr("20 runs, 20 operations, 20 attempts"));
  EXPECT_THAT(text, HasSubstr("run 1, operation 1"));
  EXPECT_THAT(text, Not(HasSubstr("run 2, operation 1")));
  EXPECT_THAT(text, HasSubstr("19 more operations"));
  EXPECT_THAT(text, HasSubstr("20x succeeded (exit 0)"));
}

TEST(TextReport, of_many_runs_the_blamed_one_is_shown) {
  auto made = passing(20);
  made.verdict.rules.push_back(
      {.id = "CLS-2", .status = verify::Status::fail, .attempts = {{17, 1}}});
  const auto text = text_report(made.report(), {});
  EXPECT_THAT(text, HasSubstr("run 17, operation 1"));
  EXPECT_THAT(text, Not(HasSubstr("run 1, operation 1")));
  EXPECT_THAT(text, HasSubstr("attempts   run 17: 1"));
}

TEST(TextReport, verbose_shows_all_of_it) {
  const auto text = text_report(passing(20).report(), {.verbose = true});
  EXPECT_THAT(text, HasSubstr("run 20, operation 1"));
  EXPECT_THAT(text_report(early_client().report(), {.verbose = true}),
              HasSubstr("- BO-4  had 2 gaps, needs 10"));
}

TEST(TextReport, a_long_operation_is_cut_in_the_middle) {
  auto made = passing(1);
  for (journal::AttemptId id = 2; id <= 500; ++id) {
    made.runs[0].attempts.push_back(answered(id, milliseconds(id), 503));
    made.verdict.operations[0].attempts.push_back({1, id});
  }
  const auto text = text_report(made.report(), {});
  EXPECT_THAT(text, HasSubstr("470 more (--verbose shows them)"));
  EXPECT_LT(std::ranges::count(text, '\n'), 50);
}

TEST(TextReport, no_attempt_is_said) {
  auto made = passing(1);
  made.runs[0].attempts.clear();
  made.verdict.operations.clear();
  EXPECT_THAT(text_report(made.report(), {}), HasSubstr("no attempt arrived"));
}

TEST(TextReport, a_connection_cut_before_its_request_stands_in_the_timeline) {
  auto made = passing(1);
  made.runs[0].connections = {
      {.id = 1, .accepted = at(Duration(0)), .planned_faults = {"reset at accept"}}};
  EXPECT_THAT(text_report(made.report(), {}), HasSubstr("connection 1"));
  EXPECT_THAT(text_report(made.report(), {}), HasSubstr("reset at accept"));
}

}  // namespace
}  // namespace retrylab::report
