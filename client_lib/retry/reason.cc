// SPDX-License-Identifier: MIT
#include "client_lib/retry/reason.h"

namespace retrylab {

std::string_view word(Reason reason) {
  switch (reason) {
    case Reason::succeeded:
      return "succeeded";
    case Reason::permanent_status:
      return "permanent_status";
    case Reason::permanent_failure:
      return "permanent_failure";
    case Reason::invalid_request:
      return "invalid_request";
    case Reason::not_idempotent:
      return "not_idempotent";
    case Reason::body_not_repeatable:
      return "body_not_repeatable";
    case Reason::server_said_no:
      return "server_said_no";
    case Reason::attempts_exhausted:
      return "attempts_exhausted";
    case Reason::deadline:
      return "deadline";
    case Reason::retry_after_exceeds_limit:
      return "retry_after_exceeds_limit";
    case Reason::budget_empty:
      return "budget_empty";
    case Reason::breaker_open:
      return "breaker_open";
    case Reason::redirect_refused:
      return "redirect_refused";
    case Reason::cancelled:
      return "cancelled";
  }
  return "cancelled";
}

}  // namespace retrylab
