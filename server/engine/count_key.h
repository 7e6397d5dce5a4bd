// SPDX-License-Identifier: MIT
// `count_by`: which attempts share a position in the script, and which operation an attempt
// belongs to as far as the request tells.
#pragma once

#include <optional>
#include <string>

#include "server/engine/request.h"
#include "server/scenario/scenario.h"
#include "server/wire/request.h"

namespace retrylab::engine {

// What the scenario's `operation` names in this request; "" when it names nothing or the request
// has none. Nothing when it is in the body and the body has not been read.
std::optional<std::string> operation_value(const scenario::OperationBy& by,
                                           const scenario::Route& route, const Request& request);

struct CountedBy {
  const scenario::OperationBy& operation;
  wire::ConnectionId connection = 0;
  std::string_view client;
};

// The text that attempts of one count have in common; "" for count_by route. Nothing when the
// body has to be read first. By operation without a scenario `operation`: a known invocation
// header, else method, target and body.
std::optional<std::string> count_key(const scenario::Route& route, const Request& request,
                                     const CountedBy& by);

}  // namespace retrylab::engine
