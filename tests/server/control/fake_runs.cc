// SPDX-License-Identifier: MIT
#include "tests/server/control/fake_runs.h"

#include <stdexcept>

namespace retrylab::control {

RunId FakeRuns::add(Progress progress) {
  const auto id = static_cast<RunId>(progress_of.size() + 1);
  progress_of[id] = progress;
  return id;
}

Expected<RunInfo> FakeRuns::find(RunId id) const {
  if (!failure.empty()) throw std::runtime_error(failure);
  if (!progress_of.contains(id)) return problem(Problem::Type::unknown_run, "no such run");
  return RunInfo{.id = id, .url = "http://127.0.0.1:1", .scenario_hash = "0123456789abcdef"};
}

Expected<RunInfo> FakeRuns::start(NewRun order) {
  started.push_back(std::move(order));
  return find(add());
}

std::vector<RunInfo> FakeRuns::list() const {
  std::vector<RunInfo> infos;
  for (const auto& [id, progress] : progress_of) infos.push_back(*find(id));
  return infos;
}

Expected<RunInfo> FakeRuns::info(RunId id) const {
  return find(id);
}

Expected<Progress> FakeRuns::progress(RunId id) const {
  return find(id).map([&](const RunInfo&) { return progress_of.at(id); });
}

std::vector<std::pair<RunId, std::uint64_t>> FakeRuns::activities() const {
  return {};
}

Expected<std::string> FakeRuns::scenario_text(RunId id) const {
  return find(id).map([](const RunInfo&) { return std::string("{}"); });
}

Expected<Evidence> FakeRuns::evidence(RunId id) const {
  return find(id).map([](const RunInfo&) {
    return Evidence{std::make_shared<scenario::Scenario>(), journal::Run{}};
  });
}

Expected<std::shared_ptr<JournalLog>> FakeRuns::journal(RunId id) {
  return find(id).map([&](const RunInfo&) { return log_; });
}

Expected<std::size_t> FakeRuns::timers(RunId id) const {
  return find(id).map([](const RunInfo&) { return std::size_t{0}; });
}

Expected<RunInfo> FakeRuns::reset(RunId id, std::optional<std::uint64_t> seed) {
  return find(id).map([&](RunInfo info) {
    info.seed = seed.value_or(info.seed);
    return info;
  });
}

Expected<void> FakeRuns::end(RunId id) {
  return find(id).map([&](const RunInfo&) { progress_of.erase(id); });
}

bool FakeClock::pause(Duration time) {
  now_ += time;
  if (meanwhile) meanwhile();
  return !stopped;
}

}  // namespace retrylab::control
