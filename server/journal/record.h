// SPDX-License-Identifier: MIT
// The records of a run, as plain values: what each attempt was, what was planned for it and what
// was delivered. `retrylab verify` needs nothing else, so nothing that a rule reads may be
// missing here.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "client_lib/base/http.h"
#include "client_lib/base/sha256.h"
#include "client_lib/base/time.h"
#include "server/journal/text.h"

namespace retrylab::journal {

// 1-based, in the order of arrival of the heads within a run.
using AttemptId = std::uint64_t;
// 1-based, in the order of accepting within a run.
using ConnectionId = std::uint64_t;

// Where an answer came from, in the order of DESIGN.md section 4.
enum class Source {
  unmatched,  // no route: 404
  malformed,  // not HTTP: 400
  outage,
  override_step,
  rate_limit,
  capacity,
  key_missing,    // 400
  key_reused,     // 422
  key_in_flight,  // 409
  replay,
  script,
  after_script,  // after_script: fail
  connection,    // cut by the connections script
};

// What the plan meant to do, known before the first response byte leaves.
struct Planned {
  Source source = Source::unmatched;
  Text route;                            // the route's `on` text; "" when unmatched
  Text step;                             // JSON pointer of the step, "" when no step
  int status = 0;                        // 0: no answer is meant to arrive
  std::vector<std::string> retry_after;  // values as sent, one per header line
  Text location;                         // Location as sent
  Duration delay{0};                     // the drawn delay before the answer starts
  std::vector<std::string> faults;       // "reset at response_start", in order
  // What of the answer the plan sends: the client can only have seen a complete answer when
  // `complete` holds and the delivery went through.
  bool complete = true;
  bool connection_close = false;    // the answer says Connection: close
  bool should_retry_false = false;  // an x-should-retry: false style hint was sent
  // Other hints about retrying as sent: retry-after-ms, x-amz-retry-after, grpc-retry-pushback-ms,
  // ratelimit, ratelimit-reset, x-ratelimit-reset, x-should-retry, stripe-should-retry.
  Headers hints;
  std::vector<std::string> near_misses;  // for unmatched: why each route missed
  Text note;                             // for malformed: what was wrong
};

enum class Ending {
  pending,    // not over yet (the run ended first)
  delivered,  // the plan went through
  peer_left,  // the client closed or reset before the plan's end
  failed,     // this host could not write
};

struct Delivered {
  Ending ending = Ending::pending;
  std::optional<Instant> r_min;  // RULES.md B0
  std::optional<Instant> r_max;
  std::uint64_t bytes = 0;           // response bytes handed to the kernel
  bool faults_delivered = true;      // every planned fault took place
  std::optional<Instant> peer_left;  // x of RULES.md B0
  bool peer_reset = false;           // by RST rather than FIN
  std::optional<Instant> ended;
};

struct Attempt {
  AttemptId id = 0;
  std::uint32_t run = 1;
  ConnectionId connection = 0;
  std::uint32_t number_on_connection = 1;
  std::uint32_t listener = 0;  // which port of a herd
  Text client;                 // peer address without port
  Instant first_byte;          // a of RULES.md B0
  bool first_byte_from_kernel = false;
  Instant head_read;
  std::optional<Instant> body_read;  // b of RULES.md B0; nothing: never complete
  Text method;
  Text target;
  Text head;  // raw bytes: request line to blank line
  std::uint64_t body_bytes = 0;
  std::optional<Sha256> body_sha256;  // nothing: the body was never read whole
  Text operation;                     // value that the scenario's `operation` names; "" none
  Text key;                           // idempotency key on a route that has a store
  bool route_has_store = false;       // the route has `idempotency`
  bool executed = false;
  bool replayed = false;
  Text resource;  // id of the resource this attempt created
  Planned planned;
  Delivered delivered;

