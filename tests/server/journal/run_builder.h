// SPDX-License-Identifier: MIT
// Tells the story of a run in a few lines, without an engine:
//
//   RunBuilder run;
//   run.post(0ms, "/pay").key("k").answered(503).retry_after("5");
//   run.post(310ms, "/pay").key("k").answered(201).created("payment");
//   run.client(ClientEnd::Outcome::success, 400ms);
#pragma once

#include <string>
#include <string_view>

#include "server/journal/record.h"

namespace retrylab::journal {

// One attempt of the run; every verb changes it and returns it. It arrives on a connection of its
// own, its request is complete at once, and it is answered 200 one millisecond later.
class AttemptBuilder {
 public:
  AttemptBuilder(Run& run, std::size_t index) : run_(run), index_(index) {}

  AttemptBuilder& answered(int status, Duration after = std::chrono::milliseconds(1));
  AttemptBuilder& retry_after(const std::string& value);
  AttemptBuilder& hint(const std::string& name, const std::string& value);
  AttemptBuilder& location(const std::string& target);
  AttemptBuilder& closes_connection();
  // The request was read whole, then the connection ended without an answer.
  AttemptBuilder& reset(Duration after = std::chrono::milliseconds(1));
  AttemptBuilder& closed(Duration after = std::chrono::milliseconds(1));
  // The head of the answer went out, then the connection ended.
  AttemptBuilder& truncated(int status, Duration after = std::chrono::milliseconds(1));
  AttemptBuilder& garbage();
  // The client left after so long, before it was answered.
  AttemptBuilder& left(Duration after);
  // Never answered, and the client never left.
  AttemptBuilder& hangs();
  AttemptBuilder& undelivered(const std::string& fault);
  AttemptBuilder& body_never_read();

  AttemptBuilder& body(std::string_view bytes);
  AttemptBuilder& key(const std::string& value);  // on a route with a store
  AttemptBuilder& header(const std::string& name, const std::string& value);
  AttemptBuilder& operation(const std::string& name);
  AttemptBuilder& connection(ConnectionId id, std::uint32_t number = 1);
  AttemptBuilder& listener(std::uint32_t number);
  AttemptBuilder& route(const std::string& text);
  AttemptBuilder& source(Source source);
  AttemptBuilder& executed();
  AttemptBuilder& created(const std::string& kind);
  // Its request came so much later to this process than to the kernel.
  AttemptBuilder& without_kernel_time();

  Attempt& attempt() { return run_.attempts[index_]; }

 private:
  AttemptBuilder& cut(Duration after, std::uint64_t bytes, const std::string& fault);

  Run& run_;
  std::size_t index_;
};

class RunBuilder {
 public:
  explicit RunBuilder(std::uint32_t number = 1);

  AttemptBuilder get(Duration at, const std::string& target = "/thing");
  AttemptBuilder post(Duration at, const std::string& target = "/pay");
  AttemptBuilder request(Duration at, const std::string& method, const std::string& target);

  RunBuilder& served();  // no client process is known: attempts come from anywhere
  RunBuilder& herd(std::uint32_t processes);
  RunBuilder& client(ClientEnd::Outcome outcome, Duration at);
  RunBuilder& lag(Duration at, Duration late);
  RunBuilder& dropped(std::uint64_t attempts);
  RunBuilder& ended(Duration at);

  // Adds connections for the attempts and, unless given, an end ten minutes after the last one.
  Run build() const;
  Run& run() { return run_; }

 private:
  Run run_;
};

inline Instant instant(Duration since_start) {
  return Instant(since_start);
}

}  // namespace retrylab::journal
