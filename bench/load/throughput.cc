// SPDX-License-Identifier: MIT
#include "bench/load/throughput.h"

#include <fmt/core.h>
#include <sys/socket.h>

#include <cerrno>

#include "bench/load/open_all.h"
#include "bench/load/quantiles.h"
#include "bench/load/response.h"

namespace retrylab::load {
namespace {

constexpr Nanos kPatience = 10 * kSecond;

// A request with a place for the operation's number (its idempotency key).
struct Request {
  std::string before;
  std::string after;  // empty: no such place
};

struct Connection {
  Descriptor socket;
  ResponseReader reader;
  std::string request;
  std::size_t step = 0;  // of the operation under way
  Nanos began = 0;
  bool connecting = false;
  bool answered = false;  // only the server's close is still missing
};

std::vector<Request> make_requests(const ThroughputOptions& options) {
  constexpr std::string_view kPlace = "{}";
  std::string extra;
  // Of this time alone: a server that was measured before knows the earlier keys' answers.
  if (options.key) extra += fmt::format("Idempotency-Key: operation-{}-{{}}\r\n", now());
  if (!options.body.empty()) extra += "Content-Type: application/json\r\n";
  if (options.new_connections) extra += "Connection: close\r\n";

  std::vector<Request> requests;
  for (std::size_t i = 0; i < options.paths; ++i) {
    std::string path = options.path;
    const std::size_t number = path.find(kPlace);
    if (number != std::string::npos) path.replace(number, kPlace.size(), std::to_string(i));
    const std::string whole = make_request(options.method, path, extra, options.body);
    const std::size_t key = whole.find(kPlace);
    requests.push_back(
        key == std::string::npos
            ? Request{.before = whole, .after = ""}
            : Request{.before = whole.substr(0, key), .after = whole.substr(key + kPlace.size())});
  }
  return requests;
}

class Measurement {
 public:
  explicit Measurement(const ThroughputOptions& options)
      : options_(options), requests_(make_requests(options)) {}

  nlohmann::json run() {
    open();
    const Nanos begin = now();
    const Nanos end = options_.duration > 0 ? begin + options_.duration : begin + 3600 * kSecond;
    for (std::size_t i = 0; i < connections_.size(); ++i) start_operation(i);
    while (now() < end && live_ > 0 && !enough()) {
      for (const epoll_event& event : poller_.wait(end)) advance(event.data.u64);
    }
    const double seconds = static_cast<double>(now() - begin) / kSecond;
    return {{"requests", answered_},
            {"seconds", seconds},
            {"per_second", static_cast<double>(answered_) / seconds},
            {"latency_us", quantiles_us(latencies_, latencies_.size())},
            {"wrong", wrong_}};
  }

 private:
  bool enough() const { return options_.requests > 0 && answered_ >= options_.requests; }

  void open() {
    auto sockets = open_all(options_.port, options_.connections, kPatience);
    connections_.resize(sockets.size());
    for (std::size_t i = 0; i < sockets.size(); ++i) {
      connections_[i].socket = std::move(sockets[i]);
      if (!connections_[i].socket.open()) {
        ++wrong_;
        continue;
      }
      poller_.add(connections_[i].socket, EPOLLIN, i);
      ++live_;
    }
  }

  void start_operation(std::size_t i) {
    Connection& connection = connections_[i];
    if (!connection.socket.open()) return;
    const std::uint64_t number = operations_++;
    const Request& request = requests_[number % requests_.size()];
    connection.step = 0;
    connection.request = request.before;
    if (!request.after.empty()) {
      connection.request += std::to_string(number);
      connection.request += request.after;
    }
    start_attempt(i);
  }

  void start_attempt(std::size_t i) {
    Connection& connection = connections_[i];
    connection.began = now();
    connection.reader.restart();
    if (options_.new_connections && connection.answered) {
      // Ever new addresses, so that no port is asked for again within a minute.
      connection.socket = begin_connect(options_.port, sources_++ % 2'000'000);
      if (!connection.socket.open()) return drop(connection);
      connection.connecting = true;
      poller_.add(connection.socket, EPOLLOUT, i);
    } else {
      send(connection);
    }
    connection.answered = false;
  }

  void send(Connection& connection) {
    const ssize_t sent = ::send(connection.socket.get(), connection.request.data(),
                                connection.request.size(), MSG_NOSIGNAL);
    if (sent != static_cast<ssize_t>(connection.request.size())) drop(connection);
  }

  void drop(Connection& connection) {
    connection.socket.close();
    ++wrong_;
    --live_;
  }

  void advance(std::size_t i) {
    Connection& connection = connections_[i];
    if (!connection.socket.open()) return;
    if (connection.connecting) {
      connection.connecting = false;
      poller_.change(connection.socket, EPOLLIN, i);
      return send(connection);
    }
    const ssize_t count = ::recv(connection.socket.get(), buffer_, sizeof buffer_, 0);
    if (count < 0 && errno == EAGAIN) return;
    if (count <= 0) return take_close(i);
    if (connection.reader.feed({buffer_, static_cast<std::size_t>(count)})) take_answer(i);
  }

  void take_close(std::size_t i) {
    Connection& connection = connections_[i];
    if (!connection.answered && connection.reader.completed_by_close()) take_answer(i);
    if (!connection.answered) return drop(connection);
    finish_attempt(i);
  }

  void take_answer(std::size_t i) {
    Connection& connection = connections_[i];
    ++answered_;
    latencies_.push_back(now() - connection.began);
    if (connection.reader.status() != options_.expect[connection.step]) ++wrong_;
    connection.answered = true;
    if (!options_.new_connections) finish_attempt(i);
  }

  // On to the operation's next attempt, or to the next operation.
  void finish_attempt(std::size_t i) {
    if (++connections_[i].step < options_.expect.size()) {
      start_attempt(i);
    } else {
      start_operation(i);
    }
  }

  ThroughputOptions options_;
  std::vector<Request> requests_;
  Poller poller_;
  std::vector<Connection> connections_;
  std::vector<Nanos> latencies_;
  std::uint64_t operations_ = 0;
  std::uint64_t answered_ = 0;
  std::uint64_t wrong_ = 0;
  std::size_t live_ = 0;
  std::size_t sources_ = 0;
  char buffer_[65'536] = {};
};

}  // namespace

nlohmann::json measure_throughput(const ThroughputOptions& options) {
  return Measurement(options).run();
}

}  // namespace retrylab::load
