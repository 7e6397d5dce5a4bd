// SPDX-License-Identifier: MIT
#include "client_lib/cli/policy_flags.h"

#include <array>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string_view>

#include <nlohmann/json.hpp>

#include "client_lib/retry/policy_json.h"
#include "client_lib/retry/presets.h"

namespace retrylab::cli {
namespace {

using Json = nlohmann::ordered_json;

// How the text of a flag becomes a JSON value.
enum class Form { text, number, list_of_numbers, list_of_texts, json };

struct Flag {
  const char* name;  // of the flag; with "_" for "-" it is the member
  Form form;
  const char* help;
};

constexpr std::array<Flag, 19> kFlags{{
    {"--attempts", Form::number, "Attempts at most, the first included"},
    {"--base", Form::text, "First wait's ceiling: 250ms"},
    {"--factor", Form::number, "Growth of the ceiling: 2"},
    {"--cap", Form::text, "Longest wait: 8s"},
    {"--first-ceiling", Form::text, "base, double"},
    {"--jitter", Form::text, "none, full, equal, decorrelated, proportional"},
    {"--jitter-spread", Form::number, "Of proportional jitter: 0.2"},
    {"--deadline", Form::text, "For the whole operation: 30s, none"},
    {"--attempt-timeout", Form::text, "For one attempt: 10s, none"},
    {"--retry-after", Form::text, "honour_or_fail, honour_or_back_off, clamp, ignore"},
    {"--retry-after-limit", Form::text, "Longest wait taken from the server; default: the cap"},
    {"--retry-after-spread", Form::text, "Drawn on top of the server's wait: 250ms"},
    {"--retry-after-headers", Form::list_of_texts, "retry-after,retry-after-ms,..."},
    {"--statuses", Form::list_of_numbers, "Answers worth a retry: 429,503"},
    {"--methods", Form::list_of_texts, "Methods repeated without a key: GET,PUT or *"},
    {"--should-retry", Form::text, "x-should-retry: ignore, heed_no, heed"},
    {"--redirects", Form::number, "How many redirects are followed: 0"},
    {"--budget", Form::json, "Retry budget as JSON"},
    {"--breaker", Form::json, "Circuit breaker as JSON"},
}};

std::string member_of(std::string_view flag) {
  std::string name(flag.substr(2));
  for (char& letter : name) {
    if (letter == '-') letter = '_';
  }
  return name;
}

// A number when it reads as one; else the text, which the policy's reader then refuses.
Json number_or_text(const std::string& text) {
  const Json parsed = Json::parse(text, nullptr, false);
  return parsed.is_number() ? parsed : Json(text);
}

Json list_of(const std::string& text, bool numbers) {
  Json list = Json::array();
  std::istringstream items(text);
  for (std::string item; std::getline(items, item, ',');) {
    list.push_back(numbers ? number_or_text(item) : Json(item));
  }
  return list;
}

Json value_of(Form form, const std::string& text) {
  switch (form) {
    case Form::text:
      return text;
    case Form::number:
      return number_or_text(text);
    case Form::list_of_numbers:
      return list_of(text, true);
    case Form::list_of_texts:
      return list_of(text, false);
    case Form::json:
      break;
  }
  const Json parsed = Json::parse(text, nullptr, false);
  return parsed.is_discarded() ? Json(text) : parsed;
}

// A preset's name, JSON text, or a file.
Result<std::string> policy_text(const std::string& policy) {
  if (find_preset(policy)) return R"({"preset": ")" + policy + "\"}";
  if (policy.starts_with('{')) return policy;
  std::ifstream file(policy);
  if (file) return std::string(std::istreambuf_iterator<char>(file), {});
  std::string known;
  for (const std::string_view name : preset_names()) known += " " + std::string(name);
  return fail(ErrorCode::invalid_argument, "--policy",
              "\"" + policy + "\" is no file, no JSON object and none of:" + known);
}

}  // namespace

void add_policy_flags(CLI::App& app, PolicyFlags& flags) {
  constexpr const char* kGroup = "Policy";
  app.add_option("--policy", flags.policy, "A preset, a file, or JSON text")
      ->capture_default_str()
      ->group(kGroup);
  for (const Flag& flag : kFlags) {
    const auto keep = [&flags, member = member_of(flag.name)](const std::string& text) {
      flags.members[member] = text;
    };
    app.add_option_function<std::string>(flag.name, keep, flag.help)->group(kGroup);
  }
}

Result<Policy> policy_of(const PolicyFlags& flags) {
  const Result<std::string> text = policy_text(flags.policy);
  if (!text) return tl::unexpected(text.error());
  // Checked as it is first, so that mistakes that merging would hide are named.
  const Result<Policy> base = policy_from_json(*text);
  if (!base || flags.members.empty()) return base;
  Json merged = Json::parse(*text);
  for (const Flag& flag : kFlags) {
    const auto given = flags.members.find(member_of(flag.name));
    if (given != flags.members.end()) merged[given->first] = value_of(flag.form, given->second);
  }
  return policy_from_json(merged.dump());
}

}  // namespace retrylab::cli
