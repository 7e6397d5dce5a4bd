// SPDX-License-Identifier: MIT
#include "client_lib/net/beast_transport.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/ssl.hpp>

#include "client_lib/net/connection_pool.h"
#include "client_lib/net/readable.h"

namespace retrylab {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace ssl = asio::ssl;
using boost::system::error_code;
using Endpoints = asio::ip::tcp::resolver::results_type;
using Message = http::request<http::span_body<const char>>;
using Parser = http::response_parser<http::string_body>;
using TlsStream = ssl::stream<beast::tcp_stream>;

constexpr auto kAwait = asio::as_tuple(asio::use_awaitable);
constexpr std::uint32_t kHeaderBytesMax = 65'536;

// A connection with the event loop that it lives on: whoever holds it runs the loop.
struct Connection {
  explicit Connection(ssl::context* context) : plain(loop) {
    if (context != nullptr) tls.emplace(std::move(plain), *context);
  }
  beast::tcp_stream& lowest() { return tls ? tls->next_layer() : plain; }

  asio::io_context loop{1};
  beast::tcp_stream plain;
  std::optional<TlsStream> tls;
  beast::flat_buffer buffer;
};
using ConnectionPtr = std::unique_ptr<Connection>;

Outcome failed(Failure failure, const std::string& detail) {
  return {.failure = failure, .detail = detail};
}

Outcome connect_failure(error_code error) {
  const bool late = error == beast::error::timeout || error == asio::error::timed_out;
  return failed(late ? Failure::connect_timeout : Failure::refused, error.message());
}

// What SSL_set_tlsext_host_name does, without its old-style cast.
void name_server(TlsStream& stream, std::string host) {
  SSL_ctrl(stream.native_handle(), SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name,
           host.data());
}

// A handshake that the peer broke off may go better next time; one that failed will not.
Outcome handshake_failure(error_code error) {
  if (error == beast::error::timeout) return failed(Failure::timeout, error.message());
  if (error == asio::error::connection_reset) return failed(Failure::reset, error.message());
  if (error == asio::error::eof || error == ssl::error::stream_truncated) {
    return failed(Failure::closed, error.message());
  }
  return failed(Failure::tls, error.message());
}

// `began`: bytes of an answer had arrived.
Outcome read_failure(error_code error, bool began) {
  const std::string detail = error.message();
  if (error == beast::error::timeout) return failed(Failure::timeout, detail);
  if (error == http::error::body_limit) return failed(Failure::too_large, detail);
  if (error == http::error::partial_message) return failed(Failure::truncated, detail);
  const bool ended = error == http::error::end_of_stream || error == asio::error::eof ||
                     error == ssl::error::stream_truncated;
  if (ended) return failed(began ? Failure::truncated : Failure::closed, detail);
  const bool is_http =
      error.category() == http::make_error_code(http::error::bad_line_ending).category();
  if (is_http) return failed(Failure::malformed, detail);
  return failed(began ? Failure::truncated : Failure::reset, detail);
}

Message message_of(const WireRequest& wire, const TransportOptions& options) {
  Message message;
  message.method_string({wire.method.data(), wire.method.size()});
  message.target(wire.url.target);
  message.version(11);
  message.set(http::field::host, wire.url.authority());
  message.set(http::field::user_agent, options.user_agent);
  for (const Header& header : wire.headers) {
    if (same_name(header.name, "Host") || same_name(header.name, "User-Agent")) {
      message.set(header.name, header.value);
    } else {
      message.insert(header.name, header.value);
    }
  }
  message.body() = {wire.body.data(), wire.body.size()};
  const bool usually_has_body =
      wire.method == "POST" || wire.method == "PUT" || wire.method == "PATCH";
  if (!wire.body.empty() || usually_has_body) message.content_length(wire.body.size());
  return message;
}

// One attempt over one connection.
class Exchange {
 public:
  Exchange(Connection& connection, const WireRequest& wire, const TransportOptions& options)
      : connection_(connection),
        wire_(wire),
        options_(options),
        message_(message_of(wire, options)) {}

  // Connects where that is still to be done, sends and reads.
  asio::awaitable<void> run(bool connected);

  Outcome outcome;
  bool reusable = false;

 private:
  asio::awaitable<bool> connect();
  asio::awaitable<bool> handshake();
  template <typename Stream>
  asio::awaitable<void> talk(Stream& stream);
  template <typename Stream>
  asio::awaitable<void> read_answer(Stream& stream, bool sent);
  void take(Parser& parser);

