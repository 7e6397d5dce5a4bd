// SPDX-License-Identifier: MIT
#include "server/report/html.h"

#include <gmock/gmock.h>

#include "server/report/html_ticks.h"
#include "tests/server/report/synthetic.h"

namespace retrylab::report {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(HtmlReport, needs_no_network) {
  const auto html = html_report(early_client().report());
  for (const auto* part : {"http://", "https://", "<script", "@import", "url(", "src="}) {
    EXPECT_THAT(html, Not(HasSubstr(part)));
  }
}

TEST(HtmlReport, a_rule_links_to_the_attempts_that_show_it) {
  const auto html = html_report(early_client().report());
  EXPECT_THAT(html, HasSubstr("<a href=\"#a-1-3\">3</a>"));
  EXPECT_THAT(html, HasSubstr("<details id=\"a-1-3\" class=\"blamed\">"));
  EXPECT_THAT(html, HasSubstr("created payment_1 by <a href=\"#a-1-3\">attempt 3</a>"));
}

TEST(HtmlReport, the_title_links_to_what_was_not_kept) {
  const auto html = html_report(early_client().report());
  EXPECT_THAT(html, HasSubstr("<a href=\"#rule-RA-1\">RA-1</a>"));
  EXPECT_THAT(html, HasSubstr("<article id=\"rule-RA-1\""));
  EXPECT_THAT(html_report(passing(1).report()), Not(HasSubstr("Not kept")));
}

TEST(HtmlReport, the_title_tells_what_could_not_be_judged_from_what_was_broken) {
  auto made = early_client();
  made.verdict.rules[0].status = verify::Status::inconclusive;
  const std::string id = made.verdict.rules[0].id;
  EXPECT_THAT(html_report(made.report()),
              HasSubstr("Could not be judged: <a href=\"#rule-" + id + "\">"));
}

TEST(HtmlReport, the_wait_that_was_asked_for_stands_behind_the_retry) {
  const auto html = html_report(early_client().report());
  EXPECT_THAT(html, HasSubstr("<i class=\"must-wait cut\""));  // it ends beyond the axis
  EXPECT_THAT(html, HasSubstr("<span class=\"swatch must-wait\"></span> too early"));
  EXPECT_THAT(html_report(passing(1).report()), Not(HasSubstr("<i class=\"must-wait")));
}

TEST(HtmlReport, the_declared_backoff_stands_behind_retries_and_gaps) {
  auto made = early_client();
  made.runs[0].attempts[1].planned.retry_after.clear();
  EXPECT_THAT(html_report(made.report()), Not(HasSubstr("<i class=\"allowed\"")));
  made.scenario.expect.backoff = scenario::ExpectBackoff{
      .base = milliseconds(250), .cap = seconds(8), .jitter = scenario::Jitter::full};
  EXPECT_THAT(html_report(made.report()), HasSubstr("title=\"0s to 250ms\""));
}

TEST(Ticks, are_round_and_few) {
  using std::chrono::microseconds;
  EXPECT_EQ(round_step(seconds(3)), milliseconds(500));
  EXPECT_EQ(round_step(milliseconds(3100)), seconds(1));
  EXPECT_EQ(round_step(seconds(0)), Duration(1));
  EXPECT_THAT(round_ticks(milliseconds(-7), milliseconds(3198)),
              testing::ElementsAre(seconds(0), seconds(1), seconds(2), seconds(3)));
  EXPECT_THAT(round_ticks(microseconds(120), milliseconds(2)),
              testing::ElementsAre(microseconds(500), milliseconds(1), microseconds(1500),
                                   milliseconds(2)));
  for (Duration length{1}; length < std::chrono::hours(24 * 365);
       length = length * 3 / 2 + Duration(1)) {
    const auto ticks = round_ticks(Duration(0), length);
    EXPECT_GE(ticks.size(), 2U) << length.count();
    EXPECT_LE(ticks.size(), 7U) << length.count();
  }
}

TEST(HtmlReport, what_a_client_sent_is_text) {
  auto made = early_client();
  made.runs[0].attempts[0].target = "/<img src=x onerror=alert(1)>";
  made.scenario.about = "<b>\"'&";
  const auto html = html_report(made.report());
  EXPECT_THAT(html, Not(HasSubstr("<img")));
  EXPECT_THAT(html, HasSubstr("&lt;b&gt;&quot;&#39;&amp;"));
}

TEST(HtmlReport, a_large_herd_stays_a_page) {
  const auto html = html_report(passing(500).report());
  EXPECT_THAT(html, HasSubstr("460 more operations are in the JSON report"));
  EXPECT_LT(html.size(), 200'000U);
}

}  // namespace
}  // namespace retrylab::report
