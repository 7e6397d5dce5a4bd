// SPDX-License-Identifier: MIT
#include "client_lib/net/beast_failure.h"

#include <boost/asio/error.hpp>
#include <boost/asio/ssl/error.hpp>
#include <boost/beast/core/error.hpp>
#include <boost/beast/http/error.hpp>

namespace retrylab {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace ssl = asio::ssl;
using boost::system::error_code;

}  // namespace

Outcome connect_failure(error_code error) {
  const bool late = error == beast::error::timeout || error == asio::error::timed_out;
  return failed(late ? Failure::connect_timeout : Failure::refused, error.message());
}

Outcome handshake_failure(error_code error) {
  if (error == beast::error::timeout) return failed(Failure::timeout, error.message());
  if (error == asio::error::connection_reset) return failed(Failure::reset, error.message());
  if (error == asio::error::eof || error == ssl::error::stream_truncated) {
    return failed(Failure::closed, error.message());
  }
  return failed(Failure::tls, error.message());
}

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

}  // namespace retrylab
