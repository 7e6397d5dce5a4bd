// SPDX-License-Identifier: MIT
#include "tests/zoo/live/driver.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <thread>
#include <utility>

#include <boost/asio/buffer.hpp>
#include <boost/beast/http.hpp>

#include "client_lib/base/check.h"

namespace retrylab::zoo {
namespace {

namespace http = boost::beast::http;
using Clock = std::chrono::steady_clock;

// One TCP connection; closes it at the end.
class Socket {
 public:
  Socket() = default;
  ~Socket() { close(); }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;

  bool is_open() const { return descriptor_ >= 0; }
  int descriptor() const { return descriptor_; }

  bool connect(const sockaddr_in& address) {
    descriptor_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    CHECK(descriptor_ >= 0);
    const int on = 1;
    ::setsockopt(descriptor_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    const auto* raw = reinterpret_cast<const sockaddr*>(&address);  // what the socket API asks for
    return ::connect(descriptor_, raw, sizeof address) == 0;
  }

  void close() {
    if (is_open()) ::close(descriptor_);
    descriptor_ = -1;
  }

  // The server has closed or reset it, or sent what nobody asked for: not to be used again.
  bool is_stale() const {
    pollfd waiting{descriptor_, POLLIN, 0};
    return ::poll(&waiting, 1, 0) != 0;
  }

 private:
  int descriptor_ = -1;
};

std::string text_of(const sim::Send& send) {
  std::string text = send.method + ' ' + send.target + " HTTP/1.1\r\n";
  if (!find_header(send.headers, "Host")) text += "Host: localhost\r\n";
  for (const Header& header : send.headers) text += header.name + ": " + header.value + "\r\n";
  if (!send.body.empty() || !is_safe_method(send.method)) {
    text += "Content-Length: " + std::to_string(send.body.size()) + "\r\n";
  }
  return text + "\r\n" + send.body;
}

// Reads one answer, byte for byte as it comes.
class Reader {
 public:
  Reader(int descriptor, const std::string& method, Clock::time_point until)
      : descriptor_(descriptor), until_(until) {
    parser_.skip(method == "HEAD");
    parser_.eager(true);
  }

  // Reads to the answer's end or to what went wrong.
  Outcome read() {
    while (!parser_.is_done()) {
      const Failure failure = more();
      if (failure != Failure::none) return {.failure = failure};
    }
    return {.response = response()};
  }

  bool keep_alive() const { return parser_.keep_alive(); }

 private:
  Failure more() {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until_ - Clock::now()).count();
    pollfd waiting{descriptor_, POLLIN, 0};
    if (left <= 0 || ::poll(&waiting, 1, static_cast<int>(left)) == 0) return Failure::timeout;
    std::array<char, 4096> bytes{};
    const ssize_t count = ::recv(descriptor_, bytes.data(), bytes.size(), 0);
    if (count < 0) return began_ ? Failure::truncated : Failure::reset;
    if (count == 0) return at_end();
    began_ = true;
    buffer_.append(bytes.data(), static_cast<std::size_t>(count));
    return feed();
  }

  Failure feed() {
    while (!buffer_.empty() && !parser_.is_done()) {
      boost::system::error_code error;
      const std::size_t used = parser_.put(boost::asio::buffer(buffer_), error);
      buffer_.erase(0, used);
      if (error == http::error::need_more) return Failure::none;
      if (error) return Failure::malformed;
    }
    return Failure::none;
  }

  Failure at_end() {
    if (!began_) return Failure::closed;
    boost::system::error_code error;
    parser_.put_eof(error);
    return error || !parser_.is_done() ? Failure::truncated : Failure::none;
  }

  Response response() {
    Response answer{.status = static_cast<int>(parser_.get().result_int()),
                    .body = parser_.get().body()};
    for (const auto& field : parser_.get()) {
      answer.headers.push_back({std::string(field.name_string()), std::string(field.value())});
    }
    return answer;
  }

  int descriptor_;
  Clock::time_point until_;
  bool began_ = false;
  std::string buffer_;
  http::response_parser<http::string_body> parser_;
};

class Driver {
 public:
  explicit Driver(std::uint16_t port) {
    address_.sin_family = AF_INET;
    address_.sin_port = htons(port);
    address_.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  }

  Outcome exchange(const sim::Send& send) {
    if (send.fresh_connection || (socket_.is_open() && socket_.is_stale())) socket_.close();
    if (!socket_.is_open() && !socket_.connect(address_)) {
      socket_.close();
      return {.failure = Failure::refused};
    }
    const std::string text = text_of(send);
    const auto until = send.timeout ? Clock::now() + *send.timeout : Clock::now() + kPatience;
    // A failed write says no more than the read that follows it.
    static_cast<void>(::send(socket_.descriptor(), text.data(), text.size(), MSG_NOSIGNAL));
    Reader reader(socket_.descriptor(), send.method, until);
    Outcome outcome = reader.read();
    if (!outcome.answered() || !reader.keep_alive()) socket_.close();
    return outcome;
  }

 private:
  static constexpr std::chrono::seconds kPatience{60};

  sockaddr_in address_{};
  Socket socket_;
};

sim::Move next_move(sim::Client& client, Program& program, const Outcome* outcome) {
  const std::lock_guard lock(program.deciding);
  const Instant now(std::chrono::duration_cast<Duration>(Clock::now() - program.start));
  return client.next(outcome, now, std::chrono::system_clock::now());
}

}  // namespace

sim::Done drive(sim::Client& client, Program& program, std::uint16_t port) {
  Driver driver(port);
  Outcome outcome;
  const Outcome* last = nullptr;
  while (true) {
    const sim::Move move = next_move(client, program, last);
    last = nullptr;
    if (const auto* done = std::get_if<sim::Done>(&move)) return *done;
    if (const auto* sleep = std::get_if<sim::SleepUntil>(&move)) {
      std::this_thread::sleep_until(program.start + sleep->at.time_since_epoch());
      continue;
    }
    outcome = driver.exchange(std::get<sim::Send>(move));
    last = &outcome;
  }
}

}  // namespace retrylab::zoo
