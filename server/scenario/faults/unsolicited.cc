// SPDX-License-Identifier: MIT
// unsolicited: an answer nobody asked for, on a connection between two requests.
#include "server/scenario/faults/effects.h"
#include "server/scenario/json/read.h"

namespace retrylab::scenario {
namespace {

// What servers send before they close a connection that has been idle for too long.
constexpr std::string_view kDefault =
    "HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";

}  // namespace

Effect decode_unsolicited(json::ObjectReader& reader) {
  UnsolicitedEffect effect{std::string(kDefault)};
  reader.optional("bytes", effect.bytes, json::read_bytes);
  return effect;
}

std::string_view why_not(const UnsolicitedEffect&, Moment at) {
  return phase(at) == Phase::kept_alive
             ? ""
             : "an unsolicited answer comes on a kept-alive connection, at idle or next_request";
}

std::vector<wire::Action> to_actions(const UnsolicitedEffect& effect, Random&) {
  return {wire::Write{effect.bytes}};
}

}  // namespace retrylab::scenario
