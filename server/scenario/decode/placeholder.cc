// SPDX-License-Identifier: MIT
// placeholder = "resource.id" | "attempt" | "request.method" | "request.path" | "request.body"
//             | "request.query." NAME | "request.header." NAME | "run.url" | now
// now         = "now" [ ("+" | "-") duration ] "|" ("imf" | "rfc850" | "asctime" | "epoch" |
// "epoch_ms")
#include <array>
#include <span>

#include <fmt/format.h>

#include "client_lib/base/duration_text.h"
#include "server/scenario/decode/decode.h"
#include "server/scenario/json/nearest.h"
#include "server/scenario/json/read.h"

namespace retrylab::scenario::decode {
namespace {

using Kind = Placeholder::Kind;
using NowForm = Placeholder::NowForm;

constexpr std::array<Word<Kind>, 6> kPlain{{{"resource.id", Kind::resource_id},
                                            {"attempt", Kind::attempt},
                                            {"request.method", Kind::request_method},
                                            {"request.path", Kind::request_path},
                                            {"request.body", Kind::request_body},
                                            {"run.url", Kind::run_url}}};

constexpr std::array<Word<Kind>, 2> kNamed{
    {{"request.query.", Kind::request_query}, {"request.header.", Kind::request_header}}};

constexpr std::array<Word<NowForm>, 5> kForms{{{"imf", NowForm::imf},
                                               {"rfc850", NowForm::rfc850},
                                               {"asctime", NowForm::asctime},
                                               {"epoch", NowForm::epoch},
                                               {"epoch_ms", NowForm::epoch_ms}}};

constexpr std::array<std::string_view, 9> kKnown{
    "resource.id",         "attempt",      "request.method", "request.path", "request.query.NAME",
    "request.header.NAME", "request.body", "run.url",        "now+60s|imf"};

bool read_now(std::string_view text, Placeholder& placeholder) {
  placeholder.kind = Kind::now;
  const std::size_t bar = text.find('|');
  if (bar == std::string_view::npos) return false;
  const std::string_view form = text.substr(bar + 1);
  const std::string_view offset = text.substr(3, bar - 3);
  if (!offset.empty()) {
    const auto wait = parse_duration(offset.substr(1));
    if (!wait || (offset[0] != '+' && offset[0] != '-')) return false;
    placeholder.offset = offset[0] == '-' ? -*wait : *wait;
  }
  for (const auto& entry : kForms) {
    if (entry.word != form) continue;
    placeholder.form = entry.value;
    return true;
  }
  return false;
}

}  // namespace

std::optional<Placeholder> read_placeholder(const Node& node, std::string_view text,
                                            Mistakes& mistakes) {
  Placeholder placeholder;
  for (const auto& entry : kPlain) {
    placeholder.kind = entry.value;
    if (entry.word == text) return placeholder;
  }
  for (const auto& entry : kNamed) {
    placeholder.kind = entry.value;
    placeholder.argument = text.substr(std::min(entry.word.size(), text.size()));
    if (text.starts_with(entry.word) && json::is_token(placeholder.argument)) return placeholder;
  }
  placeholder.argument = "";
  if (text.starts_with("now")) {
    if (read_now(text, placeholder)) return placeholder;
    mistakes.add(node, fmt::format("{{{{{}}}}} is not a time: write {{{{now+60s|imf}}}}, with imf, "
                                   "rfc850, asctime, epoch or epoch_ms",
                                   text));
    return std::nullopt;
  }
  mistakes.add(node,
               fmt::format("{{{{{}}}}} is no placeholder; {}", text, json::advice(text, kKnown)));
  return std::nullopt;
}

}  // namespace retrylab::scenario::decode
