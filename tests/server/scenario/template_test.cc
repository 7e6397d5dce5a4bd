// SPDX-License-Identifier: MIT
// Text with placeholders, split at load.
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "client_lib/base/duration_text.h"
#include "tests/server/scenario/loading.h"

namespace retrylab::scenario {
namespace {

// Literals as they are, placeholders as <kind argument offset form>.
std::string dump(const Template& text) {
  std::string all;
  for (const TemplatePiece& piece : text.pieces) {
    if (const auto* literal = std::get_if<std::string>(&piece)) {
      all += *literal;
      continue;
    }
    const auto& one = std::get<Placeholder>(piece);
    all += fmt::format("<{} {} {} {}>", static_cast<int>(one.kind), one.argument,
                       format_duration(one.offset), static_cast<int>(one.form));
  }
  return all;
}

TEST(Template, splits_text_into_literals_and_placeholders) {
  struct Row {
    std::string text;
    std::string dumped;
  };
  const std::vector<Row> rows{{"plain", "plain"},
                              {"a {{attempt}} b", "a <1  0s 0> b"},
                              {"{{resource.id}}{{run.url}}", "<0  0s 0><7  0s 0>"},
                              {"{{request.method}}", "<2  0s 0>"},
                              {"{{request.path}}", "<3  0s 0>"},
                              {"{{request.query.page}}", "<4 page 0s 0>"},
                              {"{{request.header.X-Op-Id}}", "<5 X-Op-Id 0s 0>"},
                              {"{{request.body}}", "<6  0s 0>"},
                              {"{{now|imf}}", "<8  0s 0>"},
                              {"{{now+60s|rfc850}}", "<8  1m 1>"},
                              {"{{now-1.5s|asctime}}", "<8  -1500ms 2>"},
                              {"{{now+1h|epoch}}", "<8  1h 3>"},
                              {"{{now+1h|epoch_ms}}", "<8  1h 4>"},
                              {"} } { {", "} } { {"}};
  for (const Row& row : rows) {
    const Step step = loaded_step(R"({"status": 200, "body": ")" + row.text + "\"}");
    EXPECT_EQ(dump(*step.body->text), row.dumped) << row.text;
  }
}

TEST(Template, in_json_stands_inside_strings_and_escapes_around_them) {
  const Step step = loaded_step(
      R"({"status": 200, "json": {"q\"": ["{{attempt}}", {"{{attempt}}": "a\n{{run.url}}\""}]}})");
  EXPECT_TRUE(step.body->escapes_json);
  EXPECT_EQ(dump(*step.body->text), R"({"q\"":["<1  0s 0>",{"<1  0s 0>":"a\n<7  0s 0>\""}]})");
}

TEST(Template, in_headers_works_too) {
  const Step step =
      loaded_step(R"({"status": 200, "headers": {"Expires": "{{now+60s|imf}}", "A": "b"}})");
  EXPECT_EQ(dump(step.headers[0].value), "<8  1m 0>");
  EXPECT_FALSE(step.headers[0].value.is_literal());
  EXPECT_EQ(step.headers[1].value.literal(), "b");
}

}  // namespace
}  // namespace retrylab::scenario
