// SPDX-License-Identifier: MIT
#include "tests/zoo/live/live_cage.h"

#include <charconv>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "client_lib/base/check.h"
#include "tests/zoo/live/driver.h"

namespace retrylab::zoo {
namespace {

using Clients = std::vector<std::unique_ptr<sim::Client>>;

std::uint16_t port_of(const std::string& url) {
  std::uint16_t port = 0;
  std::from_chars(url.data() + url.rfind(':') + 1, url.data() + url.size(), port);
  return port;
}

journal::ClientEnd end_of(const sim::Done& done) {
  using Outcome = journal::ClientEnd::Outcome;
  if (done.hangs) return {.outcome = Outcome::hung};
  return {.outcome = done.success ? Outcome::success : Outcome::failure, .declared = true};
}

// One run with its clients, each on a thread and a port of its own.
class Show {
 public:
  Show(const scenario::Scenario& scenario, runs::Loop& loop, Clients clients,
       runs::RunOptions options, Duration apart)
      : clients_(std::move(clients)) {
    options.listeners = static_cast<std::uint32_t>(clients_.size());
    options.processes = options.listeners;
    auto run = runs::LiveRun::start(scenario, loop, std::move(options));
    CHECK(run.has_value());
    run_ = *std::move(run);
    for (std::size_t i = 0; i < clients_.size(); ++i) {
      threads_.emplace_back([this, i, apart] { act(i, apart * static_cast<std::int64_t>(i)); });
    }
  }

  // Once, when all clients are done.
  journal::Run finish() {
    for (std::thread& thread : threads_) thread.join();
    return run_->stop();
  }

 private:
  void act(std::size_t i, Duration after) {
    std::this_thread::sleep_until(program_.start + after);
    run_->client_ended(end_of(drive(*clients_[i], program_, port_of(run_->urls()[i]))));
  }

  Clients clients_;
  Program program_;
  std::unique_ptr<runs::LiveRun> run_;
  std::vector<std::thread> threads_;
};

}  // namespace

verify::Verdict judge_live(const Cage& cage, runs::Loop& loop, std::uint64_t seed) {
  std::vector<std::unique_ptr<Show>> shows;
  for (std::uint32_t i = 0; i < cage.visit().runs; ++i) {
    const std::uint64_t run_seed = cage.run_seed(seed, i);
    shows.push_back(std::make_unique<Show>(cage.scenario(), loop, cage.clients(run_seed),
                                           runs::RunOptions{.number = i + 1, .seed = run_seed},
                                           cage.visit().apart));
  }
  std::vector<journal::Run> runs;
  for (const auto& show : shows) runs.push_back(show->finish());
  return verify::verify(cage.scenario(), runs);
}

verify::Verdict judge_wrong_live(const Cage& cage, runs::Loop& loop, std::uint64_t seed) {
  verify::Verdict verdict = judge_live(cage, loop, seed);
  for (int looks = 1; looks < 3 && verdict.status == verify::Status::pass; ++looks) {
    verdict = judge_live(cage, loop, seed);
  }
  return verdict;
}

}  // namespace retrylab::zoo
