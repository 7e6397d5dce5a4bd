// SPDX-License-Identifier: MIT
// Right and wrong clients over real sockets by the hundred, for scripts/soak-verdicts, which keeps
// the host busy meanwhile:
//
//   zoo_soak [VERDICTS [JOBS]]
//
// So many verdicts on right clients and as many on wrong ones, JOBS at a time. Exit code 1 when a
// right client was failed, a wrong one was passed, or one was failed for what it did right.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "scenarios/catalogue.h"
#include "tests/zoo/live/live_cage.h"
#include "tests/zoo/right_kinds.h"

namespace retrylab::zoo {
namespace {

using namespace std::chrono_literals;
using verify::Status;

// So that a thousand of them take minutes.
constexpr Duration kLongest = 3s;
constexpr std::uint32_t kThreadsMax = 40;

struct Subject {
  std::string name;
  Cage cage;
  bool is_wrong = false;
  std::vector<std::string> rules = {};  // that may fail
};

bool is_handy(const Cage& cage) {
  const Visit& visit = cage.visit();
  return visit.runs * visit.clients <= kThreadsMax && cage.length(1) <= kLongest;
}

void add(std::vector<Subject>& subjects, Subject subject) {
  if (is_handy(subject.cage)) subjects.push_back(std::move(subject));
}

void add_stages(std::vector<Subject>& subjects) {
  for (const WrongClient& client : wrong_clients()) {
    add(subjects, {.name = client.name + ", mended", .cage = Cage(mended(client))});
    if (client.is_advice) continue;
    std::vector<std::string> rules = client.also;
    rules.push_back(client.rule);
    add(subjects, {client.name, Cage(client), true, rules});
  }
}

void add_catalogue(std::vector<Subject>& subjects) {
  for (const scenario::CatalogueEntry& entry : scenario::catalogue()) {
    const scenario::Scenario scenario = loaded(entry.text);
    for (const RightKind& kind : right_kinds()) {
      const auto& backoff = scenario.expect.backoff;
      const bool suits =
          !backoff || backoff->jitter == scenario::Jitter::any || backoff->jitter == kind.jitter;
      if (!suits || (!kind.only.empty() && kind.only != scenario.name)) continue;
      Habits habits = right_habits(declared_policy(scenario.expect, kind.jitter));
      kind.choose(habits);
      for (const Call& call : calls_for(scenario)) {
        add(subjects, {.name = fmt::format("{} at {}, {}", kind.name, entry.name, call.method),
                       .cage = Cage(scenario, habits, call, {})});
      }
    }
  }
}

struct Count {
  std::size_t verdicts = 0;
  std::size_t pass = 0;
  std::size_t fail = 0;
  std::size_t inconclusive = 0;
};

class Soak {
 public:
  Soak() {
    add_stages(subjects_);
    add_catalogue(subjects_);
  }

  void run(std::size_t verdicts, std::size_t jobs) {
    std::vector<const Subject*> queue;
    for (const bool is_wrong : {false, true}) {
      for (std::size_t i = 0; i < verdicts; ++i) queue.push_back(&nth(is_wrong, i));
    }
    // Right and wrong ones side by side.
    Random random(1);
    for (std::size_t i = queue.size(); i > 1; --i) {
      std::swap(queue[i - 1], queue[random.next() % i]);
    }
    std::atomic<std::size_t> next = 0;
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < jobs; ++i) {
      threads.emplace_back([&] {
        for (std::size_t at = next++; at < queue.size(); at = next++) judge(*queue[at], at + 1);
      });
    }
  }

  bool report(double seconds) {
    fmt::print("right: {} verdicts on {} clients: {} pass, {} inconclusive, {} fail\n",
               right_.verdicts, number(false), right_.pass, right_.inconclusive, right_.fail);
    fmt::print("wrong: {} verdicts on {} clients: {} fail, {} inconclusive, {} pass\n",
               wrong_.verdicts, number(true), wrong_.fail, wrong_.inconclusive, wrong_.pass);
    if (!spoiled_.empty()) fmt::print("inconclusive for right clients: {}\n", spoiled());
    std::ranges::sort(lags_);
    fmt::print("worst lag of the host during a verdict: median {} ms, most {} ms; {:.0f} s\n",
               lags_[lags_.size() / 2] / 1ms, lags_.back() / 1ms, seconds);
    return problems_ == 0;
  }

 private:
  std::string spoiled() const {
    std::string text;
    for (const auto& [id, count] : spoiled_) text += fmt::format("{} {}, ", id, count);
    return text.substr(0, text.size() - 2);
  }

  std::size_t number(bool is_wrong) const {
    return static_cast<std::size_t>(std::ranges::count(subjects_, is_wrong, &Subject::is_wrong));
  }

  const Subject& nth(bool is_wrong, std::size_t i) const {
    i %= number(is_wrong);
    const auto is_it = [&](const Subject& one) { return one.is_wrong == is_wrong && i-- == 0; };
    return *std::ranges::find_if(subjects_, is_it);
  }

  void judge(const Subject& subject, std::uint64_t seed) {
    const auto look = subject.is_wrong ? judge_wrong_live : judge_live;
    const verify::Verdict verdict = look(subject.cage, loop_, seed);
    const std::lock_guard lock(mutex_);
    lags_.push_back(verdict.worst_lag);
    Count& count = subject.is_wrong ? wrong_ : right_;
    ++count.verdicts;
    if (verdict.status == Status::pass) ++count.pass;
    if (verdict.status == Status::fail) ++count.fail;
    if (verdict.status == Status::inconclusive) ++count.inconclusive;
    if (!subject.is_wrong) {
      for (const std::string& id : ids_with(verdict, Status::inconclusive)) ++spoiled_[id];
    }
    if (is_right(subject, verdict)) return;
    ++problems_;
    fmt::print("{}, seed {}: {}\n", subject.name, seed, story(verdict));
  }

  static bool is_right(const Subject& subject, const verify::Verdict& verdict) {
    if (subject.is_wrong && verdict.status == Status::pass) return false;
    // A statistic that loses waits to the host's lateness may leave the word to its neighbour.
    const bool is_shape = std::ranges::any_of(
        subject.rules, [](const std::string& id) { return id.starts_with("BO-"); });
    const bool is_spoiled = is_shape && verdict.worst_lag > 10ms;
    return std::ranges::all_of(ids_with(verdict, Status::fail), [&](const std::string& id) {
      return std::ranges::count(subject.rules, id) > 0 || (is_spoiled && id.starts_with("BO-"));
    });
  }

  std::vector<Subject> subjects_;
  runs::Loop loop_;
  std::mutex mutex_;  // guards what follows
  Count right_;
  Count wrong_;
  std::vector<Duration> lags_;
  std::map<std::string, std::size_t> spoiled_;  // how often which rule was inconclusive
  std::size_t problems_ = 0;
};

}  // namespace
}  // namespace retrylab::zoo

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  const std::size_t verdicts = arguments.empty() ? 1000 : std::stoul(arguments[0]);
  const std::size_t jobs = arguments.size() > 1 ? std::stoul(arguments[1]) : 64;
  retrylab::zoo::Soak soak;
  const auto start = std::chrono::steady_clock::now();
  soak.run(verdicts, jobs);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  return soak.report(took.count()) ? 0 : 1;
}
