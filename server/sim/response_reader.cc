// SPDX-License-Identifier: MIT
#include "server/sim/response_reader.h"

#include <utility>

#include <llhttp.h>

namespace retrylab::sim {

// llhttp's callbacks gather the answer; the last one pauses the parser.
struct ResponseReader::Machine {
  llhttp_settings_t settings;
  llhttp_t parser;
  Response response;
  bool to_head = false;
  bool in_value = false;
  bool begun = false;  // a byte of the final answer has come
  bool complete = false;
  bool keep_alive = false;
  bool surplus = false;  // more came than the answer

  explicit Machine(bool head_request) : to_head(head_request) {
    llhttp_settings_init(&settings);
    settings.on_header_field = on_name;
    settings.on_header_value = on_value;
    settings.on_header_value_complete = on_value_complete;
    settings.on_headers_complete = on_head;
    settings.on_body = on_body;
    settings.on_message_complete = on_complete;
    llhttp_init(&parser, HTTP_RESPONSE, &settings);
    parser.data = this;
  }

  static Machine& of(llhttp_t* parser) { return *static_cast<Machine*>(parser->data); }

  static int on_name(llhttp_t* parser, const char* at, std::size_t length) {
    Headers& headers = of(parser).response.headers;
    if (headers.empty() || of(parser).in_value) headers.emplace_back();
    of(parser).in_value = false;
    headers.back().name.append(at, length);
    return 0;
  }
  static int on_value(llhttp_t* parser, const char* at, std::size_t length) {
    of(parser).in_value = true;
    of(parser).response.headers.back().value.append(at, length);
    return 0;
  }
  static int on_value_complete(llhttp_t* parser) {
    of(parser).in_value = true;  // an empty value has no bytes
    return 0;
  }
  static int on_head(llhttp_t* parser) { return of(parser).to_head ? 1 : 0; }
  static int on_body(llhttp_t* parser, const char* at, std::size_t length) {
    of(parser).response.body.append(at, length);
    return 0;
  }
  static int on_complete(llhttp_t* parser) {
    Machine& machine = of(parser);
    if (parser->status_code < 200) {
      machine.response = {};
      machine.in_value = false;
      machine.begun = false;
      return 0;
    }
    machine.response.status = parser->status_code;
    machine.keep_alive = llhttp_should_keep_alive(parser) != 0;
    machine.complete = true;
    return HPE_PAUSED;
  }
};

namespace {

Outcome failed(Failure failure, std::string_view detail) {
  return Outcome{failure, {}, std::string(detail)};
}

}  // namespace

ResponseReader::ResponseReader(bool to_head) : machine_(std::make_unique<Machine>(to_head)) {}
ResponseReader::~ResponseReader() = default;

std::optional<Outcome> ResponseReader::bytes(std::string_view received) {
  Machine& machine = *machine_;
  if (machine.complete) {
    machine.surplus = true;
    return std::nullopt;
  }
  if (received.empty()) return std::nullopt;
  machine.begun = true;
  const llhttp_errno_t error = llhttp_execute(&machine.parser, received.data(), received.size());
  if (machine.complete) {
    const char* end = llhttp_get_error_pos(&machine.parser);
    machine.surplus = end != nullptr && end != received.data() + received.size();
    return Outcome{Failure::none, std::move(machine.response), ""};
  }
  if (error == HPE_OK) return std::nullopt;
  return failed(Failure::malformed, llhttp_errno_name(error));
}

std::optional<Outcome> ResponseReader::closed() {
  Machine& machine = *machine_;
  if (machine.complete) return std::nullopt;
  if (!machine.begun) return failed(Failure::closed, "closed before any byte of an answer");
  llhttp_finish(&machine.parser);
  if (machine.complete) return Outcome{Failure::none, std::move(machine.response), ""};
  return failed(Failure::truncated, "closed inside the answer");
}

std::optional<Outcome> ResponseReader::reset() {
  if (machine_->complete) return std::nullopt;
  return machine_->begun ? failed(Failure::truncated, "reset inside the answer")
                         : failed(Failure::reset, "reset before any byte of an answer");
}

bool ResponseReader::keeps_alive() const {
  return machine_->complete && machine_->keep_alive && !machine_->surplus;
}

}  // namespace retrylab::sim
