// SPDX-License-Identifier: MIT
// Runs clients against an engine in virtual time: no socket, no thread, no waiting. The same
// engine and the same journal as over real sockets; the clock jumps to the next event.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "client_lib/base/http.h"
#include "client_lib/base/time.h"
#include "client_lib/retry/outcome.h"
#include "server/journal/record.h"
#include "server/scenario/scenario.h"

namespace retrylab::sim {

class VirtualRequest;

// What a virtual client does next.
struct Send {
  std::string method = "GET";
  std::string target = "/";  // origin-form
  Headers headers;           // Host and Content-Length are added
  std::string body;
  std::optional<Duration> timeout;  // the client closes the connection after that
  std::uint32_t attempt = 1;        // of its operation, for whoever counts
  // Instead of the first four: a request made before, which many attempts share.
  std::shared_ptr<const VirtualRequest> made;
  bool fresh_connection = false;  // else the kept-alive connection where it still stands
};
struct SleepUntil {
  Instant at;  // in the past: at once
};
struct Done {
  bool success = false;
  bool hangs = false;  // never returns: stopped by --timeout
};
using Move = std::variant<Send, SleepUntil, Done>;

// A client as a state machine. Called first with null, then with the outcome of the Send, and
// with null again after a SleepUntil.
class Client {
 public:
  virtual ~Client() = default;
  virtual Move next(const Outcome* outcome, Instant now, WallTime wall) = 0;
};

struct VirtualOptions {
  std::uint64_t seed = 1;
  std::uint32_t number = 1;                         // of the run, under --repeat
  Duration one_way{std::chrono::microseconds(20)};  // network, each way
  Duration server_lateness{0};                      // every planned instant is this late
  WallTime wall_origin{std::chrono::seconds(1'795'000'000)};
  Duration limit{std::chrono::hours(24)};  // virtual; a client still busy then is hung
  bool one_process = true;
  std::vector<Instant> starts;  // per client; missing: zero
};

// Serves `scenario` to all `clients` at once until each is done.
journal::Run run_virtual(const scenario::Scenario& scenario,
                         const std::vector<std::unique_ptr<Client>>& clients,
                         const VirtualOptions& options);

}  // namespace retrylab::sim
