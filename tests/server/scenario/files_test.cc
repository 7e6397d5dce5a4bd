// SPDX-License-Identifier: MIT
// good/: files that load. bad/: files whose mistakes are listed in mistakes.txt, all of them, with
// their places.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "scenarios/catalogue.h"
#include "server/scenario/load.h"

namespace retrylab::scenario {
namespace {

const std::filesystem::path kFolder = RETRYLAB_SCENARIO_TESTS;

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// body_file is relative to the scenario's folder.
Result<std::string> read_beside(const std::string& name) {
  const std::filesystem::path path = kFolder / "good" / name;
  if (std::filesystem::exists(path)) return read_file(path);
  return fail(ErrorCode::machine, "", "there is no such file");
}

struct Expected {
  std::string place;  // "3:5"
  std::string pointer;
  std::string part;
};

struct BadFile {
  std::string name;
  std::vector<Expected> mistakes;
};

std::vector<BadFile> bad_files() {
  std::ifstream table(kFolder / "mistakes.txt");
  std::vector<BadFile> files;
  for (std::string line; std::getline(table, line);) {
    if (line.empty() || line.starts_with("#")) continue;
    if (!line.starts_with(" ")) {
      files.push_back({line.substr(0, line.find(' ')), {}});
      continue;
    }
    const std::size_t blank = line.find(' ', 2);
    const std::size_t bar = line.find(" | ");
    files.back().mistakes.push_back(
        {line.substr(2, blank - 2), line.substr(blank + 1, bar - blank - 1), line.substr(bar + 3)});
  }
  return files;
}

bool fits(const Mistake& found, const Expected& wanted) {
  const std::string pointer = wanted.pointer == "." ? "" : wanted.pointer;
  return fmt::format("{}:{}", found.line, found.column) == wanted.place &&
         (pointer == "*" || found.pointer == pointer) &&
         found.message.find(wanted.part) != std::string::npos;
}

TEST(BadFiles, report_all_their_mistakes_in_order_and_no_other) {
  for (const BadFile& file : bad_files()) {
    SCOPED_TRACE(file.name);
    const auto loaded = load(read_file(kFolder / "bad" / file.name), read_beside);
    ASSERT_FALSE(loaded) << "it loads";
    const std::vector<Mistake>& found = loaded.error();
    for (std::size_t i = 0; i < std::max(found.size(), file.mistakes.size()); ++i) {
      const bool same =
          i < found.size() && i < file.mistakes.size() && fits(found[i], file.mistakes[i]);
      EXPECT_TRUE(same) << "expected: "
                        << (i < file.mistakes.size()
                                ? file.mistakes[i].place + " " + file.mistakes[i].part
                                : "nothing more")
                        << "\nfound:    "
                        << (i < found.size() ? describe(file.name, found[i]) : "nothing more");
    }
  }
}

TEST(BadFiles, are_all_in_the_table) {
  std::set<std::string> listed;
  for (const BadFile& file : bad_files()) listed.insert(file.name);
  std::set<std::string> present;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder / "bad")) {
    present.insert(entry.path().filename().string());
  }
  EXPECT_EQ(listed, present);
}

TEST(GoodFiles, load) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder / "good")) {
    if (entry.path().extension() != ".json") continue;
    ++count;
    const auto loaded = load(read_file(entry.path()), read_beside);
    if (loaded) continue;
    for (const Mistake& mistake : loaded.error()) {
      ADD_FAILURE() << describe(entry.path().filename().string(), mistake);
    }
  }
  EXPECT_GE(count, 6);
}

TEST(GoodFiles, cut_off_anywhere_are_refused_and_nothing_breaks) {
  const std::string text = read_file(kFolder / "good" / "every-member.json");
  const std::size_t end = text.find_last_of('}');
  ASSERT_TRUE(load(text, read_beside));
  for (std::size_t size = 0; size < end; size += 3) {
    const auto loaded = load(std::string_view(text).substr(0, size), read_beside);
    ASSERT_FALSE(loaded) << "cut after " << size << " bytes";
    ASSERT_EQ(loaded.error().back().message.find("this is not JSON"), 0U) << size;
  }
}

TEST(GoodFiles, with_bytes_replaced_load_or_report_a_place) {
  std::string text = read_file(kFolder / "good" / "every-member.json");
  for (std::size_t at = 0; at < text.size(); at += 11) {
    for (const char byte : {'"', '{', '0', '\\', '\xFF'}) {
      const char before = std::exchange(text[at], byte);
      const auto loaded = load(text, read_beside);
      text[at] = before;
      if (loaded) continue;
      for (const Mistake& mistake : loaded.error()) {
        ASSERT_GT(mistake.line, 0) << "byte " << at;
        ASSERT_GT(mistake.column, 0) << "byte " << at;
        ASSERT_FALSE(mistake.message.empty()) << "byte " << at;
      }
    }
  }
}

TEST(Catalogue, loads_and_is_named_like_its_files) {
  EXPECT_GE(catalogue().size(), 20U);
  EXPECT_TRUE(std::ranges::is_sorted(catalogue(), {}, &CatalogueEntry::name));
  for (const CatalogueEntry& entry : catalogue()) {
    SCOPED_TRACE(entry.name);
    const auto loaded = load(entry.text, nullptr);
    if (!loaded) {
      for (const Mistake& mistake : loaded.error()) ADD_FAILURE() << describe(entry.name, mistake);
      continue;
    }
    EXPECT_EQ(loaded->name, entry.name);
    EXPECT_GT(loaded->about.size(), 40U) << "about: what happens, what a right client does";
    EXPECT_TRUE(loaded->expect.attempts);
  }
}

}  // namespace
}  // namespace retrylab::scenario
