// SPDX-License-Identifier: MIT
#include "server/net/request_parser.h"

#include <algorithm>
#include <limits>
#include <utility>

#include <llhttp.h>

#include "client_lib/base/check.h"
#include "client_lib/base/http.h"

namespace retrylab::net {
namespace {

constexpr std::size_t kKeptBytes = 4096;  // larger buffers are given back at reset()
constexpr std::uint64_t kChunkMax = std::numeric_limits<std::int64_t>::max();

constexpr bool is_token_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}

bool is_token(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_token_char);
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  return text;
}

// "HTTP/" digit "." digit at the end of a request line.
bool names_a_version(std::string_view line) {
  const auto at = line.rfind("HTTP/");
  if (at == std::string_view::npos) return false;
  const std::string_view version = line.substr(at + 5);
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  return version.size() >= 3 && digit(version[0]) && version[1] == '.' && digit(version[2]);
}

// What the header lines say of the request itself. llhttp reads Connection and the lengths.
struct Told {
  int hosts = 0;
  bool expects_continue = false;
  bool unknown_coding = false;
  bool folded = false;

  void read(const wire::HeaderView& header) {
    folded = folded || header.value.find('\n') != std::string_view::npos;
    switch (header.name.size()) {  // most lines are none of these
      case std::string_view("host").size():
        if (same_name(header.name, "host")) ++hosts;
        return;
      case std::string_view("expect").size():
        if (same_name(header.name, "expect")) {
          expects_continue = same_name(header.value, "100-continue");
        }
        return;
      case std::string_view("transfer-encoding").size():
        if (same_name(header.name, "transfer-encoding")) {
          unknown_coding = !same_name(header.value, "chunked");
        }
        return;
      default:
        return;
    }
  }
};

void give_back(std::string& text) {
  if (text.capacity() > kKeptBytes) {
    text = {};
  } else {
    text.clear();
  }
}

}  // namespace

struct RequestParser::Machine {
  llhttp_t state;

  static RequestParser& owner(llhttp_t* state) { return *static_cast<RequestParser*>(state->data); }

  static int on_url(llhttp_t* state, const char* at, std::size_t length) {
    auto& self = owner(state);
    self.note(self.target_, self.target_.to == 0, at, length);
    return 0;
  }
  static int on_name(llhttp_t* state, const char* at, std::size_t length) {
    auto& self = owner(state);
    if (self.state_ != State::head) return 0;  // a trailer
    const bool begins = self.lines_.empty() || self.in_value_;
    if (begins) self.lines_.emplace_back();
    self.in_value_ = false;
    self.note(self.lines_.back().name, begins, at, length);
    return 0;
  }
  static int on_value(llhttp_t* state, const char* at, std::size_t length) {
    auto& self = owner(state);
    if (self.state_ != State::head) return 0;
    self.note(self.lines_.back().value, !self.in_value_, at, length);
    self.in_value_ = true;
    return 0;
  }
  static int on_value_complete(llhttp_t* state) {
    owner(state).in_value_ = true;  // an empty value has no bytes
    return 0;
  }
  static int on_headers_complete(llhttp_t* state) {
    state->upgrade = 0;  // no other protocol is offered: the body is a body
    const bool has_body = (state->flags & F_CHUNKED) != 0 || state->content_length > 0;
    return has_body ? HPE_PAUSED : 0;
  }
  // The size of a chunk is known; llhttp keeps it where the length of a body is else.
  static int on_chunk_header(llhttp_t* state) {
    auto& self = owner(state);
    self.in_trailers_ = state->content_length == 0;
    if (state->content_length > kChunkMax) {
      self.refuse(400, "a chunk size of 2^63 or more");
      return HPE_USER;
    }
    const bool fits = state->content_length <= self.limits_.body_bytes - self.body_.size();
    if (self.discards_body_ || fits) return 0;
    self.refuse(413, "the body is over the limit");
    return HPE_USER;
  }
  static int on_body(llhttp_t* state, const char* at, std::size_t length) {
    auto& self = owner(state);
    if (self.frames_too_long(static_cast<std::size_t>(at - self.framed_))) return HPE_USER;
    self.framed_ = at + length;
    self.framing_ = 0;
    if (self.discards_body_) return 0;
    if (self.body_.size() + length > self.limits_.body_bytes) {
      self.refuse(413, "the body is over the limit");
      return HPE_USER;
    }
    self.body_.append(at, length);
    return 0;
  }
  static int on_message_complete(llhttp_t*) { return HPE_PAUSED; }