  Headers headers() const;  // parsed from `head`, in order
  // The first header of that name, without parsing the others; the view is into `head`.
  std::optional<std::string_view> header(std::string_view name) const;
};

struct Connection {
  ConnectionId id = 0;
  std::uint32_t run = 1;
  std::uint32_t listener = 0;
  Text client;
  Instant accepted;
  std::uint64_t bytes_received = 0;
  std::uint32_t requests = 0;
  std::vector<std::string> planned_faults;  // of the connections script
  bool faults_delivered = true;
  std::optional<Instant> closed;
  enum class ClosedBy { nobody, peer, peer_reset, server };
  ClosedBy closed_by = ClosedBy::nobody;
  Text note;  // why it came to no request: "TLS alert of the client: unknown CA"
};

struct Resource {
  std::string kind;
  std::string id;
  AttemptId attempt = 0;
  std::uint32_t run = 1;
  std::string key;
  Instant at;
};

// The host was late by `late` at `at`: from the lag probe of the run's loop, so it slept through
// [at - late, at]. Only samples above one millisecond are kept.
struct Lag {
  Instant at;
  Duration late{0};
};

// Nobody could connect: by the scenario, or because a limit of the run or the host was reached.
struct Pause {
  Instant from;
  Instant until;
  std::string why;
};

// How the client process ended, and what it said of itself.
struct ClientEnd {
  // hung: stopped by the time limit. signalled: by a signal, its own or somebody's. interrupted:
  // this program was told to stop, as by Ctrl-C, before the client had succeeded.
  enum class Outcome { none, success, failure, hung, signalled, interrupted };
  std::uint32_t process = 0;  // of a herd: its number from 0, which is its listener
  std::optional<int> exit_code;
  std::optional<int> signal;
  Outcome outcome = Outcome::none;  // by its JSON line, else by its exit code
  bool declared = false;            // by its JSON line
  std::optional<int> status;
  std::string body_sha256;
  std::string reason;
  std::optional<Instant> ended;
};

// One run's records.
struct Run {
  std::uint32_t number = 1;
  std::uint64_t seed = 0;
  std::string scenario_name;
  std::string scenario_hash;
  std::string profile;          // that judges it: the scenario's, or --profile; "": not known
  std::string command;          // the command line that replays it; "" : not known
  WallTime wall_origin;         // the wall clock at Instant zero
  std::optional<Instant> zero;  // the run's time zero (first connection or ready)
  bool one_process = true;      // one client process: `run`, without --herd
  std::uint32_t processes = 1;  // of a herd
  std::vector<Connection> connections;
  std::vector<Attempt> attempts;  // by id
  std::vector<Resource> resources;
  std::vector<Lag> lags;
  std::vector<Pause> pauses;
  std::vector<ClientEnd> clients;        // one, or one per process of a herd
  std::uint64_t attempts_begun = 0;      // all of them, dropped ones too
  std::uint64_t connections_opened = 0;  // all of them, dropped ones too
  std::uint64_t dropped_attempts = 0;    // left out because the journal was full
  std::uint64_t dropped_connections = 0;
  std::uint32_t steps_unused = 0;  // script positions never claimed
  std::optional<Instant> ended;
  bool is_cut = false;  // read from a file that ends before the run did: the rest is not known
};

// The header lines of a raw head, in order; values without surrounding blanks, a folded line
// joined to the one before with one blank. A line without a colon is left out.
Headers parse_headers(std::string_view head);

// The word of the journal file and the reports: "key_in_flight", "peer_left".
std::string_view word(Source source);
std::string_view word(Ending ending);
std::string_view word(Connection::ClosedBy by);
std::string_view word(ClientEnd::Outcome outcome);

// The value with that word, or nothing.
std::optional<Source> source_of(std::string_view word);
std::optional<Ending> ending_of(std::string_view word);
std::optional<Connection::ClosedBy> closed_by_of(std::string_view word);
std::optional<ClientEnd::Outcome> outcome_of(std::string_view word);

}  // namespace retrylab::journal
