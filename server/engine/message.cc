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

std::size_t hex_digits(std::size_t number) {
  std::size_t digits = 1;
  while (number >>= 4U) ++digits;
  return digits;
}

// The chunk sizes that `total` bytes are cut into; the last wanted size repeats.
std::vector<std::size_t> cut_into_chunks(std::size_t total,
                                         const std::vector<std::size_t>& wanted) {
  std::vector<std::size_t> sizes;
  while (total > 0) {
    std::size_t size = total;
    if (!wanted.empty()) size = wanted[std::min(sizes.size(), wanted.size() - 1)];
    size = std::clamp<std::size_t>(size, 1, total);
    sizes.push_back(size);
    total -= size;
  }
  return sizes;
}

std::string chunked(std::string_view content, const std::vector<std::size_t>& sizes) {
  std::string out;
  for (const std::size_t size : sizes) {
    fmt::format_to(std::back_inserter(out), "{:x}\r\n", size);
    out.append(content.substr(0, size)).append("\r\n");
    content.remove_prefix(size);
  }
  return out += "0\r\n\r\n";
}

void append_line(std::string& head, std::string_view name, std::string_view value) {
  head.append(name).append(": ").append(value).append("\r\n");
}

void append_framing(std::string& head, const Reply& reply, Kind kind) {
  if (status_without_content(reply.status)) return;
  switch (kind) {
    case Kind::content_length:
      append_line(head, "Content-Length", fmt::format_int(reply.body().size()).c_str());
      break;
    case Kind::chunked:
      append_line(head, "Transfer-Encoding", "chunked");
      break;
    case Kind::close:
      break;
  }
}

// RFC 9112 §9.3: a 1.1 connection persists unless told otherwise, a 1.0 one only when told so.
void append_connection(std::string& head, const Reply& reply, const MessageForm& form,
                       bool keep_alive) {
  if (reply.has_connection) return;
  if (!keep_alive) {
    append_line(head, "Connection", "close");
  } else if (form.minor_version == 0) {
    append_line(head, "Connection", "keep-alive");
  }
}

std::string make_head(const Reply& reply, const MessageForm& form, Kind kind, bool keep_alive) {
  std::string head;
  head.reserve(160 + reply.header_lines.size() + reply.text.size());
  head.append("HTTP/1.1 ").append(fmt::format_int(reply.status).c_str()).append(" ");
  head.append(reply.reason).append("\r\n");
  if (!reply.has_date) append_line(head, "Date", form.date);
  head.append(reply.header_lines);
  append_framing(head, reply, kind);
  append_connection(head, reply, form, keep_alive);
  if (!form.replay_header.empty()) append_line(head, form.replay_header, "true");
  return head.append("\r\n");
}

}  // namespace

std::optional<std::size_t> Message::after_body_bytes(std::uint64_t count) const {
  if (count > content_bytes) return std::nullopt;
  if (chunk_sizes.empty()) return head.size() + count;
  std::size_t offset = head.size();
  std::uint64_t left = count;
  for (const std::size_t size : chunk_sizes) {
    if (left == 0) break;
    offset += hex_digits(size) + 2;
    if (left <= size) return offset + left;
    offset += size + 2;
    left -= size;
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
  message.keep_alive = form.keep_alive && !reply.closes && !message.by_close;
  message.head = make_head(reply, form, kind, message.keep_alive);
  if (!has_body) return message;
  message.content_bytes = reply.body().size();
  if (kind == Kind::chunked) {
    message.chunk_sizes = cut_into_chunks(reply.body().size(), framing.chunks);
    message.body = chunked(reply.body(), message.chunk_sizes);
  } else if (reply.shared_body) {
    message.shared_body = reply.shared_body;
  } else {
    message.body = reply.text;
  }
  return message;
}

}  // namespace retrylab::engine
