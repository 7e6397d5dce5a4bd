// SPDX-License-Identifier: MIT
// A scenario as values: what the JSON file says, after decoding and validation. Every name here
// is the word of the file. Nothing here decides anything.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "client_lib/base/http.h"
#include "client_lib/base/http_date.h"
#include "client_lib/base/ratio.h"
#include "client_lib/base/time.h"
#include "server/scenario/expect.h"
#include "server/scenario/faults/fault.h"

namespace retrylab::scenario {

// ---- Answers -----------------------------------------------------------------------------

// "retry_after": "5s" or {"date": "+5s", "format": "imf"}. Whole seconds, rounded up when sent.
struct RetryAfter {
  Duration wait{0};                // may be negative for a date in the past
  std::optional<DateFormat> date;  // a date in this form; nothing: delay-seconds
};

// Text with placeholders, split at load: literal pieces and {{...}} names in turn.
struct Placeholder {
  enum class Kind {
    resource_id,
    attempt,
    request_method,
    request_path,
    request_query,
    request_header,
    request_body,
    run_url,
    now
  };
  enum class NowForm { imf, rfc850, asctime, epoch, epoch_ms };
  Kind kind = Kind::attempt;
  std::string argument;  // query or header name
  Duration offset{0};    // now+60s
  NowForm form = NowForm::imf;
};
using TemplatePiece = std::variant<std::string, Placeholder>;
struct Template {
  std::vector<TemplatePiece> pieces;
  bool is_literal() const;      // no placeholder
  std::string literal() const;  // the text; only when is_literal()
};

struct HeaderTemplate {
  std::string name;
  Template value;
};

// body | json | body_size | body_file: all become either a template or shared bytes.
struct Body {
  std::optional<Template> text;               // body, json (compact), small body_file
  std::shared_ptr<const std::string> bytes;   // body_size filler, body_file
  std::string content_type;                   // "" when the step gives none
  bool escapes_json = false;                  // `json`: a placeholder's value stands in a string
  std::optional<std::uint64_t> size() const;  // nothing: placeholders decide
};

struct FixedDelay {
  Duration time{0};
};
struct UniformDelay {
  Duration min{0};
  Duration max{0};
};
// Median and a spread: sigma in thousandths (of the underlying normal); cut off at max.
struct LognormalDelay {
  Duration median{0};
  std::int64_t sigma_thousandths = 0;
  Duration max{0};
};
// Holds answers until `waiting` attempts wait here, at most `max`.
struct BarrierDelay {
  std::uint32_t waiting = 0;
  Duration max{0};
};
using Delay = std::variant<FixedDelay, UniformDelay, LognormalDelay, BarrierDelay>;

// "executes": true | false | {"status": 201, "json": ...} (the answer the operation really had).
struct ExecutedAnswer {
  int status = 200;
  std::vector<HeaderTemplate> headers;
  Body body;
};
using Executes = std::variant<bool, ExecutedAnswer>;

// One Content-Length line: so many bytes, or so many more than the body has.
struct ContentLength {
  bool relative = false;
  std::int64_t bytes = 0;
};

// Shape of the body on the wire, the wrong shapes included.
struct Framing {
  enum class Kind { content_length, chunked, close };
  Kind kind = Kind::content_length;
  std::vector<std::size_t> chunks;     // chunk sizes, the last repeats; empty: one chunk
  std::vector<ContentLength> lengths;  // in place of the one right line; with chunked: beside it
  std::string bad_size;         // stands where the size of chunk `bad_chunk` would; "" : none
  std::uint32_t bad_chunk = 1;  // 1-based
  bool last_chunk = true;       // false: the body never says that it is over
  std::vector<HeaderTemplate> trailers;
};

// "encoding": how the body is coded, and what is wrong with that. The length tells what is sent.
struct Encoding {
  enum class Flaw { none, cut, corrupt };
  Flaw flaw = Flaw::none;
  std::uint64_t cut = 8;  // bytes that the end lacks; 8: gzip's own check of its content
};

// "ranges": what a request with Range gets of a 200 that has a body.
enum class Ranges {
  ignored,       // the whole
  honoured,      // 206, or 416, as RFC 9110 §14 has it
  wrong,         // a Content-Range that begins elsewhere than the bytes do
  unknown_size,  // "bytes 5-9/*"
  too_much,      // the right Content-Range before the whole body
};

// An answer before the answer: 100, 102, 103.
struct Interim {
  int status = 102;
  std::vector<HeaderTemplate> headers;
  Duration after{0};  // since the request's end
};

// "continue": what becomes of "Expect: 100-continue".
struct Continue {
  bool withheld = false;
  Duration after{0};
};

struct Pace {
  enum class Part { head, body };
  Part part = Part::body;
  std::size_t bytes = 1;
  Duration every{0};
};

struct Step {
  std::string where;                    // JSON pointer of the step, for reports
  std::optional<int> status;            // nothing: the step changes only the delivery
  std::string reason;                   // "" : the standard phrase
  int minor_version = 1;                // of the status line: HTTP/1.0, HTTP/1.1
  std::vector<HeaderTemplate> headers;  // exact order and case
  std::optional<RetryAfter> retry_after;
  std::optional<Body> body;
  std::optional<Encoding> encoding;  // gzip
  Ranges ranges = Ranges::ignored;
  std::vector<Interim> interim;  // in the order of their instants
  Continue expect_continue;
  Framing framing;
  std::optional<Delay> delay;
  std::vector<Pace> pace;
  std::vector<std::size_t> write_sizes;  // bytes per TCP segment, the last repeats
  std::vector<Fault> faults;             // in the order of their moments
  std::optional<Executes> executes;      // nothing: a 2xx executes
  bool executes_after_delay = false;
  std::uint32_t times = 1;
  std::optional<Duration> lasts;         // "for": d
  bool lasts_until_retry_after = false;  // "for": "until_retry_after"
  std::optional<Ratio> chance;
  std::shared_ptr<const Step> otherwise;  // "else"
};

// ---- Routes ------------------------------------------------------------------------------

// One segment of a path template: literal text, {name}, or the final {rest...}. A path is split
// at each "/" after its first byte: "/" is one empty literal, "/v1/" is "v1" and an empty one.
// A {name} takes one segment that is not empty, {rest...} takes whatever follows its "/".
struct PathSegment {
  enum class Kind { literal, parameter, rest };
  Kind kind = Kind::literal;
  std::string text;  // the literal, or the parameter's name
};

// What a header, query value or body member has to be.
struct Condition {
  std::string name;  // header or query name; JSON pointer for bodies
  enum class Test { equals, present, absent };
  Test test = Test::equals;
  std::string value;  // for equals; body members: compact JSON
};

struct Match {
  std::string method;  // "" : any ("*")
  std::vector<PathSegment> path;
  std::vector<Condition> headers;
  std::vector<Condition> query;
  std::vector<Condition> body;  // JSON body members
  std::string text;             // as written: "POST /v1/payments"
};

struct CountBy {
  enum class Kind { route, operation, connection, client, header, path };
  Kind kind = Kind::route;
  std::string name;  // header or path parameter
};

enum class AfterScript { repeat_last, cycle, fail };

// When an override applies; every given part has to hold.
struct When {
  std::optional<std::uint32_t> attempt;     // n-th attempt counted as count_by says
  std::optional<std::uint32_t> connection;  // n-th connection of the run
  std::optional<std::uint32_t> request_on_connection;
  std::optional<Duration> elapsed_from;  // since the run's time zero
  std::optional<Duration> elapsed_until;
  std::optional<std::uint32_t> concurrency_min;  // attempts being served on this route
  std::optional<std::uint32_t> replay;           // the n-th replay of a stored answer
  std::vector<Condition> headers;
  std::vector<Condition> body;
};

struct Override {
  When when;
  Step step;  // without status: changes only the delivery
};

struct Idempotency {
  std::string header = "Idempotency-Key";
  bool required = false;
  bool strict_syntax = false;  // quoted structured-field string only
  enum class InFlight { conflict, wait };
  InFlight in_flight = InFlight::conflict;  // 409, or wait for the first answer
  enum class Store { executed, every };
  Store store = Store::executed;
  Duration ttl = kForever;
  std::string replay_header = "Idempotent-Replayed";  // set to "true" on a replay; "" : none
  // Compare method, target and body hash with the first request's; false: replay regardless.
  bool check_payload = true;
};

// Whose requests share a limit.
struct LimitBy {
  enum class Kind { route, client, header };
  Kind kind = Kind::route;
  std::string name;
};

// "rate_limit": so many requests per time. Whoever comes early is refused, and costs nothing.
struct RateLimit {
  enum class Kind { fixed_window, token_bucket };
  Kind kind = Kind::fixed_window;
  std::uint32_t requests = 1;
  Duration per{0};
  std::uint32_t burst = 1;  // size of a token bucket; `requests` when the file does not say
  LimitBy by;
  // How the state of the limit is told; the first two only to whoever is refused.
  enum class Tell {
    retry_after,
    retry_after_ms,
    x_ratelimit,        // X-RateLimit-Limit, -Remaining, -Reset in seconds from now
    x_ratelimit_epoch,  // the same, with -Reset as seconds since 1970
    ratelimit,          // RateLimit and RateLimit-Policy of the IETF draft
    ratelimit_three,    // RateLimit-Limit, -Remaining, -Reset of its older versions
  };
  std::vector<Tell> tells{Tell::retry_after};
  Step refused;  // the answer
};

// "capacity": so many at once, the others wait in a queue, the rest is shed.
struct Capacity {
  std::uint32_t concurrent = 1;
  std::uint32_t queue = 0;
  std::optional<Delay> service_time;  // how long a request holds its place, before its own delay
  Step shed;                          // the answer
};

struct Route {
  std::string where;  // JSON pointer
  Match on;
  std::vector<Step> script;
  AfterScript after_script = AfterScript::repeat_last;
  CountBy count_by;
  std::vector<Override> overrides;
  std::string creates;  // resource kind; "" : creates nothing
  std::optional<RateLimit> rate_limit;
  std::optional<Capacity> capacity;
  std::optional<Idempotency> idempotency;
};

// ---- Connections, outages, limits --------------------------------------------------------

// One position of the `connections` script. Empty: a normal connection.
struct ConnectionStep {
  std::vector<Fault> faults;  // at accept or request_start
  std::uint32_t times = 1;
  // Or a window of time, which begins when the script comes to it: the port is closed, or
  // connections are accepted and nothing more.
  std::optional<Duration> refuse;
  std::optional<Duration> accept_and_hang;
  // With TLS: what the handshake shows.
  std::optional<wire::ShowCertificate::Which> certificate;
};

// "keep_alive": how long the server keeps a connection.
struct KeepAlive {
  std::optional<std::uint32_t> requests;  // the last of them ends it
  std::optional<Duration> idle;           // closed when it has been idle for so long
  bool announced = true;                  // the last answer says "Connection: close"
};

// "outages": answer, refuse or hang from .. until on the run's clock.
struct Outage {
  Duration from{0};
  Duration until{0};
  // accept_and_hang: of connections that are made meanwhile; those that stand are served.
  enum class Do { answer, refuse, hang, accept_and_hang };
  Do what = Do::answer;
  Step answer;  // for answer; default 503
};

struct Limits {
  std::uint32_t connections = 20'000;
  std::uint64_t header_bytes = 64'000;
  std::uint64_t body_bytes = 16'000'000;
  std::uint64_t journal_entries = 200'000;
  std::uint64_t journal_bytes = 128'000'000;
  std::uint64_t keys = 1'000'000;
  std::uint64_t resources = 1'000'000;
  Duration delay{std::chrono::hours(1)};
};

// How attempts belong together: header, path parameter, query value or JSON body pointer.
struct OperationBy {
  enum class Kind { automatic, header, path, query, body };
  Kind kind = Kind::automatic;
  std::string name;
};

enum class ClockZero { first_connection, ready };

struct Scenario {
  std::string name;
  std::string about;
  std::optional<std::uint64_t> seed;
  ClockZero clock = ClockZero::first_connection;
  OperationBy operation;
  std::vector<ConnectionStep> connections;  // the last position repeats only with "times"
  KeepAlive keep_alive;
  std::vector<Route> routes;
  std::vector<Outage> outages;
  Limits limits;
  Expect expect;
  std::string hash;  // first 16 hex digits of the text's SHA-256
};

}  // namespace retrylab::scenario
