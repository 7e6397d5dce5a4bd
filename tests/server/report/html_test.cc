// SPDX-License-Identifier: MIT
#include "server/report/html.h"

#include <gmock/gmock.h>

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

TEST(HtmlReport, the_wait_that_was_asked_for_stands_behind_the_retry) {
  const auto html = html_report(early_client().report());
  EXPECT_THAT(html, HasSubstr("class=\"must-wait\""));
  EXPECT_THAT(html_report(passing(1).report()), Not(HasSubstr("<i class=\"must-wait\"")));
}

TEST(HtmlReport, the_declared_backoff_stands_behind_retries_and_gaps) {
  auto made = early_client();
  made.runs[0].attempts[1].planned.retry_after.clear();
  EXPECT_THAT(html_report(made.report()), Not(HasSubstr("<i class=\"allowed\"")));
  made.scenario.expect.backoff = scenario::ExpectBackoff{
      .base = milliseconds(250), .cap = seconds(8), .jitter = scenario::Jitter::full};
  EXPECT_THAT(html_report(made.report()), HasSubstr("title=\"0s to 250ms\""));
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
