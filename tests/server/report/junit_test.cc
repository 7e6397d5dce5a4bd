// SPDX-License-Identifier: MIT
#include "server/report/junit.h"

#include <gmock/gmock.h>

#include "tests/server/report/synthetic.h"

namespace retrylab::report {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(JunitReport, counts_what_was_judged) {
  EXPECT_THAT(junit_report(early_client().report()),
              HasSubstr("<testsuite name=\"busy-then-paid\" tests=\"5\" failures=\"1\" "
                        "errors=\"0\" skipped=\"1\""));
}

TEST(JunitReport, every_case_has_the_seconds_of_what_it_was_judged_on) {
  auto made = early_client();
  made.runs.front().ended = at(std::chrono::milliseconds(2'500));
  const auto xml = junit_report(made.report());
  EXPECT_THAT(xml, HasSubstr("skipped=\"1\" time=\"2.500\">"));
  EXPECT_THAT(xml, HasSubstr("No attempt before Retry-After is over\" time=\"2.500\">"));
  EXPECT_THAT(xml, Not(HasSubstr("time=\"0\"")));
}

TEST(JunitReport, a_broken_rule_is_a_failure_with_its_evidence) {
  const auto xml = junit_report(early_client().report());
  EXPECT_THAT(xml, HasSubstr("name=\"RA-1: No attempt before Retry-After is over\""));
  EXPECT_THAT(xml, HasSubstr("<failure type=\"RA-1\" message=\"0.8ms\">expected: 2s or more"));
  EXPECT_THAT(xml, HasSubstr("missed by: 1.999s\nattempts: 2, 3\n"));
}

TEST(JunitReport, spoiled_evidence_is_skipped_with_its_reason) {
  EXPECT_THAT(junit_report(early_client().report()),
              HasSubstr("<skipped message=\"inconclusive: the host was 40ms late\"/>"));
}

TEST(JunitReport, a_rule_with_nothing_to_judge_is_no_test) {
  EXPECT_THAT(junit_report(early_client().report()), Not(HasSubstr("BO-4")));
}

TEST(JunitReport, what_a_client_sent_cannot_break_the_xml) {
  auto made = early_client();
  made.scenario.name = "a\"<b>&\x01";
  made.verdict.rules[1].observed = "]]><x a='\xff'>";
  const auto xml = junit_report(made.report());
  EXPECT_THAT(xml, HasSubstr("name=\"a&quot;&lt;b&gt;&amp;\\x01\""));
  EXPECT_THAT(xml, HasSubstr("message=\"]]&gt;&lt;x a=&#39;\\xff&#39;&gt;\""));
}

TEST(JunitReport, a_scenario_that_could_not_be_judged_is_an_error) {
  const auto xml = junit_error("pay", "cannot start the client \"./x\"");
  EXPECT_THAT(xml, HasSubstr("errors=\"1\""));
  EXPECT_THAT(xml, HasSubstr("message=\"cannot start the client &quot;./x&quot;\"/>"));
}

}  // namespace
}  // namespace retrylab::report
