// SPDX-License-Identifier: MIT
#include "server/cli/flags.h"

#include <charconv>
#include <limits>
#include <string_view>

#include <fmt/format.h>

#include "client_lib/base/duration_text.h"

namespace retrylab::cli {
namespace {

constexpr std::uint32_t kMostReruns = 20;

void set_inconclusive(const std::string& text, OnInconclusive& value) {
  if (text == "pass") {
    value = {.then = Inconclusive::pass, .reruns = 0};
    return;
  }
  if (text == "fail") {
    value = {.then = Inconclusive::fail, .reruns = 0};
    return;
  }
  constexpr std::string_view kRerun = "rerun:";
  std::uint32_t reruns = 0;
  const bool named = text.starts_with(kRerun);
  const char* from = text.data() + (named ? kRerun.size() : 0);
  const auto [end, error] = std::from_chars(from, text.data() + text.size(), reruns);
  if (!named || error != std::errc() || end != text.data() + text.size() || reruns > kMostReruns) {
    throw CLI::ValidationError(
        "--inconclusive",
        fmt::format("\"{}\" is not rerun:N (N at most {}), pass or fail", text, kMostReruns));
  }
  value = {.then = Inconclusive::report, .reruns = reruns};
}

}  // namespace

CLI::App* add_subcommand(CLI::App& app, const std::string& name, const std::string& description,
                         const std::string& examples) {
  auto* command = app.add_subcommand(name, description);
  command->footer("Example:\n" + examples);
  return command;
}

void add_duration(CLI::App& command, const std::string& flag, Duration& value,
                  const std::string& description) {
  command
      .add_option_function<std::string>(
          flag,
          [flag, &value](const std::string& text) {
            const auto duration = parse_duration(text);
            if (!duration) throw CLI::ValidationError(flag, duration.error().message);
            value = *duration;
          },
          description)
      ->option_text("DURATION");
}

CLI::Validator whole_number(std::uint64_t least, std::uint64_t most) {
  const auto problem = [least, most](const std::string& text) -> std::string {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool whole = error == std::errc() && end == text.data() + text.size();
    if (whole && value >= least && value <= most) return "";
    return fmt::format("\"{}\" is not a whole number from {} to {}", text, least, most);
  };
  return {problem, ""};
}

CLI::Validator port_number() {
  return whole_number(0, std::numeric_limits<std::uint16_t>::max());
}

void add_seed(CLI::App& command, std::optional<std::uint64_t>& seed) {
  command.add_option("--seed", seed, "Seed of every random choice; printed in every report")
      ->option_text("N")
      ->check(whole_number(0, std::numeric_limits<std::uint64_t>::max()));
}

void add_inconclusive(CLI::App& command, OnInconclusive& value) {
  command
      .add_option_function<std::string>(
          "--inconclusive", [&value](const std::string& text) { set_inconclusive(text, value); },
          "What to do when the evidence was spoiled (default rerun:1)")
      ->option_text("rerun:N|pass|fail");
}

void add_statistics(CLI::App& command, verify::Statistics& value) {
  command.add_flag_callback(
      "--require-statistics", [&value] { value = verify::Statistics::required; },
      "Too few waits for a rule about jitter or growth: inconclusive");
}

}  // namespace retrylab::cli
