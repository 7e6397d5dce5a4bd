// SPDX-License-Identifier: MIT
// An answer as bytes: status line, header lines, framing, body (RFC 9112). Where each part ends
// is kept, since faults are placed by byte.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/engine/framing.h"
#include "server/engine/reply.h"
#include "server/scenario/scenario.h"

namespace retrylab::engine {

// What the request asks of the answer's form, and what the step says of it.
struct MessageForm {
  bool head_request = false;       // no body, the length is still told
  int minor_version = 1;           // the client's; a 1.0 client gets no chunks
  int status_line_version = 1;     // what the answer says it is
  bool keep_alive = true;          // the client wants to keep the connection
  std::string_view date;           // for the Date line
  std::string_view replay_header;  // "" : not a replay
};

struct Message {
  std::string head;  // to the blank line
  std::string body;  // as on the wire, unless shared_body is set
  std::shared_ptr<const std::string> shared_body;
  std::vector<Chunk> chunks;        // set when the body is chunked
  std::uint64_t content_bytes = 0;  // body bytes before framing, none for HEAD, 204, 304
  bool keep_alive = true;           // the connection lives on after it
  bool says_close = false;          // and its head says that it does not
  bool by_close = false;            // the body ends where the connection ends
  // What is wrong with it by itself, as the journal says it: "long_length at framing".
  std::vector<std::string> flaws;
  bool flaw_missing = false;  // one that this answer has no place for
  bool complete = true;       // whoever reads all of it has a whole answer

  std::string_view wire_body() const { return shared_body ? *shared_body : body; }
  std::size_t size() const { return head.size() + wire_body().size(); }
  // The offset in the message after `count` body bytes; nothing when it has fewer.
  std::optional<std::size_t> after_body_bytes(std::uint64_t count) const;
};

Message make_message(const Reply& reply, const scenario::Framing& framing, const MessageForm& form);

}  // namespace retrylab::engine
