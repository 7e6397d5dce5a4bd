// SPDX-License-Identifier: MIT
// The one error type of the project's interfaces, and Result<T> that carries it.
#pragma once

#include <string>
#include <utility>

#include <tl/expected.hpp>

namespace retrylab {

// Who has to act on an error. The command line turns it into the exit code.
enum class ErrorCode {
  invalid_scenario,  // the scenario file is wrong
  invalid_argument,  // the command line, a policy or a value passed to the library is wrong
  machine,           // port taken, file unreadable, no descriptors left
};

struct Error {
  ErrorCode code = ErrorCode::machine;
  std::string where;    // file:line:column, flag or field; empty when there is no place
  std::string message;  // what is wrong and what would be right, one sentence, no final stop
};

template <typename T>
using Result = tl::expected<T, Error>;

inline tl::unexpected<Error> fail(ErrorCode code, std::string where, std::string message) {
  return tl::unexpected<Error>(Error{code, std::move(where), std::move(message)});
}

}  // namespace retrylab
