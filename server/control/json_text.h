// SPDX-License-Identifier: MIT
// How this folder writes JSON.
#pragma once

#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include "server/control/message.h"

namespace retrylab::control {

using Json = nlohmann::ordered_json;

// On one line, with a line feed. What clients sent need not be UTF-8.
inline std::string text_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

inline Answer json_answer(const Json& json, int status = 200) {
  return {.status = status, .content_type = "application/json", .body = text_of(json)};
}

inline Json text_or_null(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

}  // namespace retrylab::control
