// SPDX-License-Identifier: MIT
#include "server/engine/shared_answers.h"

#include <algorithm>

#include <fmt/format.h>

namespace retrylab::engine {
namespace {

using scenario::Framing;
using scenario::HeaderTemplate;
using scenario::Step;

bool is_plain(const Framing& framing) {
  return framing.kind == Framing::Kind::content_length && framing.lengths.empty() &&
         framing.trailers.empty() && framing.bad_size.empty() && framing.last_chunk;
}

bool is_literal(const HeaderTemplate& header) {
  return header.value.is_literal();
}

// Nothing of its own but what text_of() tells.
bool is_ordinary(const Step& step) {
  const bool says_only_so = step.status && !step.retry_after && !step.encoding &&
                            step.ranges == scenario::Ranges::ignored && step.interim.empty() &&
                            !step.executes && !step.chance;
  const bool is_plainly_sent = is_plain(step.framing) && !step.expect_continue.withheld &&
                               step.expect_continue.after == Duration(0) && !step.delay &&
                               step.pace.empty() && step.write_sizes.empty() && step.faults.empty();
  const bool is_text = !step.body || (step.body->text && step.body->text->is_literal());
  return says_only_so && is_plainly_sent && is_text && step.times == 1 && !step.lasts &&
         !step.lasts_until_retry_after && std::ranges::all_of(step.headers, is_literal);
}

// Each part behind its length, so that no two steps have one text.
void append(std::string& text, std::string_view part) {
  fmt::format_to(std::back_inserter(text), "{}:{}", part.size(), part);
}

std::string text_of(const Step& step) {
  std::string text = fmt::format("{} {} ", *step.status, step.minor_version);
  append(text, step.reason);
  for (const HeaderTemplate& header : step.headers) {
    append(text, header.name);
    append(text, header.value.literal());
  }
  if (!step.body) return text;
  text += step.body->escapes_json ? " json " : " text ";
  append(text, step.body->content_type);
  append(text, step.body->text->literal());
  return text;
}

}  // namespace

const Step& SharedAnswers::of(const Step& step) {
  return is_ordinary(step) ? *by_text_.try_emplace(text_of(step), &step).first->second : step;
}

}  // namespace retrylab::engine
