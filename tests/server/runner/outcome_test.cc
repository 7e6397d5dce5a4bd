// SPDX-License-Identifier: MIT
#include "server/runner/outcome.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace retrylab::runner {
namespace {

// What a reader makes of `text`, in the words of the journal: "success 201 reason".
std::string read(std::string_view text, std::size_t piece) {
  OutcomeReader reader;
  for (std::size_t at = 0; at < text.size(); at += piece) reader.feed(text.substr(at, piece));
  const auto declared = reader.finish();
  if (!declared) return "nothing";
  std::string words(journal::word(declared->outcome));
  if (declared->status) words += fmt::format(" {}", *declared->status);
  if (!declared->reason.empty()) words += " " + declared->reason;
  if (!declared->body_sha256.empty()) words += " sha " + declared->body_sha256;
  return words;
}

struct Case {
  std::string_view output;
  std::string_view expected;
};

const Case kCases[] = {
    {"", "nothing"},
    {"hello\nworld\n", "nothing"},
    {R"({"outcome":"success"})", "success"},
    {"log\n{\"outcome\":\"failure\",\"reason\":\"deadline\"}\nbye\n", "failure deadline"},
    {"{\"outcome\":\"failure\"}\n{\"outcome\":\"success\",\"status\":201}\n", "success 201"},
    {"{\"outcome\":\"success\"}\n{\"other\":1}\n", "success"},
    {"{\"outcome\":\"success\"}\n{\"outcome\":\"who knows\"}\n", "success"},
    {"{\"outcome\":\"success\"}\n{\"outcome\":\"fail", "success"},
    {R"({"outcome":1})", "nothing"},
    {R"([{"outcome":"success"}])", "nothing"},
    {R"(  {"outcome":"success","status":-1,"reason":7}  )", "success"},
    {R"({"outcome":"success","status":100000})", "success"},
    {R"({"outcome":"success","body_sha256":"ab"})", "success sha ab"},
};

TEST(Outcome, the_last_line_that_declares_one_counts_however_it_is_cut) {
  for (const auto& row : kCases) {
    for (const std::size_t piece : {1UL, 2UL, 3UL, 5UL, 8UL, 16UL, 1000UL}) {
      EXPECT_EQ(read(row.output, piece), row.expected) << row.output << " by " << piece;
    }
  }
}

TEST(Outcome, a_line_over_the_limit_declares_nothing_and_the_next_one_does) {
  const std::string padding(70'000, ' ');
  EXPECT_EQ(read(padding + R"({"outcome":"success"})", 1000), "nothing");
  EXPECT_EQ(read(padding + "\n{\"outcome\":\"failure\"}", 1000), "failure");
}

}  // namespace
}  // namespace retrylab::runner
