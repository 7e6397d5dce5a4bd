// SPDX-License-Identifier: MIT
// The topics of a scorecard, and which rule belongs to which.
#pragma once

#include <array>
#include <string_view>

namespace retrylab::audit {

enum class Topic { retry_after, backoff, limits, idempotency, connections, errors };

inline constexpr std::array kTopics{Topic::retry_after, Topic::backoff,     Topic::limits,
                                    Topic::idempotency, Topic::connections, Topic::errors};

std::string_view word(Topic topic);   // "retry_after": for programs
std::string_view title(Topic topic);  // "Retry-After": for people

// By the rule's id; a plain expectation ("attempts") has its topic too.
Topic topic_of(std::string_view rule);

// A plain expectation, of the scenario rather than of RULES.md.
bool is_plain(std::string_view rule);

// Broken, it does harm by itself whatever else is right: a second payment, an answer ignored that
// said when to come back.
bool is_grave(std::string_view rule);

}  // namespace retrylab::audit