  static const llhttp_settings_t& settings() {
    static const llhttp_settings_t kSettings = [] {
      llhttp_settings_t settings;
      llhttp_settings_init(&settings);
      settings.on_url = on_url;
      settings.on_header_field = on_name;
      settings.on_header_value = on_value;
      settings.on_header_value_complete = on_value_complete;
      settings.on_headers_complete = on_headers_complete;
      settings.on_chunk_header = on_chunk_header;
      settings.on_body = on_body;
      settings.on_message_complete = on_message_complete;
      return settings;
    }();
    return kSettings;
  }
};

RequestParser::RequestParser(ParserLimits limits)
    : limits_(limits), machine_(std::make_unique<Machine>()) {
  reset();
}

RequestParser::~RequestParser() = default;

void RequestParser::reset() {
  llhttp_init(&machine_->state, HTTP_REQUEST, &Machine::settings());
  machine_->state.data = this;
  state_ = State::head;
  give_back(raw_);
  give_back(body_);
  discards_body_ = in_trailers_ = false;
  framing_ = 0;
  method_ = target_ = {};
  lines_.clear();
  headers_.clear();
  in_value_ = false;
  content_length_.reset();
  chunked_ = expects_continue_ = false;
  status_ = 0;
  problem_.clear();
}

std::size_t RequestParser::feed(std::string_view bytes) {
  if (bytes.empty()) return 0;
  switch (state_) {
    case State::head:
      return feed_head(bytes);
    case State::body:
      return feed_body(bytes);
    case State::complete:
    case State::refused:
      return 0;
  }
  return 0;
}

std::size_t RequestParser::feed_head(std::string_view bytes) {
  std::size_t skipped = 0;
  if (raw_.empty()) {  // blank lines before a request are no part of it
    while (skipped < bytes.size() && (bytes[skipped] == '\r' || bytes[skipped] == '\n')) ++skipped;
    bytes.remove_prefix(skipped);
    if (bytes.empty()) return skipped;
  }
  const std::size_t room = limits_.head_bytes - raw_.size();
  const std::string_view part = bytes.substr(0, room);
  fed_ = part.data();
  const llhttp_errno_t error = llhttp_execute(&machine_->state, part.data(), part.size());
  std::size_t taken = part.size();
  if (error != HPE_OK) {
    taken = static_cast<std::size_t>(llhttp_get_error_pos(&machine_->state) - part.data());
  }
  if (error == HPE_OK || error == HPE_PAUSED) {
    raw_.append(part.substr(0, taken));
  } else {
    raw_.append(part);
  }
  if (error == HPE_PAUSED) {
    head_complete();
  } else if (error != HPE_OK) {
    refuse_by_machine();
  } else if (part.size() < bytes.size()) {
    const bool in_target = raw_.find('\r') == std::string::npos;
    refuse(in_target ? 414 : 431, in_target ? "the request line is over the limit of header bytes"
                                            : "the head is over the limit of header bytes");
  }
  return skipped + taken;
}

std::size_t RequestParser::feed_body(std::string_view bytes) {
  llhttp_resume(&machine_->state);
  framed_ = bytes.data();
  const llhttp_errno_t error = llhttp_execute(&machine_->state, bytes.data(), bytes.size());
  if (error == HPE_OK) {
    const auto length = static_cast<std::size_t>(bytes.data() + bytes.size() - framed_);
    if (!frames_too_long(length)) framing_ += length;
    return bytes.size();
  }
  const auto taken =
      static_cast<std::size_t>(llhttp_get_error_pos(&machine_->state) - bytes.data());
  if (error == HPE_PAUSED) {
    const char* const end = bytes.data() + taken;
    if (!frames_too_long(static_cast<std::size_t>(end - framed_))) state_ = State::complete;
  } else if (state_ != State::refused) {
    refuse_by_machine();
  }
  return taken;
}

