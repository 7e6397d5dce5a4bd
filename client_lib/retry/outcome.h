// SPDX-License-Identifier: MIT
// What one attempt came to, as the client saw it: an answer, or a failure of a known kind.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "client_lib/base/http.h"
#include "client_lib/base/time.h"

namespace retrylab {

enum class Failure {
  none,             // a complete answer arrived
  invalid_request,  // the URL or a header cannot be sent; nothing left this host
  name_resolution,
  refused,          // nothing listens there: the request was not executed
  connect_timeout,  // not executed either
  reset,            // RST after the connection stood
  closed,           // FIN before any byte of an answer
  truncated,        // FIN or RST inside the answer
  malformed,        // bytes that are not an HTTP answer, or a body that cannot be decoded
  too_large,        // a longer answer than the client is ready to take
  timeout,          // no complete answer within the attempt's time
  tls,              // handshake or certificate
  cancelled,        // by the caller
  transport,        // this transport cannot tell which: a failure after the connection stood
};

// The word of the log and the JSON outcome: "reset", "connect_timeout".
std::string_view word(Failure failure);

// Nothing of the request can have been executed: it is safe to repeat, whatever the method.
bool surely_not_executed(Failure failure);

struct Outcome {
  Failure failure = Failure::none;
  Response response{};   // meaningful when failure is none
  std::string detail{};  // for people: the system's or the library's own words
  bool answered() const { return failure == Failure::none; }
};

}  // namespace retrylab
