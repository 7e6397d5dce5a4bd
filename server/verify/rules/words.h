// SPDX-License-Identifier: MIT
// The words in which rules speak of attempts and times.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "server/verify/evidence.h"

namespace retrylab::verify {

// "attempt 2"; with several runs "run 3, attempt 2".
std::string name_of(const Evidence& evidence, const AttemptEvidence& attempt);
// "operation 3", with its name where it has one.
std::string operation_name(const Evidence& evidence, const OperationEvidence& operation);

// "1 chance", "3 chances".
std::string counted(std::uint64_t count, std::string_view noun);

// "310ms", "5s", "1.002s"; "for ever".
std::string time_text(Duration time);

// "at least 2", "at most 3", "2 to 3", "exactly 2".
std::string range_text(const scenario::CountRange& range);
bool is_within(const scenario::CountRange& range, std::uint64_t count);

// "asked for 5s", "named a date 3s later", as what an answer did.
std::string asking(const AttemptEvidence& attempt);

// "attempt 2 came 310ms after a 429 that asked for 5s".
std::string came_after(const Evidence& evidence, const Gap& gap);

// "POST /v1/payments".
std::string request_text(const AttemptEvidence& attempt);

}  // namespace retrylab::verify
