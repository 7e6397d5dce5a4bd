// SPDX-License-Identifier: MIT
// The conditions of an object match and of `when`: headers, query values, body members.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "server/engine/request.h"
#include "server/scenario/scenario.h"

namespace retrylab::engine {

enum class Held { yes, no, needs_body };

bool header_holds(const scenario::Condition& condition, const Request& request);
bool query_holds(const scenario::Condition& condition, const Request& request);
bool body_holds(const scenario::Condition& condition, const Request& request);

bool headers_hold(std::span<const scenario::Condition> conditions, const Request& request);
bool queries_hold(std::span<const scenario::Condition> conditions, const Request& request);
// needs_body when there are conditions and the body has not been read yet.
Held bodies_hold(std::span<const scenario::Condition> conditions, const Request& request);

// "header X-A is \"1\", not \"2\"": why a condition that does not hold does not.
std::string why_not(std::string_view what, const scenario::Condition& condition,
                    const std::optional<std::string>& found);

}  // namespace retrylab::engine
