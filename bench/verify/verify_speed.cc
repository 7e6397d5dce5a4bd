// SPDX-License-Identifier: MIT
// How long a large journal takes to read and to judge, and what memory that takes:
//
//   verify_speed [OPERATIONS [named|keyed|plain [alone]]]
//
// Each operation has ten attempts, nine 503 and a 201, with full jitter between them, and all run
// at the same time. `named`: the scenario names the operations; `keyed`: only the key tells them
// apart; `plain`: a body each, and nothing else. The journal is written line by line and read as a
// file of it would be; writing is measured by itself and subtracted. `alone`: one thread.
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "client_lib/base/random.h"
#include "server/journal/ndjson.h"
#include "server/runs/in_parallel.h"
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

// One arrival of the workload.
struct Arrival {
  Instant at;
  std::uint32_t operation = 0;
  int number = 1;  // from 1, of its operation
};

std::vector<Arrival> arrivals_of(std::size_t operations) {
  std::vector<Arrival> arrivals;
  arrivals.reserve(operations * kAttempts);
  Random random(1);
  for (std::size_t operation = 0; operation < operations; ++operation) {
    Instant at(1ms * static_cast<std::int64_t>(operation));
    for (int number = 1; number <= kAttempts; ++number) {
      arrivals.push_back({at, static_cast<std::uint32_t>(operation), number});
      at += 1ms + random.between(0ms, std::min<Duration>(8s, 250ms * (1 << (number - 1))));
    }
  }
  std::ranges::sort(arrivals, {}, &Arrival::at);
  return arrivals;
}

Attempt attempt_of(const Arrival& arrival, const std::string& way) {
  const auto [at, operation, number] = arrival;
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
    attempt.key = fmt::format("8e03978e-40d5-43e8-bc93-{:012x}", operation * 7919ULL);
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

// Every line of the journal, one after the other.
void write_journal(const std::vector<Arrival>& arrivals, const std::string& way,
                   const journal::NdjsonSink::Write& write) {
  journal::NdjsonSink sink(write, "bench");
  journal::Run run;
  run.one_process = false;
  run.wall_origin = WallTime(1'795'000'000s);
  sink.run_started(run);
  for (const Arrival& arrival : arrivals) {
    Attempt attempt = attempt_of(arrival, way);
    attempt.id = ++run.attempts_begun;
    sink.begun(attempt);
    sink.ended(attempt);
  }
  run.ended = arrivals.back().at + 1h;
  sink.run_ended(run);
}

// What passed since it was made, on the clock and of the processors.
class Stopwatch {
 public:
  double seconds() const { return seconds_since(start_); }
  double cpu() const { return cpu_seconds() - cpu_; }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  double cpu_ = cpu_seconds();
};

std::vector<journal::Run> read_journal(const std::vector<Arrival>& arrivals,
                                       const std::string& way) {
  std::size_t bytes = 0;
  const Stopwatch writing;
  write_journal(arrivals, way, [&](std::string_view line) { bytes += line.size(); });
  const double written = writing.seconds();
  journal::NdjsonReader reader;
  bool is_right = true;
  const Stopwatch both;
  write_journal(arrivals, way,
                [&](std::string_view line) { is_right = is_right && reader.feed(line); });
  auto journal = reader.finish();
  if (!is_right || !journal) throw std::runtime_error("the journal cannot be read");
  const double seconds = both.seconds() - written;
  const double megabytes = static_cast<double>(bytes) / 1e6;
  fmt::print("  read {:.0f} MB in {:.3f} s ({:.0f} MB/s): {} MiB, {} of them records\n", megabytes,
             seconds, megabytes / seconds, peak_mib(), (sizeof(Attempt) * arrivals.size()) >> 20U);
  return std::move(journal->runs);
}

void print_parts(const scenario::Scenario& scenario, const std::vector<journal::Run>& runs,
                 const verify::InParallel& in_parallel) {
  const Stopwatch grouping;
  const auto groups = journal::group_operations(runs.front(), {}, in_parallel);
  fmt::print("  of it grouping {:.3f} s\n", grouping.seconds());
  const Stopwatch building;
  const verify::Evidence evidence(scenario, runs, in_parallel);
  fmt::print("  grouping and evidence {:.3f} s\n", building.seconds());
  for (const verify::Rule* rule : verify::all_rules()) {
    const Stopwatch judging;
    rule->judge(evidence);
    if (judging.seconds() > 0.02) fmt::print("  {} {:.3f} s\n", rule->id, judging.seconds());
  }
}

int measure(std::size_t operations, const std::string& way, const verify::InParallel& in_parallel) {
  scenario::Scenario scenario;
  scenario.expect.backoff =
      scenario::ExpectBackoff{.base = 250ms, .cap = 8s, .jitter = scenario::Jitter::full};
  fmt::print("{} operations of {} attempts, {}\n", operations, kAttempts, way);
  const std::vector<journal::Run> runs = read_journal(arrivals_of(operations), way);
  const Stopwatch judging;
  const verify::Verdict verdict =
      verify::verify(scenario, runs, verify::Statistics::where_possible, in_parallel);
  fmt::print("  judged in {:.3f} s ({:.3f} s of CPU): {}, {} operations found; {} MiB at most\n",
             judging.seconds(), judging.cpu(), verify::word(verdict.status),
             verdict.operations.size(), peak_mib());
  print_parts(scenario, runs, in_parallel);
  return 0;
}

}  // namespace
}  // namespace retrylab

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  const std::size_t operations = arguments.empty() ? 100'000 : std::stoul(arguments[0]);
  const bool is_alone = arguments.size() > 2 && arguments[2] == "alone";
  return retrylab::measure(operations, arguments.size() > 1 ? arguments[1] : "named",
                           is_alone
                               ? retrylab::verify::InParallel(retrylab::verify::one_after_the_other)
                               : retrylab::runs::in_parallel);
}
