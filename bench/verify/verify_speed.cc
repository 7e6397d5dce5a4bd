// SPDX-License-Identifier: MIT
// How long a large journal takes to judge:
//
//   verify_speed [OPERATIONS [named|keyed|plain]]
//
// Each operation has ten attempts, nine 503 and a 201, with full jitter between them, and all run
// at the same time. `named`: the scenario names the operations; `keyed`: only the key tells them
// apart; `plain`: a body each, and nothing else.
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "client_lib/base/random.h"
#include "server/verify/evidence.h"
#include "server/verify/rules/rules.h"
#include "server/verify/verdict.h"

namespace retrylab {
namespace {

using namespace std::chrono_literals;
using journal::Attempt;

constexpr int kAttempts = 10;

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Of this process: what a busy machine does not change much.
double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

long peak_mib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024;
}

Attempt attempt_of(std::size_t operation, int number, Instant at, const std::string& way) {
  Attempt attempt;
  attempt.connection = operation + 1;
  attempt.number_on_connection = static_cast<std::uint32_t>(number);
  attempt.client = "127.0.0.1";
  attempt.first_byte = at;
  attempt.first_byte_from_kernel = true;
  attempt.head_read = at;
  attempt.body_read = at;
  attempt.method = "POST";
  attempt.target = "/v1/payments";
  if (way != "plain") {
    attempt.key = fmt::format("8e03978e-40d5-43e8-bc93-{:012x}", operation * 7919);
    attempt.route_has_store = true;
  }
  attempt.head = fmt::format(
      "POST /v1/payments HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nUser-Agent: client/1.0\r\n"
      "Accept: */*\r\nContent-Type: application/json\r\nIdempotency-Key: {}\r\n"
      "Content-Length: 12\r\n\r\n",
      attempt.key);
  attempt.body_sha256 = sha256(way == "plain" ? std::to_string(operation) : "{}");
  if (way == "named") attempt.operation = std::to_string(operation);
  attempt.planned.source = journal::Source::script;
  attempt.planned.route = "POST /v1/payments";
  attempt.planned.step = "/routes/0/script/0";
  attempt.planned.status = number == kAttempts ? 201 : 503;
  attempt.executed = number == kAttempts;
  attempt.delivered = {.ending = journal::Ending::delivered,
                       .r_min = at + 200us,
                       .r_max = at + 210us,
                       .bytes = 150,
                       .ended = at + 210us};
  return attempt;
}

journal::Run run_of(std::size_t operations, const std::string& way) {
  journal::Run run;
  run.one_process = false;
  run.wall_origin = WallTime(1'795'000'000s);
  run.attempts.reserve(operations * kAttempts);
  Random random(1);
  for (std::size_t operation = 0; operation < operations; ++operation) {
    Instant at(1ms * static_cast<std::int64_t>(operation));
    for (int number = 1; number <= kAttempts; ++number) {
      run.attempts.push_back(attempt_of(operation, number, at, way));
      at += 1ms + random.between(0ms, std::min<Duration>(8s, 250ms * (1 << (number - 1))));
    }
  }
  std::ranges::sort(run.attempts, {}, &Attempt::first_byte);
  for (std::size_t i = 0; i < run.attempts.size(); ++i) run.attempts[i].id = i + 1;
  run.attempts_begun = run.attempts.size();
  run.ended = run.attempts.back().first_byte + 1h;
  return run;
}

void print_slow_rules(const scenario::Scenario& scenario, const std::vector<journal::Run>& runs) {
  const auto start = std::chrono::steady_clock::now();
  const verify::Evidence evidence(scenario, runs);
  fmt::print("  evidence {:.3f} s\n", seconds_since(start));
  for (const verify::Rule* rule : verify::all_rules()) {
    const auto begin = std::chrono::steady_clock::now();
    rule->judge(evidence);
    if (seconds_since(begin) > 0.02) fmt::print("  {} {:.3f} s\n", rule->id, seconds_since(begin));
  }
}

int measure(std::size_t operations, const std::string& way) {
  scenario::Scenario scenario;
  scenario.expect.backoff =
      scenario::ExpectBackoff{.base = 250ms, .cap = 8s, .jitter = scenario::Jitter::full};
  std::vector<journal::Run> runs;
  runs.push_back(run_of(operations, way));
  const long before = peak_mib();
  const double cpu_before = cpu_seconds();
  const auto start = std::chrono::steady_clock::now();
  const verify::Verdict verdict = verify::verify(scenario, runs);
  const double seconds = seconds_since(start);
  const double cpu = cpu_seconds() - cpu_before;
  fmt::print("{} operations of {} attempts, {}: {:.3f} s ({:.3f} s of CPU), verdict {}, ",
             operations, kAttempts, way, seconds, cpu, verify::word(verdict.status));
  fmt::print("{} operations found\n", verdict.operations.size());
  fmt::print("  journal {} MiB ({} bytes per attempt at least), with verdict {} MiB\n", before,
             sizeof(Attempt), peak_mib());
  print_slow_rules(scenario, runs);
  return 0;
}

}  // namespace
}  // namespace retrylab

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  const std::size_t operations = arguments.empty() ? 100'000 : std::stoul(arguments[0]);
  return retrylab::measure(operations, arguments.size() > 1 ? arguments[1] : "named");
}
