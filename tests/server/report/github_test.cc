// SPDX-License-Identifier: MIT
#include "server/report/github.h"

#include <gmock/gmock.h>

#include "tests/server/report/synthetic.h"

namespace retrylab::report {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(GithubReport, each_finding_is_one_annotation) {
  EXPECT_EQ(github_annotations(early_client().report()),
            "::error title=busy-then-paid RA-1::No attempt before Retry-After is over: expected 2s "
            "or more after the answer of attempt 2, observed 0.8ms, missed by 1.999s (attempts 2, "
            "3). Wait until Retry-After is over before the next attempt\n"
            "::warning title=busy-then-paid RA-2::Not much later than Retry-After: expected at "
            "most 3s, observed 4s\n"
            "::warning title=busy-then-paid BO-3::No immediate first retry: observed "
            "the host was 40ms late\n");
}

TEST(GithubReport, a_run_without_findings_annotates_nothing) {
  EXPECT_EQ(github_annotations(passing(1).report()), "");
}

TEST(GithubReport, observed_text_cannot_start_another_command) {
  auto made = early_client();
  made.scenario.name = "a:b,c";
  made.verdict.rules[1].observed = "100%\n::error::x";
  const auto text = github_annotations(made.report());
  EXPECT_THAT(text, HasSubstr("title=a%3Ab%2Cc RA-1::"));
  EXPECT_THAT(text, HasSubstr("observed 100%25\\x0a::error::x"));
}

TEST(GithubReport, the_summary_has_a_table_of_findings_and_the_timeline) {
  auto made = early_client();
  made.verdict.rules[1].observed = "a|b<c>";
  const auto text = github_summary(made.report());
  EXPECT_THAT(text, HasSubstr("### ✗ busy-then-paid: fail\n"));
  EXPECT_THAT(text, HasSubstr("| ✗ | RA-1 No attempt before Retry-After is over | 2s or more "
                              "after the answer of attempt 2 | a\\|b&lt;c&gt; | 2, 3 |\n"));
  EXPECT_THAT(text, HasSubstr("<details><summary>Timeline</summary>"));
  EXPECT_THAT(github_summary(passing(1).report()), Not(HasSubstr("|---|")));
}

}  // namespace
}  // namespace retrylab::report
