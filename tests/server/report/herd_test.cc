// SPDX-License-Identifier: MIT
// The reports of `retrylab simulate`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "server/report/herd/chart.h"
#include "server/report/herd/metrics.h"

namespace retrylab::report {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

std::vector<double> up_to(int last) {
  std::vector<double> values(static_cast<std::size_t>(last));
  std::iota(values.begin(), values.end(), 1);
  return values;
}

// The ranks that cover the median with 95 %, from the usual tables of the binomial distribution.
TEST(HerdReport, the_interval_of_the_median_is_that_of_the_order_statistics) {
  const struct {
    int count;
    double median, low, high;
  } table[] = {
      {1, 1, 1, 1}, {4, 2.5, 1, 4}, {11, 6, 2, 10}, {100, 50.5, 40, 61}, {200, 100.5, 86, 115}};
  for (const auto& row : table) {
    const auto interval = median_of(up_to(row.count));
    ASSERT_TRUE(interval);
    EXPECT_EQ(interval->median, row.median) << row.count;
    EXPECT_EQ(interval->low, row.low) << row.count;
    EXPECT_EQ(interval->high, row.high) << row.count;
  }
  EXPECT_FALSE(median_of(std::vector<double>{}));
}

HerdReport example() {
  sim::Summary run{.operations = 10, .attempts = 25, .arrivals = 25, .successes = 8, .served = 10};
  run.completion_p99 = std::chrono::milliseconds(1500);
  run.end = std::chrono::seconds(4);
  HerdReport report{.scenario = "out", .about = "Everything fails.", .seed = 7};
  report.points.push_back(
      {"", {{.policy = "careful,jitter=none", .policy_json = "{}", .runs = {run}}}});
  return report;
}

TEST(HerdReport, text_has_the_numbers_and_leaves_out_what_has_no_meaning) {
  const std::string text = herd_text(example());
  EXPECT_THAT(text, ContainsRegex("amplification +2\\.500\n"));
  EXPECT_THAT(text, ContainsRegex("success +80\\.0 %\n"));
  EXPECT_THAT(text, ContainsRegex("goodput +2\\.0/s\n"));
  EXPECT_THAT(text, ContainsRegex("wasted work +20\\.0 %\n"));
  EXPECT_THAT(text, Not(HasSubstr("drained")));  // there was no outage
}

TEST(HerdReport, policies_that_are_written_out_get_letters_and_a_legend) {
  HerdReport report = example();
  report.points[0].columns.push_back(report.points[0].columns[0]);
  const std::string name = "attempts=4,base=0ms,cap=0ms,jitter=none,deadline=none";
  report.points[0].columns[0].policy = name;
  const std::string text = herd_text(report);
  EXPECT_THAT(text, HasSubstr("\n  A  " + name + "\n  B  careful,jitter=none\n"));
  EXPECT_THAT(text, ContainsRegex("\n +A +B\n"));
}

TEST(HerdReport, csv_quotes_what_has_commas_and_leaves_unknown_fields_empty) {
  const std::string text = herd_csv(example());
  EXPECT_THAT(text, HasSubstr("point,policy,run,operations,attempts,"));
  EXPECT_THAT(text, HasSubstr(",\"careful,jitter=none\",1,10,25,2.5,0.8,2,0.2,"));
}

TEST(HerdReport, html_escapes_what_users_named) {
  HerdReport report = example();
  report.points[0].columns[0].policy = "<script>";
  EXPECT_THAT(herd_html(report), Not(HasSubstr("<script>")));
}

TEST(HerdReport, a_stop_at_a_limit_is_said) {
  HerdReport report = example();
  report.points[0].columns[0].stopped = "time";
  report.points[0].columns[0].runs[0].unfinished = 2;
  EXPECT_THAT(herd_text(report),
              HasSubstr("stopped at the limit of time with 2 operations unfinished"));
}

TEST(HerdReport, axes_end_at_round_numbers) {
  for (const auto& [value, top] : {std::pair{0.0, 1.0},
                                   {0.7, 1.0},
                                   {1.0, 1.0},
                                   {3.0, 5.0},
                                   {501.0, 1000.0},
                                   {1200.0, 2000.0}}) {
    EXPECT_DOUBLE_EQ(axis_top(value), top) << value;
  }
}

}  // namespace
}  // namespace retrylab::report
