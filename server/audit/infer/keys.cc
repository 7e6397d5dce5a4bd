// SPDX-License-Identifier: MIT
#include "server/audit/infer/keys.h"

#include <array>
#include <string>

namespace retrylab::audit {
namespace {

constexpr std::array kScenarios{"payment-survives-two-503s", "audit-post-status-503",
                                "audit-post-status-429", "answer-lost-reset", "audit-post-reset"};
constexpr std::array kHeaders{"Idempotency-Key",   "X-Idempotency-Key",
                              "PayPal-Request-Id", "X-Amz-Client-Token",
                              "X-Goog-Request-Id", "Repeatability-Request-ID"};

std::string key_header(const journal::Attempt& attempt) {
  for (const char* name : kHeaders) {
    if (attempt.header(name)) return name;
  }
  return "";
}

void note(const verify::Chain& chain, KeysFound& found) {
  const journal::Attempt& first = *chain.first().record;
  const std::string header = key_header(first);
  if (header.empty()) {
    if (found.kind == KeysFound::Kind::unknown) found.kind = KeysFound::Kind::none;
    return;
  }
  found.header = header;
  if (found.kind != KeysFound::Kind::changes) found.kind = KeysFound::Kind::stable;
  for (const verify::AttemptEvidence& attempt : chain.attempts) {
    if (attempt.record->header(header) != first.header(header)) {
      found.kind = KeysFound::Kind::changes;
    }
  }
}

}  // namespace

KeysFound infer_keys(const Observed& observed) {
  KeysFound found;
  for (const char* name : kScenarios) {
    const auto* evidence = observed.of(name);
    if (evidence == nullptr) continue;
    for (const verify::Chain& chain : evidence->chains) note(chain, found);
  }
  return found;
}

}  // namespace retrylab::audit
