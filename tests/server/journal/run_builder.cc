// SPDX-License-Identifier: MIT
#include "tests/server/journal/run_builder.h"

#include <algorithm>

namespace retrylab::journal {

using std::chrono::milliseconds;

AttemptBuilder& AttemptBuilder::answered(int status, Duration after) {
  Attempt& it = attempt();
  it.planned.status = status;
  it.delivered = {.ending = Ending::delivered,
                  .r_min = it.first_byte + after,
                  .r_max = it.first_byte + after,
                  .bytes = 100,
                  .ended = it.first_byte + after};
  return *this;
}

AttemptBuilder& AttemptBuilder::retry_after(const std::string& value) {
  attempt().planned.retry_after.push_back(value);
  return *this;
}

AttemptBuilder& AttemptBuilder::hint(const std::string& name, const std::string& value) {
  attempt().planned.hints.push_back({name, value});
  return *this;
}

AttemptBuilder& AttemptBuilder::location(const std::string& target) {
  attempt().planned.location = target;
  return *this;
}

AttemptBuilder& AttemptBuilder::closes_connection() {
  attempt().planned.connection_close = true;
  return *this;
}

AttemptBuilder& AttemptBuilder::cut(Duration after, std::uint64_t bytes, const std::string& fault) {
  Attempt& it = attempt();
  it.planned.complete = false;
  it.planned.faults = {fault};
  const Instant end = it.first_byte + after;
  it.delivered = {.ending = Ending::delivered, .r_min = end, .bytes = bytes, .ended = end};
  if (bytes > 0) it.delivered.r_max = end;
  return *this;
}

AttemptBuilder& AttemptBuilder::reset(Duration after) {
  return cut(after, 0, "reset at response_start");
}

AttemptBuilder& AttemptBuilder::closed(Duration after) {
  return cut(after, 0, "close at response_start");
}

AttemptBuilder& AttemptBuilder::truncated(int status, Duration after) {
  attempt().planned.status = status;
  return cut(after, 50, "close at body_byte 2");
}

AttemptBuilder& AttemptBuilder::garbage() {
  return cut(milliseconds(1), 16, "garbage at response_start");
}

AttemptBuilder& AttemptBuilder::left(Duration after) {
  Attempt& it = attempt();
  it.delivered = {.ending = Ending::peer_left,
                  .peer_left = it.first_byte + after,
                  .ended = it.first_byte + after};
  return *this;
}

AttemptBuilder& AttemptBuilder::hangs() {
  attempt().delivered = {};
  return *this;
}

AttemptBuilder& AttemptBuilder::undelivered(const std::string& fault) {
  attempt().planned.faults = {fault};
  attempt().delivered.faults_delivered = false;
  return *this;
}

AttemptBuilder& AttemptBuilder::body_never_read() {
  attempt().body_read.reset();
  attempt().body_sha256.reset();
  return *this;
}

AttemptBuilder& AttemptBuilder::body(std::string_view bytes) {
  attempt().body_bytes = bytes.size();
  attempt().body_sha256 = sha256(bytes);
  return *this;
}

AttemptBuilder& AttemptBuilder::key(const std::string& value) {
  attempt().key = value;
  attempt().route_has_store = true;
  return header("Idempotency-Key", value);
}

AttemptBuilder& AttemptBuilder::header(const std::string& name, const std::string& value) {
  std::string head = attempt().head;
  head.insert(head.size() - 2, name + ": " + value + "\r\n");
  attempt().head = std::move(head);
  return *this;
}

AttemptBuilder& AttemptBuilder::operation(const std::string& name) {
  attempt().operation = name;
  return *this;
}

AttemptBuilder& AttemptBuilder::connection(ConnectionId id, std::uint32_t number) {
  attempt().connection = id;
  attempt().number_on_connection = number;
  return *this;
}

AttemptBuilder& AttemptBuilder::listener(std::uint32_t number) {
  attempt().listener = number;
  return *this;
}

AttemptBuilder& AttemptBuilder::route(const std::string& text) {
  attempt().planned.route = text;
  return *this;
}

AttemptBuilder& AttemptBuilder::source(Source source) {
  attempt().planned.source = source;
  return *this;
}

AttemptBuilder& AttemptBuilder::executed() {
  attempt().executed = true;
  return *this;
}

AttemptBuilder& AttemptBuilder::created(const std::string& kind) {
  Attempt& it = attempt();
  it.executed = true;
  it.resource = kind + "-" + std::to_string(run_.resources.size() + 1);
  run_.resources.push_back({kind, it.resource, it.id, run_.number, it.key, it.first_byte});
  return *this;
}

AttemptBuilder& AttemptBuilder::without_kernel_time() {
  attempt().first_byte_from_kernel = false;
  return *this;
}

RunBuilder::RunBuilder(std::uint32_t number) {
  run_.number = number;
  run_.wall_origin = WallTime(std::chrono::seconds(1'795'000'000));
  run_.zero = Instant(Duration(0));
}

AttemptBuilder RunBuilder::get(Duration at, const std::string& target) {
  return request(at, "GET", target);
}

AttemptBuilder RunBuilder::post(Duration at, const std::string& target) {
  AttemptBuilder made = request(at, "POST", target);
  return made.body("{}");
}

AttemptBuilder RunBuilder::request(Duration at, const std::string& method,
                                   const std::string& target) {
  Attempt made;
  made.id = run_.attempts.size() + 1;
  made.run = run_.number;
  made.connection = made.id;
  made.first_byte = instant(at);
  made.first_byte_from_kernel = true;
  made.head_read = instant(at);
  made.body_read = instant(at);
  made.method = method;
  made.target = target;
  made.head = method + " " + target + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
  made.body_sha256 = sha256("");
  made.planned.source = Source::script;
  made.planned.route = method + " " + target.substr(0, target.find('?'));
  run_.attempts.push_back(std::move(made));
  AttemptBuilder builder(run_, run_.attempts.size() - 1);
  return builder.answered(200);
}

RunBuilder& RunBuilder::served() {
  run_.one_process = false;
  return *this;
}

RunBuilder& RunBuilder::herd(std::uint32_t processes) {
  run_.one_process = false;
  run_.processes = processes;
  return *this;
}

RunBuilder& RunBuilder::client(ClientEnd::Outcome outcome, Duration at) {
  ClientEnd end;
  end.process = static_cast<std::uint32_t>(run_.clients.size());
  end.outcome = outcome;
  if (outcome == ClientEnd::Outcome::success) end.exit_code = 0;
  if (outcome == ClientEnd::Outcome::failure) end.exit_code = 1;
  end.ended = instant(at);
  run_.clients.push_back(end);
  return *this;
}

RunBuilder& RunBuilder::lag(Duration at, Duration late) {
  run_.lags.push_back({instant(at), late});
  return *this;
}

RunBuilder& RunBuilder::dropped(std::uint64_t attempts) {
  run_.dropped_attempts = attempts;
  return *this;
}

RunBuilder& RunBuilder::ended(Duration at) {
  run_.ended = instant(at);
  return *this;
}

Run RunBuilder::build() const {
  Run run = run_;
  Instant last = instant(Duration(0));
  for (const Attempt& attempt : run.attempts) {
    last = std::max(last, attempt.first_byte);
    const auto known = std::ranges::find(run.connections, attempt.connection, &Connection::id);
    if (known != run.connections.end()) continue;
    run.connections.push_back({.id = attempt.connection,
                               .run = run.number,
                               .listener = attempt.listener,
                               .accepted = attempt.first_byte,
                               .requests = 1});
  }
  std::ranges::sort(run.connections, {}, &Connection::id);
  run.attempts_begun = run.attempts.size() + run.dropped_attempts;
  run.connections_opened = run.connections.size();
  if (!run.ended) run.ended = last + std::chrono::minutes(10);
  return run;
}

}  // namespace retrylab::journal
