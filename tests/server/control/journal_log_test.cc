// SPDX-License-Identifier: MIT
#include "server/control/journal_log.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>

#include <fmt/format.h>

namespace retrylab::control {
namespace {

std::string line(int number) {
  return fmt::format("{}\n", number);
}

JournalLog::Piece all(JournalLog& log, std::uint64_t from, std::uint64_t generation = 0) {
  return log.read(from, generation, SIZE_MAX, Duration{0});
}

TEST(JournalLog, any_offset_gives_the_lines_from_there) {
  JournalLog log(1'000'000);
  log.open();
  for (int i = 0; i < 5; ++i) log.append(line(i));
  for (int from = 0; from <= 5; ++from) {
    std::string expected;
    for (int i = from; i < 5; ++i) expected += line(i);
    const auto piece = all(log, static_cast<std::uint64_t>(from));
    EXPECT_EQ(piece.lines, expected) << from;
    EXPECT_EQ(piece.next, 5U);
    EXPECT_EQ(piece.dropped, 0U);
  }
  EXPECT_EQ(all(log, 99).next, 99U);
}

TEST(JournalLog, what_was_before_comes_first_though_it_is_filled_in_later) {
  JournalLog log(1'000'000);
  log.append(line(3));
  EXPECT_EQ(all(log, 0).lines, "");
  log.fill(line(1), 0);
  log.fill(line(2), 0);
  log.open();
  log.append(line(4));
  EXPECT_EQ(all(log, 0).lines, "1\n2\n3\n4\n");
}

TEST(JournalLog, a_reset_while_it_is_filled_in_leaves_only_the_new_journal) {
  JournalLog log(1'000'000);
  log.append("old, live\n");
  log.fill("old\n", 0);
  log.restart();
  log.append("new\n");
  log.fill("old too\n", 0);
  log.open();
  EXPECT_EQ(all(log, 0, 1).lines, "new\n");
}

TEST(JournalLog, beyond_its_limit_the_oldest_lines_go_and_the_reader_hears_it) {
  const std::string long_line(10'000, 'x');
  JournalLog log(200'000);
  log.open();
  for (int i = 0; i < 100; ++i) log.append(long_line + line(i % 10));
  const auto piece = all(log, 0);
  EXPECT_GT(piece.dropped, 70U);
  EXPECT_EQ(piece.first, piece.dropped);
  EXPECT_EQ(piece.next, 100U);
  EXPECT_LE(piece.lines.size(), 200'000U);
}

TEST(JournalLog, a_reader_gets_no_more_than_it_can_take_and_all_in_the_end) {
  JournalLog log(10'000'000);
  log.open();
  std::string written;
  for (int i = 0; i < 50'000; ++i) {
    log.append(line(i));
    written += line(i);
  }
  std::string read;
  for (std::uint64_t from = 0; from < 50'000;) {
    const auto piece = log.read(from, 0, 100'000, Duration{0});
    EXPECT_LE(piece.lines.size(), 100'000U);
    EXPECT_GT(piece.next, from);
    read += piece.lines;
    from = piece.next;
  }
  EXPECT_EQ(read, written);
}

TEST(JournalLog, a_reader_of_an_old_generation_does_not_wait) {
  JournalLog log(1'000'000);
  log.open();
  log.append(line(1));
  log.restart();
  const auto piece = log.read(7, 0, 100, kForever / 4);
  EXPECT_EQ(piece.generation, 1U);
}

TEST(JournalLog, whoever_waits_wakes_for_a_line_and_for_the_end) {
  JournalLog log(1'000'000);
  log.open();
  std::thread writer([&] {
    log.append(line(1));
    log.close();
  });
  std::string read;
  for (std::uint64_t from = 0;;) {
    const auto piece = log.read(from, 0, 100, std::chrono::minutes(1));
    read += piece.lines;
    from = piece.next;
    if (piece.over) break;
  }
  writer.join();
  EXPECT_EQ(read, "1\n");
}

}  // namespace
}  // namespace retrylab::control
