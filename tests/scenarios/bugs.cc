// SPDX-License-Identifier: MIT
#include "tests/scenarios/bugs.h"

namespace retrylab::bugs {

using zoo::Habits;
using zoo::Progress;

Change asks(std::function<Asked(const Progress&, Asked right)> understood) {
  return [understood](Habits& habits) {
    habits.asked = [understood, right = habits.asked](const Progress& progress) {
      return understood(progress, right(progress));
    };
  };
}

Change waits(std::function<Duration(Duration)> changed) {
  return asks(
      [changed](const Progress&, Asked right) { return right ? Asked(changed(*right)) : right; });
}

Change retries(std::function<bool(const Progress&, bool right)> decided) {
  return [decided](Habits& habits) {
    habits.retries = [decided, right = habits.retries](const Progress& progress) {
      return decided(progress, right(progress));
    };
  };
}

Change sends(std::function<void(const Progress&, sim::Send&)> changed) {
  return [changed](Habits& habits) {
    habits.request = [changed, right = habits.request](const Progress& progress) {
      sim::Send request = right(progress);
      changed(progress, request);
      return request;
    };
  };
}

std::string answer_header(const Progress& progress, const std::string& name) {
  return std::string(find_header(progress.outcome.response.headers, name).value_or(""));
}

std::vector<Bug> all_bugs() {
  std::vector<Bug> all;
  for (const auto& some :
       {bugs_of_waits(), bugs_of_backoff(), bugs_of_bodies(), bugs_of_downloads()}) {
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

}  // namespace retrylab::bugs
