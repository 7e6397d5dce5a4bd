// SPDX-License-Identifier: MIT
#include "bench/load/hold.h"

#include <fmt/core.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <vector>

#include "bench/load/open_all.h"
#include "bench/load/response.h"

namespace retrylab::load {
namespace {

constexpr Nanos kPatience = 60 * kSecond;

bool send_all(const Descriptor& socket, const std::string& request) {
  return socket.open() && ::send(socket.get(), request.data(), request.size(), MSG_NOSIGNAL) ==
                              static_cast<ssize_t>(request.size());
}

// Waits for one whole answer on a socket.
bool answered(const Descriptor& socket, Nanos until) {
  Poller poller;
  poller.add(socket, EPOLLIN, 0);
  ResponseReader reader;
  char buffer[16'384];
  while (!poller.wait(until).empty()) {
    const ssize_t count = ::recv(socket.get(), buffer, sizeof buffer, 0);
    if (count <= 0) return false;
    if (reader.feed({buffer, static_cast<std::size_t>(count)})) return reader.status() == 200;
  }
  return false;
}

// Still open with nothing to read.
bool silent(const Descriptor& socket) {
  char byte = 0;
  return ::recv(socket.get(), &byte, 1, MSG_PEEK) < 0 && errno == EAGAIN;
}

void wait_for_end_of_input() {
  char byte = 0;
  while (::read(STDIN_FILENO, &byte, 1) > 0) {
  }
}

}  // namespace

nlohmann::json hold(const HoldOptions& options) {
  const std::string request = make_request("GET", options.path, "", "");
  auto sockets = open_all(options.port, options.clients, kPatience);
  const Nanos until = now() + kPatience;
  for (Descriptor& socket : sockets) {
    const bool sent = send_all(socket, request);
    if (!sent || (options.answered && !answered(socket, until))) socket.close();
  }
  const auto open = std::count_if(sockets.begin(), sockets.end(),
                                  [](const Descriptor& socket) { return socket.open(); });
  fmt::print("{}\n", nlohmann::json{{"event", "holding"}, {"open", open}}.dump());
  std::fflush(stdout);

  wait_for_end_of_input();
  const auto kept = std::count_if(sockets.begin(), sockets.end(), [](const Descriptor& socket) {
    return socket.open() && silent(socket);
  });
  return {{"clients", sockets.size()},
          {"open", open},
          {"lost", static_cast<std::ptrdiff_t>(sockets.size()) - kept}};
}

}  // namespace retrylab::load
