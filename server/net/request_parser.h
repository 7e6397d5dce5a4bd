// SPDX-License-Identifier: MIT
// A strict HTTP/1 request parser over llhttp (docs/decisions/0003-http-parser.md). It takes bytes
// in pieces of any size, keeps the head's raw bytes, and stops after the head and after the
// request's last byte, so that what follows stays with the caller. It knows no socket.
//
// Refused with 400: bare LF, Content-Length with Transfer-Encoding, two Content-Lengths, blanks
// before a colon, folded header lines, no Host or two of them in HTTP/1.1, a chunk's size of 2^63
// or more, and what stands between two chunks (sizes, extensions) over the limit of a head. With
// 413: a body over the limit, as soon as a length or a chunk's size says so. With 414, 431: a
// request line, a head, trailers over the limit. With 501: a method or transfer coding nobody
// knows. With 505: a version other than 1.0 and 1.1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/wire/request.h"

namespace retrylab::net {

struct ParserLimits {
  std::uint64_t head_bytes = 64'000;  // also of the trailers, and of each chunk's line
  std::uint64_t body_bytes = 16'000'000;
};

class RequestParser {
 public:
  enum class State {
    head,      // the blank line has not come yet
    body,      // the head is whole, the body is not
    complete,  // the request's last byte was taken
    refused,   // see status() and problem(); takes nothing more
  };

  explicit RequestParser(ParserLimits limits);
  ~RequestParser();
  RequestParser(const RequestParser&) = delete;
  RequestParser& operator=(const RequestParser&) = delete;

  // Reads on and returns how many bytes it took: all of them, or those up to the end of the head
  // (when a body follows), of the request, or to the mistake.
  std::size_t feed(std::string_view bytes);

  State state() const { return state_; }
  // Nothing of a request has come (blank lines before one do not count, RFC 9112 §2.2).
  bool untouched() const { return state_ == State::head && raw_.empty(); }

  // From State::body on. The views last until the next feed() that is not of this request.
  wire::RequestHead head() const;
  // What came of the body so far, decoded.
  std::string_view body() const { return body_; }
  // The raw head so far; with State::refused the beginning of what came, at most the limit.
  std::string_view raw() const { return raw_; }

  // With State::refused: the status of the answer, and what is wrong in a few words.
  int status() const { return status_; }
  const std::string& problem() const { return problem_; }

  // Throws the body away from here on instead of keeping it; no limit applies to it any more.
  void discard_body();
  bool discards_body() const { return discards_body_; }

  // Ready for the next request. Keeps its memory, unless that grew large.
  void reset();

 private:
  struct Machine;  // llhttp's, kept out of this header
  struct Span {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
  };
  struct Line {
    Span name;
    Span value;
  };

  std::size_t feed_head(std::string_view bytes);
  std::size_t feed_body(std::string_view bytes);
  void head_complete();
  bool frames_too_long(std::size_t length);
  void refuse(int status, std::string problem);
  void refuse_by_machine();
  std::string_view text(Span span) const;
  void note(Span& span, bool begins, const char* at, std::size_t length);

  ParserLimits limits_;
  std::unique_ptr<Machine> machine_;
  State state_ = State::head;
  std::string raw_;
  std::string body_;
  bool discards_body_ = false;
  const char* fed_ = nullptr;     // the bytes being fed; they continue raw_
  const char* framed_ = nullptr;  // of the body's bytes being fed: where the last of its data ended
  std::size_t framing_ = 0;       // bytes since then that are no data, before framed_
  bool in_trailers_ = false;
  Span method_;
  Span target_;
  std::vector<Line> lines_;
  bool in_value_ = false;
  std::vector<wire::HeaderView> headers_;
  std::optional<std::uint64_t> content_length_;
  bool chunked_ = false;
  bool keep_alive_ = true;
  bool expects_continue_ = false;
  int minor_version_ = 1;
  int status_ = 0;
  std::string problem_;
};

}  // namespace retrylab::net