  Connection& connection_;
  const WireRequest& wire_;
  const TransportOptions& options_;
  Message message_;
};

asio::awaitable<void> Exchange::run(bool connected) {
  if (!connected) {
    if (!co_await connect()) co_return;
    if (connection_.tls && !co_await handshake()) co_return;
  }
  if (connection_.tls) {
    co_await talk(*connection_.tls);
  } else {
    co_await talk(connection_.plain);
  }
}

asio::awaitable<bool> Exchange::connect() {
  error_code error;
  Endpoints endpoints;
  const auto address = asio::ip::make_address(wire_.url.host, error);
  if (!error) {
    endpoints = Endpoints::create(asio::ip::tcp::endpoint(address, wire_.url.port), "", "");
  } else {
    asio::ip::tcp::resolver resolver(connection_.loop);
    std::tie(error, endpoints) =
        co_await resolver.async_resolve(wire_.url.host, std::to_string(wire_.url.port), kAwait);
    if (error) {
      outcome = failed(Failure::name_resolution, error.message());
      co_return false;
    }
  }
  std::tie(error, std::ignore) = co_await connection_.lowest().async_connect(endpoints, kAwait);
  if (error) {
    outcome = connect_failure(error);
    co_return false;
  }
  connection_.lowest().socket().set_option(asio::ip::tcp::no_delay(true), error);
  co_return true;
}

asio::awaitable<bool> Exchange::handshake() {
  TlsStream& stream = *connection_.tls;
  error_code error;
  asio::ip::make_address(wire_.url.host, error);
  // Server name indication takes names only (RFC 6066 §3).
  if (error) name_server(stream, wire_.url.host);
  if (options_.verify_certificates) {
    stream.set_verify_callback(ssl::host_name_verification(wire_.url.host));
  }
  std::tie(error) = co_await stream.async_handshake(ssl::stream_base::client, kAwait);
  if (error) outcome = handshake_failure(error);
  co_return !error;
}

template <typename Stream>
asio::awaitable<void> Exchange::talk(Stream& stream) {
  const auto [error, count] = co_await http::async_write(stream, message_, kAwait);
  if (error == beast::error::timeout) {
    outcome = failed(Failure::timeout, error.message());
    co_return;
  }
  // The server may have answered and closed before it had read everything.
  co_await read_answer(stream, !error);
}

template <typename Stream>
asio::awaitable<void> Exchange::read_answer(Stream& stream, bool sent) {
  std::optional<Parser> parser;
  do {
    parser.emplace();
    parser->header_limit(kHeaderBytesMax);
    parser->body_limit(options_.body_bytes_max);
    parser->skip(wire_.method == "HEAD");
    const auto [error, count] =
        co_await http::async_read_header(stream, connection_.buffer, *parser, kAwait);
    if (error) {
      outcome = read_failure(error, parser->got_some());
      co_return;
    }
  } while (parser->get().result_int() < 200 && parser->get().result_int() != 101);
  const auto [error, count] =
      co_await http::async_read(stream, connection_.buffer, *parser, kAwait);
  if (error) {
    outcome = read_failure(error, true);
    co_return;
  }
  reusable = sent && parser->get().keep_alive() && connection_.buffer.size() == 0;
  take(*parser);
}

void Exchange::take(Parser& parser) {
  outcome.response.status = static_cast<int>(parser.get().result_int());
  for (const auto& field : parser.get()) {
    outcome.response.headers.push_back(
        {std::string(field.name_string()), std::string(field.value())});
  }
  outcome.response.body = std::move(parser.get().body());
}

}  // namespace

class BeastTransport::Impl {
 public:
  explicit Impl(TransportOptions options);

  Outcome send(const WireRequest& wire, Duration time, const std::stop_token& stop);

 private:
  ConnectionPtr idle_connection(const Url& url);

  TransportOptions options_;
  ssl::context tls_{ssl::context::tls_client};
  ConnectionPool<ConnectionPtr> pool_;
};

BeastTransport::Impl::Impl(TransportOptions options) : options_(std::move(options)) {
  error_code ignored;
  SSL_CTX_set_min_proto_version(tls_.native_handle(), TLS1_2_VERSION);
  if (options_.ca_file.empty()) {
    tls_.set_default_verify_paths(ignored);
  } else {
    tls_.load_verify_file(options_.ca_file, ignored);
  }
  tls_.set_verify_mode(options_.verify_certificates ? ssl::verify_peer : ssl::verify_none, ignored);
}

ConnectionPtr BeastTransport::Impl::idle_connection(const Url& url) {
  while (std::optional<ConnectionPtr> idle = pool_.take(url.origin())) {
    if (!has_news((*idle)->lowest().socket().native_handle())) return std::move(*idle);
  }
  return nullptr;
}

Outcome BeastTransport::Impl::send(const WireRequest& wire, Duration time,
                                   const std::stop_token& stop) {
  constexpr Duration kLongest = std::chrono::hours(24 * 365);
  ConnectionPtr connection = idle_connection(wire.url);
  const bool connected = connection != nullptr;
  if (!connected) connection = std::make_unique<Connection>(wire.url.tls ? &tls_ : nullptr);
  beast::tcp_stream& lowest = connection->lowest();
  lowest.expires_after(std::min(time, kLongest));
  Exchange exchange(*connection, wire, options_);
  connection->loop.restart();
  asio::co_spawn(connection->loop, exchange.run(connected), asio::detached);
  {
    const std::stop_callback cancel(stop, [&connection, &lowest] {
      asio::post(connection->loop, [&lowest] { lowest.close(); });
    });
    connection->loop.run();
  }
  if (stop.stop_requested() && !exchange.outcome.answered()) {
    return failed(Failure::cancelled, "cancelled by the caller");
  }
  if (exchange.reusable && !stop.stop_requested()) {
    lowest.expires_never();
    pool_.give(wire.url.origin(), std::move(connection), options_.idle_connections_max);
  }
  return std::move(exchange.outcome);
}

BeastTransport::BeastTransport(TransportOptions options)
    : impl_(std::make_unique<Impl>(std::move(options))) {}

BeastTransport::~BeastTransport() = default;

Outcome BeastTransport::send(const WireRequest& request, Duration time,
                             const std::stop_token& stop) {
  return impl_->send(request, time, stop);
}

}  // namespace retrylab
