// SPDX-License-Identifier: MIT
#include "bench/load/delays.h"

#include <sys/socket.h>

#include <algorithm>
#include <span>
#include <vector>

#include "bench/load/arrival.h"
#include "bench/load/open_all.h"
#include "bench/load/quantiles.h"
#include "bench/load/response.h"

namespace retrylab::load {
namespace {

struct Client {
  Descriptor socket;
  ResponseReader reader;
  Nanos before_sending = 0;
  Nanos after_sending = 0;
  Nanos first_byte = 0;
  bool over = false;
  bool served = false;
};

class Measurement {
 public:
  explicit Measurement(const DelaysOptions& options)
      : options_(options), request_(make_request("GET", options.path, "", "")) {}

  nlohmann::json run() {
    open_clients();
    send_and_receive();
    return result();
  }

 private:
  void open_clients() {
    auto sockets = open_all(options_.port, options_.clients, options_.patience);
    clients_.resize(sockets.size());
    for (std::size_t i = 0; i < clients_.size(); ++i) {
      clients_[i].socket = std::move(sockets[i]);
      if (!clients_[i].socket.open()) {
        end(clients_[i], false);
        continue;
      }
      stamp_arrivals(clients_[i].socket);
      poller_.add(clients_[i].socket, EPOLLIN | EPOLLRDHUP, i);
    }
  }

  Nanos due(std::size_t client) const {
    const auto count = static_cast<Nanos>(std::max<std::size_t>(clients_.size(), 1));
    return start_ + options_.spread * static_cast<Nanos>(client) / count;
  }

  void send_and_receive() {
    // Whatever a server still does about the new connections is over by then.
    start_ = now() + 200 * kMillisecond;
    const Nanos last = start_ + options_.spread + options_.delay + options_.patience;
    std::size_t next = 0;
    while (over_ < clients_.size() && now() < last) {
      while (next < clients_.size() && now() >= due(next)) send(clients_[next++]);
      for (const epoll_event& event : poller_.wait(next < clients_.size() ? due(next) : last)) {
        read(clients_[event.data.u64]);
      }
    }
  }

  void send(Client& client) {
    if (client.over) return;
    client.before_sending = now();
    const ssize_t sent =
        ::send(client.socket.get(), request_.data(), request_.size(), MSG_NOSIGNAL);
    client.after_sending = now();
    if (sent != static_cast<ssize_t>(request_.size())) end(client, false);
  }

  void read(Client& client) {
    if (client.over) return;
    const Arrival arrival = receive(client.socket, buffer_, arrivals_);
    if (arrival.what == Arrival::What::nothing_yet) return;
    if (arrival.what != Arrival::What::bytes) return end(client, false);
    if (client.first_byte == 0) {
      client.first_byte = arrival.at;
      if (!arrival.kernel_stamped) ++user_stamped_;
    }
    if (client.reader.feed({buffer_, arrival.count})) end(client, client.reader.status() == 200);
  }

  // A served client keeps its connection, so that no close disturbs those that still wait.
  void end(Client& client, bool served) {
    client.over = true;
    client.served = served;
    ++over_;
    if (!served) {
      ++refused_;
      client.socket.close();
    }
  }

  nlohmann::json result() const {
    std::vector<Nanos> late;
    Nanos smallest = kSecond * 3600;
    for (const Client& client : clients_) {
      if (!client.served) continue;
      late.push_back(client.first_byte - client.after_sending - options_.delay);
      smallest = std::min(smallest, client.first_byte - client.before_sending - options_.delay);
    }
    const std::size_t served = late.size();
    return {{"clients", clients_.size()},
            {"served", served},
            {"lost", clients_.size() - served},
            {"refused", refused_},
            {"late_us", quantiles_us(std::move(late), clients_.size())},
            {"smallest_lateness_us",
             served > 0 ? nlohmann::json(static_cast<double>(smallest) / kMicrosecond) : nullptr},
            {"user_stamped", user_stamped_},
            {"clock_drift_us", static_cast<double>(arrivals_.drift()) / kMicrosecond}};
  }

  DelaysOptions options_;
  std::string request_;
  ArrivalClock arrivals_;
  Poller poller_;
  std::vector<Client> clients_;
  Nanos start_ = 0;
  std::size_t over_ = 0;
  std::size_t refused_ = 0;
  std::size_t user_stamped_ = 0;
  char buffer_[16'384] = {};
};

}  // namespace

nlohmann::json measure_delays(const DelaysOptions& options) {
  return Measurement(options).run();
}

}  // namespace retrylab::load