// What is no data of a chunked body is bounded as a head is: between two chunks, and at the end.
bool RequestParser::frames_too_long(std::size_t length) {
  if (framing_ + length <= limits_.head_bytes) return false;
  refuse(in_trailers_ ? 431 : 400,
         in_trailers_ ? "the trailers are over the limit of header bytes"
                      : "a chunk's size and extensions are over the limit of header bytes");
  return true;
}

void RequestParser::head_complete() {
  const llhttp_t& machine = machine_->state;
  const std::string_view raw = raw_;
  method_ = {0, static_cast<std::uint32_t>(raw.find(' '))};
  chunked_ = (machine.flags & F_CHUNKED) != 0;
  keep_alive_ = llhttp_should_keep_alive(&machine) != 0;
  minor_version_ = machine.http_minor;
  const bool has_body = chunked_ || machine.content_length > 0;
  state_ = has_body ? State::body : State::complete;

  Told told;
  headers_.reserve(lines_.size());
  for (const Line& line : lines_) {
    headers_.push_back({text(line.name), trimmed(text(line.value))});
    told.read(headers_.back());
  }
  expects_continue_ = told.expects_continue && minor_version_ > 0;  // RFC 9110 §10.1.1
  if ((machine.flags & F_CONTENT_LENGTH) != 0) content_length_ = machine.content_length;
  if (machine.http_major != 1 || machine.http_minor > 1) {
    refuse(505, "the version is neither HTTP/1.0 nor HTTP/1.1");
  } else if (told.hosts != 1 && !(told.hosts == 0 && minor_version_ == 0)) {
    refuse(400, told.hosts == 0 ? "no Host header" : "more than one Host header");
  } else if (told.folded) {
    refuse(400, "a folded header line");
  } else if (told.unknown_coding) {
    refuse(501, "a transfer coding other than chunked");
  } else if (content_length_.value_or(0) > limits_.body_bytes) {
    refuse(413, "Content-Length is over the limit of body bytes");
  }
}

void RequestParser::refuse(int status, std::string problem) {
  state_ = State::refused;
  status_ = status;
  problem_ = std::move(problem);
}

void RequestParser::refuse_by_machine() {
  const llhttp_errno_t error = llhttp_get_errno(&machine_->state);
  const std::string_view line = std::string_view(raw_).substr(0, raw_.find('\r'));
  int status = 400;
  if (error == HPE_INVALID_METHOD && is_token(line.substr(0, line.find(' ')))) status = 501;
  // llhttp 9 calls a version that a bare LF follows an invalid one.
  const bool has_bare_lf = line.find('\n') != std::string_view::npos;
  if (error == HPE_INVALID_VERSION && !has_bare_lf && names_a_version(line)) status = 505;
  if (error == HPE_PAUSED_H2_UPGRADE) status = 505;
  constexpr char kTlsHandshake = 0x16;  // RFC 8446 §5.1: the type of a record
  refuse(status, !raw_.empty() && raw_.front() == kTlsHandshake
                     ? "a TLS handshake; this port speaks plain HTTP"
                     : llhttp_get_error_reason(&machine_->state));
}

wire::RequestHead RequestParser::head() const {
  return {.method = text(method_),
          .target = text(target_),
          .minor_version = minor_version_,
          .headers = headers_,
          .raw = raw_,
          .content_length = content_length_,
          .chunked = chunked_,
          .keep_alive = keep_alive_ && state_ != State::refused,
          .expects_continue = expects_continue_};
}

void RequestParser::discard_body() {
  discards_body_ = true;
  give_back(body_);
}

std::string_view RequestParser::text(Span span) const {
  return std::string_view(raw_).substr(span.from, span.to - span.from);
}

// Offsets, not pointers: raw_ moves while it grows. `at` lies in the bytes being fed.
void RequestParser::note(Span& span, bool begins, const char* at, std::size_t length) {
  const std::size_t from = raw_.size() + static_cast<std::size_t>(at - fed_);
  if (begins) span.from = static_cast<std::uint32_t>(from);
  span.to = static_cast<std::uint32_t>(from + length);
}

}  // namespace retrylab::net
