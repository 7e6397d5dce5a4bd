// SPDX-License-Identifier: MIT
#include <algorithm>

#include <fmt/format.h>

#include "server/scenario/decode/decode.h"
#include "server/scenario/words.h"

namespace retrylab::scenario::decode {
namespace {

bool has_no_body(const Step& step, const StepSite& site) {
  const bool is_head = site.on != nullptr && site.on->method == "HEAD";
  return is_head || step.status == 204 || step.status == 304;
}

bool says_close(const Step& step) {
  return std::ranges::any_of(step.headers, [](const HeaderTemplate& header) {
    return same_name(header.name, "Connection") && header.value.is_literal() &&
           same_name(header.value.literal(), "close");
  });
}

// The request is never whole, so the operation cannot take effect.
const Fault* cut_before_request_end(const Step& step) {
  const auto cut = std::ranges::find_if(step.faults, [](const Fault& fault) {
    const bool before_end = fault.at < Moment::request_end;
    const bool unread = std::holds_alternative<LeaveUnreadEffect>(fault.effect);
    return before_end && (unread || ends_connection(fault.effect));
  });
  return cut == step.faults.end() ? nullptr : &*cut;
}

bool ends_before_answer(const Step& step) {
  return std::ranges::any_of(step.faults, [](const Fault& fault) {
    return fault.at <= Moment::response_start && ends_connection(fault.effect);
  });
}

void refuse_answer(ObjectReader& reader, std::string_view reason) {
  reader.refuse({"reason", "headers", "retry_after", "body", "json", "body_size", "body_file",
                 "framing", "chunks", "encoding", "ranges", "version", "interim", "continue"},
                reason);
}

void check_override_without_status(ObjectReader& reader) {
  constexpr std::string_view kReason = "without \"status\" an override changes only the delivery";
  refuse_answer(reader, kReason);
  reader.refuse({"executes", "executes_at"}, kReason);
  const bool delivers = std::ranges::any_of(
      std::to_array<std::string_view>({"delay", "pace", "write_sizes", "fault"}),
      [&](std::string_view name) { return reader.optional(name) != nullptr; });
  if (delivers) return;
  reader.mistakes().add(reader.node(),
                        "this override changes nothing: give it a \"status\", or a \"delay\", "
                        "\"pace\", \"write_sizes\" or \"fault\"");
}

// A step may do without a status when its answer never begins.
void check_step_without_status(ObjectReader& reader, const Step& step, bool all_faults_read) {
  if (all_faults_read && !ends_before_answer(step)) {
    reader.missing({"status", "fault"},
                   "this step needs a \"status\"; only a fault that ends the connection before the "
                   "answer can stand without one");
    return;
  }
  refuse_answer(reader, "without \"status\" there is no answer");
  const Node* executes = reader.optional("executes");
  if (executes != nullptr && step.executes && std::get_if<bool>(&*step.executes) != nullptr) {
    reader.mistakes().add(*executes,
                          "without \"status\" write the answer the operation really "
                          "had: {\"status\": 201}");
  }
}

void check_status(ObjectReader& reader, const Step& step, std::size_t faults_read,
                  const StepSite& site) {
  if (reader.optional("status") != nullptr) return;
  if (site.kind == StepSite::Kind::override_step) return check_override_without_status(reader);
  const Node* fault = reader.optional("fault");
  const bool is_list = fault != nullptr && fault->kind == Node::Kind::array;
  const std::size_t written = fault == nullptr ? 0 : is_list ? fault->items.size() : 1;
  check_step_without_status(reader, step, faults_read == written);
}

void check_content(ObjectReader& reader, const Step& step, const StepSite& site) {
  Mistakes& mistakes = reader.mistakes();
  const std::optional<std::uint64_t> size = step.body ? step.body->size() : 0;
  for (const ContentLength& length : step.framing.lengths) {
    if (!length.relative || step.encoding || !size) continue;
    if (static_cast<std::int64_t>(*size) + length.bytes >= 0) continue;
    mistakes.add(*reader.optional("framing"),
                 fmt::format("the body has only {} bytes: no length is below zero", *size));
  }
  if (const Node* encoding = reader.optional("encoding"); encoding != nullptr && size == 0U) {
    mistakes.add(*encoding, "there is no body to encode");
  }
  if (const Node* ranges = reader.optional("ranges"); ranges != nullptr && step.status != 200) {
    mistakes.add(*ranges, "a part is asked of a 200");
  }
  if (step.encoding && reader.optional("ranges") != nullptr) {
    mistakes.add(*reader.optional("ranges"), "a part of an encoded body is not offered");
  }
  const bool late = reader.optional("continue") != nullptr && !site.needs_body.empty();
  if (late) {
    mistakes.add(*reader.optional("continue"),
                 fmt::format("the whole request is read before this step is known, since {}",
                             site.needs_body));
  }
}

void check_answer(ObjectReader& reader, const Step& step, const StepSite& site) {
  Mistakes& mistakes = reader.mistakes();
  const auto at = [&](std::string_view name) { return reader.optional(name); };
  const bool own_retry_after = std::ranges::any_of(step.headers, [](const HeaderTemplate& header) {
    return same_name(header.name, "Retry-After");
  });
  if (own_retry_after && at("retry_after") != nullptr) {
    mistakes.add(*at("retry_after"),
                 "\"headers\" has a Retry-After too; write one of them, or both lines as pairs in "
                 "\"headers\"");
  }
  if (at("chunks") != nullptr && step.framing.kind != Framing::Kind::chunked) {
    mistakes.add(*at("chunks"), "\"chunks\" needs \"framing\": \"chunked\"");
  }
  check_content(reader, step, site);
  if (step.lasts_until_retry_after && at("retry_after") == nullptr) {
    mistakes.add(*at("for"), "\"until_retry_after\" needs a \"retry_after\" in the same step");
  }
  if (step.body && step.body->size() != 0 && has_no_body(step, site) &&
      (step.status == 204 || step.status == 304)) {
    mistakes.add(reader.node(), fmt::format("an answer with status {} has no body", *step.status));
  }
}

void check_execution(ObjectReader& reader, const Step& step) {
  const Node* executes = reader.optional("executes");
  const bool asked = step.executes && (std::holds_alternative<ExecutedAnswer>(*step.executes) ||
                                       std::get<bool>(*step.executes));
  if (const Fault* cut = cut_before_request_end(step); cut != nullptr && asked) {
    reader.mistakes().add(
        *executes,
        fmt::format("nothing can be executed: {} comes before the request's end", cut->text));
  }
  const bool is_2xx = step.status && *step.status < 300;
  const bool takes_effect = step.executes ? asked : is_2xx;
  const Node* executes_at = reader.optional("executes_at");
  if (executes_at != nullptr && !takes_effect && reader.optional("status") != nullptr) {
    reader.mistakes().add(*executes_at,
                          "this step executes nothing: its status is no 2xx and "
                          "\"executes\" does not say otherwise");
  }
}

std::string fault_problem(const Fault& fault, const Step& step, const StepSite& site) {
  if (fault.at == Moment::body_byte && has_no_body(step, site)) {
    return "an answer to HEAD, a 204 or a 304 has no body";
  }
  const bool as_written = !step.encoding && step.ranges == Ranges::ignored;
  if (fault.at == Moment::body_byte && step.status && as_written) {
    const auto size = step.body ? step.body->size() : 0;
    if (size && fault.byte > *size) return fmt::format("the body has only {} bytes", *size);
  }
  const bool mid_request = fault.at == Moment::request_headers || fault.at == Moment::request_byte;
  if (mid_request && !site.needs_body.empty()) {
    return fmt::format("the whole request is read before this step is known, since {}",
                       site.needs_body);
  }
  if (phase(fault.at) == Phase::kept_alive) {
    if (step.framing.kind == Framing::Kind::close)
      return "\"framing\": \"close\" ends the connection";
    if (says_close(step)) return "\"Connection: close\" ends the connection";
    if (!step.framing.last_chunk) return "without a last chunk the answer ends the connection";
  }
  return "";
}

}  // namespace

void check_step(ObjectReader& reader, const Step& step, const std::vector<PlacedFault>& faults,
                const StepSite& site) {
  check_status(reader, step, faults.size(), site);
  check_answer(reader, step, site);
  if (site.kind != StepSite::Kind::outage) check_execution(reader, step);
  for (const PlacedFault& placed : faults) {
    const std::string problem = fault_problem(placed.fault, step, site);
    if (problem.empty()) continue;
    reader.mistakes().add(*placed.node,
                          fmt::format("{} cannot happen: {}", placed.fault.text, problem));
  }
}

}  // namespace retrylab::scenario::decode
