// SPDX-License-Identifier: MIT
// What an answer says: status, header lines, body. Nothing of how it is put on the wire, so that
// the idempotency store can keep it and send it again.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "client_lib/base/http.h"
#include "client_lib/base/time.h"
#include "server/engine/placeholders.h"
#include "server/scenario/scenario.h"

namespace retrylab::engine {

struct Reply {
  int status = 0;
  std::string_view reason;    // static, or the scenario's
  std::string header_lines;   // "Name: value\r\n" each, in the scenario's order and case
  std::string trailer_lines;  // the same, behind the last chunk
  std::string text;           // the body, unless shared_body is set
  std::shared_ptr<const std::string> shared_body;

  // What the header lines say, for the journal and for the lines that are added when sent.
  std::vector<std::string> retry_after;
  std::string location;
  bool should_retry_false = false;
  Headers hints;  // as journal::Planned has them
  bool has_date = false;
  bool has_connection = false;
  bool closes = false;       // Connection: close
  std::string etag;          // as sent
  std::string content_flaw;  // what is wrong with the body itself: "cut at encoding"; "" : nothing

  std::string_view body() const { return shared_body ? *shared_body : text; }
  // One more line at the end, and what it means.
  void add_header(std::string_view name, std::string_view value);
};

// The answer of a step (with status) as `values` fill it.
Reply step_reply(const scenario::Step& step, const PlaceholderValues& values);

// An interim answer as bytes, whole.
std::string interim_bytes(const scenario::Interim& interim, const PlaceholderValues& values);

// The answer that an operation really had (`executes` with an answer).
Reply executed_reply(const scenario::ExecutedAnswer& answer, const PlaceholderValues& values);

// An answer of the server's own, as application/problem+json (RFC 9457).
Reply problem_reply(int status, std::string_view title, const std::string& detail,
                    const std::vector<std::string>& near_misses = {});

// When the answer says the client may come back, from its start at `now`; before `now` for a
// past date.
Duration announced_wait(const scenario::RetryAfter& retry_after, WallTime now);

}  // namespace retrylab::engine
