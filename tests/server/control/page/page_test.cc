// SPDX-License-Identifier: MIT
#include "server/control/page/page.h"

#include <regex>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace retrylab::control {
namespace {

using testing::IsEmpty;
using testing::IsSupersetOf;
using testing::Not;

std::vector<std::string> found(const PageFile& file, const std::string& expression) {
  const std::string text(file.text);
  const std::regex regex(expression);
  std::vector<std::string> found;
  for (std::sregex_iterator match(text.begin(), text.end(), regex), end; match != end; ++match) {
    found.push_back((*match)[1].str());
  }
  return found;
}

TEST(Page, HasEveryFileThatItAsksFor) {
  const auto* index = find_page_file("/");
  ASSERT_NE(index, nullptr);
  const auto asked = found(*index, R"re((?:href|src)="(page/[^"]+)")re");
  EXPECT_THAT(asked, IsSupersetOf({"page/main.js", "page/style.css"}));
  for (const auto& path : asked) EXPECT_NE(find_page_file("/" + path), nullptr) << path;
}

TEST(Page, HasEveryModuleThatAModuleImports) {
  for (const auto& file : page_files()) {
    for (const auto& name : found(file, R"re(from "\./([^"]+)")re")) {
      EXPECT_NE(find_page_file("/page/" + name), nullptr) << file.path << " imports " << name;
    }
  }
}

// Nothing that turns a text into markup or code: what clients sent is shown on this page.
TEST(Page, TurnsNoTextIntoMarkup) {
  for (const auto& file : page_files()) {
    EXPECT_THAT(found(file,
                      "(innerHTML|outerHTML|insertAdjacentHTML|document\\.write|DOMParser|"
                      "createContextualFragment|\\beval\\b|new Function|srcdoc)"),
                IsEmpty())
        << file.path;
  }
}

// The policy forbids these; here they are found before a browser is asked.
TEST(Page, HasNoInlineScriptOrStyle) {
  const auto* index = find_page_file("/");
  ASSERT_NE(index, nullptr);
  EXPECT_THAT(found(*index, R"re(\s(on\w+|style)=)re"), IsEmpty());
  EXPECT_THAT(found(*index, R"re((<script[^>]*>[^<]))re"), IsEmpty());
  EXPECT_THAT(found(*index, "(<style)"), IsEmpty());
}

// It works without a network.
TEST(Page, NamesNoOtherHost) {
  for (const auto& file : page_files()) {
    if (file.path == "/page/icon.svg") continue;  // the name of a namespace
    EXPECT_THAT(found(file, "(https?://)"), IsEmpty()) << file.path;
  }
}

TEST(Page, HasNoOtherFile) {
  EXPECT_EQ(find_page_file("/page/none.js"), nullptr);
  EXPECT_EQ(find_page_file("/page/"), nullptr);
  for (const auto& file : page_files()) EXPECT_THAT(std::string(file.text), Not(IsEmpty()));
}

}  // namespace
}  // namespace retrylab::control
