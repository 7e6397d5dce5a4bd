// SPDX-License-Identifier: MIT
#include "server/engine/message.h"

#include <algorithm>

#include <fmt/format.h>

namespace retrylab::engine {
namespace {

using Kind = scenario::Framing::Kind;

// RFC 9110 §6.4.1: 1xx, 204 and 304 never have content.
bool status_without_content(int status) {
  return status < 200 || status == 204 || status == 304;
}

void append_line(std::string& head, std::string_view name, std::string_view value) {
  head.append(name).append(": ").append(value).append("\r\n");
}

void append_framing(std::string& head, const Reply& reply, const scenario::Framing& framing,
                    Kind kind) {
  const bool has_content = !status_without_content(reply.status);
  if (kind == Kind::chunked && has_content) append_line(head, "Transfer-Encoding", "chunked");
  if (kind == Kind::content_length && framing.lengths.empty() && has_content) {
    append_line(head, "Content-Length", fmt::format_int(reply.body().size()).c_str());
  }
  for (const std::uint64_t length : told_lengths(framing, reply.body().size())) {
    append_line(head, "Content-Length", fmt::format_int(length).c_str());
  }
}

// RFC 9112 §9.3: a 1.1 connection persists unless told otherwise, a 1.0 one only when told so.
void append_connection(std::string& head, const Reply& reply, const MessageForm& form,
                       bool keep_alive) {
  if (reply.has_connection || form.status_line_version == 0) return;
  if (!keep_alive) {
    append_line(head, "Connection", "close");
  } else if (form.minor_version == 0) {
    append_line(head, "Connection", "keep-alive");
  }
}

std::string make_head(const Reply& reply, const scenario::Framing& framing, const MessageForm& form,
                      const Message& message, Kind kind) {
  std::string head;
  head.reserve(160 + reply.header_lines.size() + reply.text.size());
  head.append(form.status_line_version == 0 ? "HTTP/1.0 " : "HTTP/1.1 ");
  head.append(fmt::format_int(reply.status).c_str()).append(" ");
  head.append(reply.reason).append("\r\n");
  if (!reply.has_date) append_line(head, "Date", form.date);
  head.append(reply.header_lines);
  append_framing(head, reply, framing, kind);
  append_connection(head, reply, form, message.keep_alive);
  if (!form.replay_header.empty()) append_line(head, form.replay_header, "true");
  return head.append("\r\n");
}

bool persists(const Reply& reply, const MessageForm& form) {
  if (!form.keep_alive || reply.closes) return false;
  return form.status_line_version == 1 || reply.has_connection;
}

void set_body(Message& message, const Reply& reply, const scenario::Framing& framing, Kind kind) {
  message.content_bytes = reply.body().size();
  if (kind == Kind::chunked) {
    message.chunks = cut_into_chunks(reply.body().size(), framing);
    message.body = chunked(reply.body(), message.chunks, framing, reply.trailer_lines);
  } else if (reply.shared_body) {
    message.shared_body = reply.shared_body;
  } else {
    message.body = reply.text;
  }
}

}  // namespace

std::optional<std::size_t> Message::after_body_bytes(std::uint64_t count) const {
  if (count > content_bytes) return std::nullopt;
  if (chunks.empty()) return head.size() + count;
  std::size_t offset = head.size();
  std::uint64_t left = count;
  for (const Chunk& chunk : chunks) {
    if (left == 0) break;
    offset += chunk.head_bytes;
    if (left <= chunk.size) return offset + left;
    offset += chunk.size + 2;
    left -= chunk.size;
  }
  return offset;
}

Message make_message(const Reply& reply, const scenario::Framing& framing,
                     const MessageForm& form) {
  Kind kind = framing.kind;
  if (kind == Kind::chunked && form.minor_version == 0) kind = Kind::close;
  const bool has_body = !form.head_request && !status_without_content(reply.status);
  Message message;
  message.by_close = kind == Kind::close && has_body;
  message.keep_alive = persists(reply, form) && !message.by_close;
  message.head = make_head(reply, framing, form, message, kind);
  message.says_close = !message.keep_alive && (form.status_line_version == 1 || reply.closes);
  if (has_body) set_body(message, reply, framing, kind);
  Flaws flaws = flaws_of(framing, kind, has_body, reply.body().size());
  if (!reply.content_flaw.empty()) flaws.add(reply.content_flaw, false);
  message.flaws = std::move(flaws.texts);
  message.complete = flaws.complete;
  message.flaw_missing = flaws.missing;
  // Nobody can find the end of such a body but where the connection ends.
  if (flaws.endless) message.keep_alive = false;
  return message;
}

}  // namespace retrylab::engine
