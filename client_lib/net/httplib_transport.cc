// SPDX-License-Identifier: MIT
#include "client_lib/net/httplib_transport.h"

#include <netdb.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <utility>

#include <httplib.h>

#include "client_lib/net/broken_pipe.h"
#include "client_lib/net/connection_pool.h"
#include "client_lib/net/readable.h"
#include "client_lib/net/watchdog.h"

namespace retrylab {
namespace {

using Connection = std::unique_ptr<httplib::Client>;

bool name_resolves(const std::string& host) {
  addrinfo* found = nullptr;
  const int result = ::getaddrinfo(host.c_str(), nullptr, nullptr, &found);
  if (result == 0) ::freeaddrinfo(found);
  return result == 0;
}

Outcome failed(Failure failure, std::string detail) {
  return {.failure = failure, .detail = std::move(detail)};
}

void limit_steps(httplib::Client& client, Duration time) {
  constexpr Duration kLongest = std::chrono::hours(24 * 365);
  const auto micros =
      std::chrono::ceil<std::chrono::microseconds>(std::min(time, kLongest)).count();
  const auto seconds = static_cast<time_t>(micros / 1'000'000);
  const auto rest = static_cast<time_t>(micros % 1'000'000);
  client.set_connection_timeout(seconds, rest);
  client.set_read_timeout(seconds, rest);
  client.set_write_timeout(seconds, rest);
}

// Stops the client when its time is up or the caller wants to, and remembers which it was.
class Limits {
 public:
  Limits(Watchdog& watchdog, httplib::Client& client, Duration time, const std::stop_token& stop)
      : watchdog_(watchdog),
        client_(client),
        deadline_(time == kForever ? Token() : arm(timed_out_, time)),
        cancel_(std::in_place, stop, [this] { cancel_token_ = arm(cancelled_, Duration(0)); }) {}

  ~Limits() { end(); }
  Limits(const Limits&) = delete;
  Limits& operator=(const Limits&) = delete;

  // From here on the client is left alone.
  void end() {
    cancel_.reset();  // after this cancel_token_ does not change
    for (Token* token : {&deadline_, &cancel_token_}) {
      if (*token) watchdog_.disarm(**token);
      token->reset();
    }
  }

  bool timed_out() const { return timed_out_; }
  bool cancelled() const { return cancelled_; }

 private:
  using Token = std::optional<Watchdog::Token>;

  Token arm(std::atomic<bool>& flag, Duration time) {
    return watchdog_.arm(time, [this, &flag] {
      flag = true;
      client_.stop();
    });
  }

  Watchdog& watchdog_;
  httplib::Client& client_;
  std::atomic<bool> timed_out_ = false;
  std::atomic<bool> cancelled_ = false;
  Token deadline_;
  Token cancel_token_;
  std::optional<std::stop_callback<std::function<void()>>> cancel_;
};

// How a call of the library went.
struct Sent {
  httplib::Error error = httplib::Error::Success;
  bool too_large = false;
  bool source_failed = false;
  bool timed_out = false;
};

// Lets the library read the body as it sends.
void give_body(httplib::Request& request, BodySource& source, bool& source_failed) {
  request.content_length_ = source.size();
  request.content_provider_ = [&source, &source_failed](std::size_t, std::size_t length,
                                                        httplib::DataSink& sink) {
    std::array<char, 16'384> buffer;
    const std::size_t count = source.read(std::span(buffer).first(std::min(length, buffer.size())));
    source_failed = count == 0;
    return count > 0 && sink.write(buffer.data(), count);
  };
}

}  // namespace

class HttplibTransport::Impl {
 public:
  explicit Impl(TransportOptions options) : options_(std::move(options)) {}

  Outcome send(const WireRequest& wire, Duration time, const std::stop_token& stop);

 private:
  Connection connection_to(const Url& url);
  httplib::Request request_of(const WireRequest& wire, std::string& body, Sent& sent) const;
  Outcome failure_of(httplib::Error error, const Url& url) const;
  Outcome failure_of(const Sent& sent, const Url& url) const;

