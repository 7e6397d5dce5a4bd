// SPDX-License-Identifier: MIT
// What RetryClient adds to a request that succeeds at once, beside the same request by bare
// cpp-httplib on a kept-alive connection to the same server, and over a transport that does
// nothing.
#include <arpa/inet.h>
#include <benchmark/benchmark.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <memory>
#include <string>
#include <thread>

#include <httplib.h>

#include "bench/client_lib/allocations.h"
#include "client_lib/net/beast_transport.h"
#include "client_lib/net/httplib_transport.h"
#include "client_lib/net/retry_client.h"
#include "client_lib/net/system_clock.h"

namespace retrylab::bench {
namespace {

// Answers every read on its one connection with the same 200.
class OneAnswerServer {
 public:
  OneAnswerServer() : listener_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    auto* generic = reinterpret_cast<sockaddr*>(&address);
    ::bind(listener_, generic, length);
    ::listen(listener_, 1);
    ::getsockname(listener_, generic, &length);
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { serve(); });
  }
  ~OneAnswerServer() {
    ::shutdown(listener_, SHUT_RDWR);
    ::shutdown(socket_, SHUT_RDWR);  // a client's pool may still hold the connection
    thread_.join();
    ::close(listener_);
  }
  OneAnswerServer(const OneAnswerServer&) = delete;
  OneAnswerServer& operator=(const OneAnswerServer&) = delete;

  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }

 private:
  void serve() {
    constexpr std::string_view kAnswer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    while (true) {
      const int socket = ::accept(listener_, nullptr, nullptr);
      if (socket < 0) return;
      socket_ = socket;
      const int on = 1;
      ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
      std::array<char, 4'096> buffer{};
      while (::recv(socket, buffer.data(), buffer.size(), 0) > 0) {
        ::send(socket, kAnswer.data(), kAnswer.size(), MSG_NOSIGNAL);
      }
      ::close(socket);
    }
  }

  int listener_;
  std::atomic<int> socket_ = -1;
  int port_ = 0;
  std::thread thread_;
};

void bare_httplib(benchmark::State& state) {
  OneAnswerServer server;
  httplib::Client client(server.url());
  client.set_keep_alive(true);
  client.set_tcp_nodelay(true);
  for (auto _ : state) benchmark::DoNotOptimize(client.Get("/"));
}
BENCHMARK(bare_httplib)->UseRealTime();

void through(benchmark::State& state, Transport& transport) {
  OneAnswerServer server;
  SystemClock clock;
  auto client = *RetryClient::make({}, transport, clock);
  const Request request{.url = server.url() + "/"};
  for (auto _ : state) benchmark::DoNotOptimize(client->send(request));
}

void retry_client_over_httplib(benchmark::State& state) {
  HttplibTransport transport;
  through(state, transport);
}
BENCHMARK(retry_client_over_httplib)->UseRealTime();

void retry_client_over_beast(benchmark::State& state) {
  BeastTransport transport;
  through(state, transport);
}
BENCHMARK(retry_client_over_beast)->UseRealTime();

// The loop alone: everything but the attempt.
void retry_client_over_nothing(benchmark::State& state) {
  class Nothing : public Transport {
   public:
    Outcome send(const WireRequest&, Duration, const std::stop_token&) override {
      return {.response = {.status = 200}};
    }
  } transport;
  SystemClock clock;
  auto client = *RetryClient::make({}, transport, clock);
  const Request request{.url = "http://127.0.0.1/"};
  const std::uint64_t before = allocations();
  for (auto _ : state) benchmark::DoNotOptimize(client->send(request));
  state.counters["allocations"] = benchmark::Counter(static_cast<double>(allocations() - before),
                                                     benchmark::Counter::kAvgIterations);
}
BENCHMARK(retry_client_over_nothing);

}  // namespace
}  // namespace retrylab::bench
