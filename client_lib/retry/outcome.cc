// SPDX-License-Identifier: MIT
#include "client_lib/retry/outcome.h"

namespace retrylab {

std::string_view word(Failure failure) {
  switch (failure) {
    case Failure::none:
      return "none";
    case Failure::invalid_request:
      return "invalid_request";
    case Failure::name_resolution:
      return "name_resolution";
    case Failure::refused:
      return "refused";
    case Failure::connect_timeout:
      return "connect_timeout";
    case Failure::reset:
      return "reset";
    case Failure::closed:
      return "closed";
    case Failure::truncated:
      return "truncated";
    case Failure::malformed:
      return "malformed";
    case Failure::too_large:
      return "too_large";
    case Failure::timeout:
      return "timeout";
    case Failure::tls:
      return "tls";
    case Failure::cancelled:
      return "cancelled";
    case Failure::transport:
      return "transport";
  }
  return "transport";
}

bool surely_not_executed(Failure failure) {
  switch (failure) {
    case Failure::invalid_request:
    case Failure::name_resolution:
    case Failure::refused:
    case Failure::connect_timeout:
    case Failure::tls:
      return true;
    case Failure::none:
    case Failure::reset:
    case Failure::closed:
    case Failure::truncated:
    case Failure::malformed:
    case Failure::too_large:
    case Failure::timeout:
    case Failure::cancelled:
    case Failure::transport:
      return false;
  }
  return false;
}

}  // namespace retrylab