  TransportOptions options_;
  Watchdog watchdog_;
  ConnectionPool<Connection> pool_;
};

Connection HttplibTransport::Impl::connection_to(const Url& url) {
  while (std::optional<Connection> idle = pool_.take(url.origin())) {
    const httplib::Client& client = **idle;
    if (client.is_socket_open() != 0 && !has_news(client.socket())) return std::move(*idle);
  }
  auto client = std::make_unique<httplib::Client>(url.origin());
  client->set_keep_alive(true);
  client->set_tcp_nodelay(true);
  client->set_follow_location(false);
  client->set_decompress(false);
  client->set_url_encode(false);
  client->enable_server_certificate_verification(options_.verify_certificates);
  if (!options_.ca_file.empty()) client->set_ca_cert_path(options_.ca_file);
  return client;
}

httplib::Request HttplibTransport::Impl::request_of(const WireRequest& wire, std::string& body,
                                                    Sent& sent) const {
  httplib::Request request;
  request.method = wire.method;
  request.path = wire.url.target;
  request.body = wire.body;
  if (wire.body_source != nullptr) give_body(request, *wire.body_source, sent.source_failed);
  for (const Header& header : wire.headers) request.headers.emplace(header.name, header.value);
  if (!request.has_header("User-Agent")) request.set_header("User-Agent", options_.user_agent);
  request.content_receiver = [this, &body, &sent](const char* bytes, std::size_t count,
                                                  std::uint64_t, std::uint64_t) {
    sent.too_large = body.size() + count > options_.body_bytes_max;
    if (!sent.too_large) body.append(bytes, count);
    return !sent.too_large;
  };
  return request;
}

// The list of errors differs between versions of the library; their names tell TLS apart.
Outcome HttplibTransport::Impl::failure_of(httplib::Error error, const Url& url) const {
  const std::string detail = httplib::to_string(error);
  if (error == httplib::Error::Connection || error == httplib::Error::BindIPAddress) {
    const bool resolves = name_resolves(url.host);
    return failed(resolves ? Failure::refused : Failure::name_resolution, detail);
  }
  if (error == httplib::Error::ConnectionTimeout) return failed(Failure::connect_timeout, detail);
  return failed(detail.starts_with("SSL") ? Failure::tls : Failure::transport, detail);
}

// Why an attempt that is not complete failed, as far as one can tell.
Outcome HttplibTransport::Impl::failure_of(const Sent& sent, const Url& url) const {
  if (sent.source_failed) return failed(Failure::invalid_request, "the body ended too early");
  if (sent.too_large) return failed(Failure::too_large, "the answer is longer than the limit");
  if (sent.timed_out && sent.error != httplib::Error::ConnectionTimeout) {
    return failed(Failure::timeout, "no complete answer in time");
  }
  return failure_of(sent.error, url);
}

Outcome HttplibTransport::Impl::send(const WireRequest& wire, Duration time,
                                     const std::stop_token& stop) {
  const auto started = std::chrono::steady_clock::now();
  const BrokenPipeIsAnError no_signal;
  Connection connection = connection_to(wire.url);
  limit_steps(*connection, time);
  Outcome outcome;
  Sent sent;
  httplib::Request request = request_of(wire, outcome.response.body, sent);
  httplib::Response response;
  Limits limits(watchdog_, *connection, time, stop);
  const bool complete = connection->send(request, response, sent.error);
  limits.end();
  if (limits.cancelled()) return failed(Failure::cancelled, "cancelled by the caller");
  sent.timed_out = limits.timed_out() || std::chrono::steady_clock::now() - started >= time;
  if (!complete) return failure_of(sent, wire.url);
  if (response.status < 200) {
    return failed(Failure::malformed, "an interim answer came as the answer");
  }
  outcome.response.status = response.status;
  for (const auto& [name, value] : response.headers) {
    outcome.response.headers.push_back({name, value});
  }
  pool_.give(wire.url.origin(), std::move(connection), options_.idle_connections_max);
  return outcome;
}

HttplibTransport::HttplibTransport(TransportOptions options)
    : impl_(std::make_unique<Impl>(std::move(options))) {}

HttplibTransport::~HttplibTransport() = default;

Outcome HttplibTransport::send(const WireRequest& request, Duration time,
                               const std::stop_token& stop) {
  return impl_->send(request, time, stop);
}

}  // namespace retrylab
