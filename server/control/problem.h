// SPDX-License-Identifier: MIT
// What the admin API says instead of an answer: problem details (RFC 9457). The set is closed;
// openapi.json lists it for programs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "server/control/message.h"
#include "server/scenario/mistake.h"

namespace retrylab::control {

struct Problem {
  enum class Type {
    invalid_request,
    invalid_json,
    invalid_scenario,
    token_required,
    forbidden_host,
    forbidden_origin,
    unknown_path,
    unknown_run,
    unknown_scenario,
    method_not_allowed,
    conflict,
    too_large,
    too_long,
    unsupported_media_type,
    limit_reached,
    busy,
    cannot_listen,
    stopping,
    internal,
  };
  Type type = Type::internal;
  std::string detail;  // this case, in a sentence
  // All that is wrong with the body.
  std::vector<scenario::Mistake> mistakes{};
  Headers headers{};  // "Allow"
};

template <typename T>
using Expected = tl::expected<T, Problem>;

inline tl::unexpected<Problem> problem(Problem::Type type, std::string detail) {
  return tl::unexpected<Problem>(Problem{type, std::move(detail)});
}

int status_of(Problem::Type type);
std::string_view word(Problem::Type type);  // "unknown_run"

Answer to_answer(const Problem& problem);

}  // namespace retrylab::control
