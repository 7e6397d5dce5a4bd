// SPDX-License-Identifier: MIT
#include "bench/load/start.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>

#include "bench/load/response.h"
#include "bench/load/socket.h"

extern char** environ;

namespace retrylab::load {
namespace {

constexpr Nanos kPatience = 30 * kSecond;
constexpr useconds_t kBetweenTries_us = 50;

pid_t spawn(const std::vector<std::string>& command) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);

  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t pid = 0;
  const int error = ::posix_spawnp(&pid, arguments[0], &files, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  if (error != 0) give_up(fmt::format("start {}: {}", command[0], std::strerror(error)));
  return pid;
}

// One try: connect, ask, wait for the answer.
bool answers(std::uint16_t port, const std::string& request, Nanos until) {
  Poller poller;
  const Descriptor socket = begin_connect(port, 0);
  if (!socket.open()) return false;
  poller.add(socket, EPOLLOUT, 0);
  if (poller.wait(until).empty() || connect_error(socket) != 0) return false;
  ::send(socket.get(), request.data(), request.size(), MSG_NOSIGNAL);
  poller.change(socket, EPOLLIN, 0);

  ResponseReader reader;
  char buffer[16'384];
  while (!poller.wait(until).empty()) {
    const ssize_t count = ::recv(socket.get(), buffer, sizeof buffer, 0);
    if (count <= 0) return reader.completed_by_close() && reader.status() == 200;
    if (reader.feed({buffer, static_cast<std::size_t>(count)})) return reader.status() == 200;
  }
  return false;
}

void stop(pid_t pid) {
  ::kill(pid, SIGTERM);
  for (int tries = 0; tries < 100; ++tries) {
    if (::waitpid(pid, nullptr, WNOHANG) == pid) return;
    ::usleep(10'000);
  }
  ::kill(pid, SIGKILL);
  ::waitpid(pid, nullptr, 0);
}

}  // namespace

nlohmann::json measure_start(const StartOptions& options) {
  const std::string request = make_request("GET", options.path, "Connection: close\r\n", "");
  const Nanos begin = now();
  const pid_t pid = spawn(options.command);
  nlohmann::json result{{"first_answer_ms", nullptr}};
  while (now() < begin + kPatience && ::waitpid(pid, nullptr, WNOHANG) == 0) {
    if (answers(options.port, request, begin + kPatience)) {
      result["first_answer_ms"] = static_cast<double>(now() - begin) / kMillisecond;
      break;
    }
    ::usleep(kBetweenTries_us);
  }
  stop(pid);
  return result;
}

}  // namespace retrylab::load
