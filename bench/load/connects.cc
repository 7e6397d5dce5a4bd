// SPDX-License-Identifier: MIT
#include "bench/load/connects.h"

#include <sys/socket.h>

#include <vector>

#include "bench/load/quantiles.h"
#include "bench/load/response.h"
#include "bench/load/socket.h"

namespace retrylab::load {
namespace {

constexpr Nanos kPatience = 10 * kSecond;

struct Client {
  Descriptor socket;
  ResponseReader reader;
  Nanos began = 0;
  bool connected = false;
};

class Measurement {
 public:
  explicit Measurement(const ConnectsOptions& options)
      : options_(options), request_(make_request("GET", options.path, "", "")) {}

  nlohmann::json run() {
    clients_.resize(options_.clients);
    for (std::size_t i = 0; i < clients_.size(); ++i) connect(i);
    const Nanos last = now() + kPatience;
    while (waiting_ > 0) {
      const auto events = poller_.wait(last);
      if (events.empty()) break;
      for (const epoll_event& event : events) advance(event.data.u64);
    }
    return {{"clients", clients_.size()},
            {"connected", connect_times_.size()},
            {"answered", answer_times_.size()},
            {"connect_us", quantiles_us(connect_times_, clients_.size())},
            {"answer_us", quantiles_us(answer_times_, clients_.size())}};
  }

 private:
  void connect(std::size_t i) {
    Client& client = clients_[i];
    client.began = now();
    client.socket = begin_connect(options_.port, i);
    if (!client.socket.open()) return;
    poller_.add(client.socket, EPOLLOUT, i);
    ++waiting_;
  }

  void advance(std::size_t i) {
    Client& client = clients_[i];
    if (!client.socket.open()) return;
    if (!(client.connected ? read(client) : connected(client, i))) {
      client.socket.close();
      --waiting_;
    }
  }

  // These answer whether the client goes on.
  bool connected(Client& client, std::size_t i) {
    if (connect_error(client.socket) != 0) return false;
    connect_times_.push_back(now() - client.began);
    client.connected = true;
    poller_.change(client.socket, EPOLLIN, i);
    return ::send(client.socket.get(), request_.data(), request_.size(), MSG_NOSIGNAL) ==
           static_cast<ssize_t>(request_.size());
  }

  bool read(Client& client) {
    const ssize_t count = ::recv(client.socket.get(), buffer_, sizeof buffer_, 0);
    if (count <= 0) return false;
    if (!client.reader.feed({buffer_, static_cast<std::size_t>(count)})) return true;
    if (client.reader.status() == 200) answer_times_.push_back(now() - client.began);
    return false;
  }

  ConnectsOptions options_;
  std::string request_;
  Poller poller_;
  std::vector<Client> clients_;
  std::vector<Nanos> connect_times_;
  std::vector<Nanos> answer_times_;
  std::size_t waiting_ = 0;
  char buffer_[16'384] = {};
};

}  // namespace

nlohmann::json measure_connects(const ConnectsOptions& options) {
  return Measurement(options).run();
}

}  // namespace retrylab::load
