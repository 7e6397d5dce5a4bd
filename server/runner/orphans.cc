// SPDX-License-Identifier: MIT
#include "server/runner/orphans.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

namespace retrylab::runner {
namespace {

// A client that forks faster than that is not stopped by looking again.
constexpr int kRoundsMax = 50;

std::optional<pid_t> pid_of(const std::filesystem::path& folder) {
  const std::string name = folder.filename();
  pid_t pid = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), pid);
  if (error != std::errc() || end != name.data() + name.size()) return std::nullopt;
  return pid;
}

std::string content_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Entries end with a zero byte.
bool has_entry(std::string_view environment, std::string_view mark) {
  for (auto at = environment.find(mark); at != std::string_view::npos;
       at = environment.find(mark, at + 1)) {
    const auto end = at + mark.size();
    const bool begins = at == 0 || environment[at - 1] == '\0';
    if (begins && (end == environment.size() || environment[end] == '\0')) return true;
  }
  return false;
}

// The fourth field of "pid (name) state ppid ...", where the name may hold anything.
std::optional<pid_t> parent_of(const std::string& stat) {
  const auto end_of_name = stat.rfind(") ");
  if (end_of_name == std::string::npos || end_of_name + 4 >= stat.size()) return std::nullopt;
  pid_t parent = 0;
  std::from_chars(stat.data() + end_of_name + 4, stat.data() + stat.size(), parent);
  return parent;
}

template <typename Wanted>
std::vector<pid_t> processes(const Wanted& wanted) {
  std::vector<pid_t> found;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", error)) {
    const auto pid = pid_of(entry.path());
    if (pid && *pid != getpid() && wanted(entry.path())) found.push_back(*pid);
  }
  return found;
}

}  // namespace

void adopt_orphans() {
  prctl(PR_SET_CHILD_SUBREAPER, 1);
}

std::size_t end_orphans(pid_t leader, const std::string& mark) {
  std::set<pid_t> ended;
  for (int round = 0; round < kRoundsMax; ++round) {
    const auto orphans = processes([&](const std::filesystem::path& folder) {
      return has_entry(content_of(folder / "environ"), mark);
    });
    bool is_new = false;
    for (const pid_t pid : orphans) {
      if (pid == leader) continue;
      kill(pid, SIGKILL);
      is_new = ended.insert(pid).second || is_new;
    }
    // Those that were adopted; a zombie has no environment any more.
    for (const pid_t pid : ended) waitpid(pid, nullptr, WNOHANG);
    if (!is_new) break;
  }
  return ended.size();
}

std::set<pid_t> children() {
  const auto found = processes([](const std::filesystem::path& folder) {
    return parent_of(content_of(folder / "stat")) == getpid();
  });
  return {found.begin(), found.end()};
}

void end_children_except(const std::set<pid_t>& kept) {
  for (int round = 0; round < kRoundsMax; ++round) {
    bool is_new = false;
    for (const pid_t pid : children()) {
      if (kept.contains(pid)) continue;
      kill(pid, SIGKILL);
      waitpid(pid, nullptr, 0);
      is_new = true;
    }
    if (!is_new) return;
  }
}

}  // namespace retrylab::runner
