// SPDX-License-Identifier: MIT
#include "server/runner/outcome.h"

#include <nlohmann/json.hpp>

namespace retrylab::runner {
namespace {

constexpr std::size_t kLongestLine = 64'000;

std::string text_member(const nlohmann::json& object, const char* name) {
  const auto member = object.find(name);
  return member != object.end() && member->is_string() ? member->get<std::string>() : "";
}

}  // namespace

std::optional<Declared> parse_declared(std::string_view text) {
  // A cheap look first: most output is not JSON.
  if (text.find('{') == std::string_view::npos) return std::nullopt;
  const auto object = nlohmann::json::parse(text, nullptr, false);
  if (!object.is_object()) return std::nullopt;
  Declared declared;
  const auto word = text_member(object, "outcome");
  if (word == "success") {
    declared.outcome = journal::ClientEnd::Outcome::success;
  } else if (word == "failure") {
    declared.outcome = journal::ClientEnd::Outcome::failure;
  } else {
    return std::nullopt;
  }
  const auto status = object.find("status");
  if (status != object.end() && status->is_number_unsigned() && *status < 1000) {
    declared.status = status->get<int>();
  }
  declared.body_sha256 = text_member(object, "body_sha256");
  declared.reason = text_member(object, "reason");
  return declared;
}

void OutcomeReader::feed(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto end = bytes.find('\n');
    const auto piece = bytes.substr(0, end);
    too_long_ = too_long_ || line_.size() + piece.size() > kLongestLine;
    if (!too_long_) line_ += piece;
    if (end == std::string_view::npos) return;
    end_line();
    bytes.remove_prefix(end + 1);
  }
}

std::optional<Declared> OutcomeReader::finish() {
  end_line();
  return last_;
}

void OutcomeReader::end_line() {
  if (!too_long_) {
    if (auto declared = parse_declared(line_)) last_ = std::move(declared);
  }
  line_.clear();
  too_long_ = false;
}

}  // namespace retrylab::runner
