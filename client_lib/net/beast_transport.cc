// SPDX-License-Identifier: MIT
#include "client_lib/net/beast_transport.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/ssl.hpp>

#include "client_lib/net/beast_failure.h"
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
using Parser = http::response_parser<http::string_body>;
using TlsStream = ssl::stream<beast::tcp_stream>;

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

// What SSL_set_tlsext_host_name does, without its old-style cast.
void name_server(TlsStream& stream, std::string host) {
  SSL_ctrl(stream.native_handle(), SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name,
           host.data());
}

// The head; the body is written by whoever has it.
http::request<http::empty_body> head_of(const WireRequest& wire, const TransportOptions& options) {
  http::request<http::empty_body> message;
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
  const bool usually_has_body =
      wire.method == "POST" || wire.method == "PUT" || wire.method == "PATCH";
  if (wire.body_size() > 0 || usually_has_body) message.content_length(wire.body_size());
  return message;
}

// One attempt over one connection. Each step is an asynchronous operation, so that the stream's
// deadline and a cancellation can end it; await() runs the connection's loop until it is over.
class Exchange {
 public:
  Exchange(Connection& connection, const WireRequest& wire, const TransportOptions& options,
           std::stop_token stop)
      : connection_(connection),
        wire_(wire),
        options_(options),
        stop_(std::move(stop)),
        head_(head_of(wire, options)) {}

  // Connects where that is still to be done, sends and reads.
  void run(bool connected);

  Outcome outcome;
  bool reusable = false;

 private:
  bool connect();
  bool find_endpoints(Endpoints& endpoints);
  bool handshake();
  template <typename Stream>
  void talk(Stream& stream);
  template <typename Stream>
  error_code write(Stream& stream);
  template <typename Stream>
  error_code write_source(Stream& stream, BodySource& source);
  template <typename Stream>
  void read_answer(Stream& stream, bool sent);
  void take(Parser& parser);

  // Calls start(handler) and gives the error that the handler was called with.
  template <typename Start>
  error_code await(Start start) {
    error_code result;
    start([&result](error_code error, auto&&...) { result = error; });
    connection_.loop.restart();
    connection_.loop.run();
    return result;
  }

  Connection& connection_;
  const WireRequest& wire_;
  const TransportOptions& options_;
  std::stop_token stop_;
  http::request<http::empty_body> head_;
};

void Exchange::run(bool connected) {
  if (!connected && !connect()) return;
  if (!connection_.tls) {
    talk(connection_.plain);
  } else if (connected || handshake()) {
    talk(*connection_.tls);
  }
}

bool Exchange::find_endpoints(Endpoints& endpoints) {
  error_code error;
  const auto address = asio::ip::make_address(wire_.url.host, error);
  if (!error) {
    endpoints = Endpoints::create(asio::ip::tcp::endpoint(address, wire_.url.port), "", "");
    return true;
  }
  asio::ip::tcp::resolver resolver(connection_.loop);
  error = await([&](auto handler) {
    resolver.async_resolve(wire_.url.host, std::to_string(wire_.url.port),
                           [&endpoints, handler](error_code result, Endpoints found) mutable {
                             endpoints = std::move(found);
                             handler(result);
                           });
  });
  if (error) outcome = failed(Failure::name_resolution, error.message());
  return !error;
}

bool Exchange::connect() {
  Endpoints endpoints;
  if (!find_endpoints(endpoints)) return false;
  // A cancellation during the look-up found no connection to end.
  if (stop_.stop_requested()) return false;
  beast::tcp_stream& stream = connection_.lowest();
  error_code error = await([&](auto handler) { stream.async_connect(endpoints, handler); });
  if (error) {
    outcome = connect_failure(error);
    return false;
  }
  stream.socket().set_option(asio::ip::tcp::no_delay(true), error);
  return true;
}

bool Exchange::handshake() {
  TlsStream& stream = *connection_.tls;
  error_code error;
  asio::ip::make_address(wire_.url.host, error);
  // Server name indication takes names only (RFC 6066 §3).
  if (error) name_server(stream, wire_.url.host);
  if (options_.verify_certificates) {
    stream.set_verify_callback(ssl::host_name_verification(wire_.url.host));
  }
  error = await([&](auto handler) { stream.async_handshake(ssl::stream_base::client, handler); });
  if (error) outcome = handshake_failure(error);
  return !error;
}

template <typename Stream>
void Exchange::talk(Stream& stream) {
  const error_code error = write(stream);
  if (error == beast::error::timeout) {
    outcome = failed(Failure::timeout, error.message());
  } else if (error == asio::error::eof) {
    outcome = failed(Failure::invalid_request, "the body ended too early");
  } else {
    // The server may have answered and closed before it had read everything.
    read_answer(stream, !error);
  }
}

// Head and body in one write where the body is at hand, so that they travel together.
template <typename Stream>
error_code Exchange::write(Stream& stream) {
  beast::flat_buffer head;
  beast::ostream(head) << head_.base();
  const std::array<asio::const_buffer, 2> buffers{
      head.data(), asio::const_buffer(wire_.body.data(), wire_.body.size())};
  const error_code error =
      await([&](auto handler) { asio::async_write(stream, buffers, handler); });
  if (error || wire_.body_source == nullptr) return error;
  return write_source(stream, *wire_.body_source);
}

// asio::error::eof when the source gives less than it promised.
template <typename Stream>
error_code Exchange::write_source(Stream& stream, BodySource& source) {
  std::vector<char> buffer(65'536);
  for (std::uint64_t left = source.size(); left > 0;) {
    const std::size_t most = std::min<std::uint64_t>(left, buffer.size());
    const std::size_t count = source.read(std::span(buffer).first(most));
    if (count == 0) return asio::error::eof;
    const error_code error = await([&](auto handler) {
      asio::async_write(stream, asio::buffer(buffer.data(), count), handler);
    });
    if (error) return error;
    left -= count;
  }
  return {};
}

template <typename Stream>
void Exchange::read_answer(Stream& stream, bool sent) {
  std::optional<Parser> parser;
  error_code error;
  do {
    parser.emplace();
    parser->header_limit(kHeaderBytesMax);
    parser->body_limit(options_.body_bytes_max);
    parser->skip(wire_.method == "HEAD");
    error = await([&](auto handler) {
      http::async_read_header(stream, connection_.buffer, *parser, handler);
    });
    if (error) {
      outcome = read_failure(error, parser->got_some());
      return;
    }
  } while (parser->get().result_int() < 200 && parser->get().result_int() != 101);
  error =
      await([&](auto handler) { http::async_read(stream, connection_.buffer, *parser, handler); });
  if (error) {
    outcome = read_failure(error, true);
    return;
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
  Exchange exchange(*connection, wire, options_, stop);
  {
    const std::stop_callback cancel(stop, [&connection, &lowest] {
      asio::post(connection->loop, [&lowest] { lowest.close(); });
    });
    exchange.run(connected);
  }
  if (stop.stop_requested() && exchange.outcome.response.status == 0) {
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
