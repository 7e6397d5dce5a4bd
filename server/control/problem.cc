// SPDX-License-Identifier: MIT
#include "server/control/problem.h"

#include <algorithm>
#include <array>

#include "client_lib/base/check.h"
#include "server/control/json_text.h"

namespace retrylab::control {
namespace {

struct Row {
  Problem::Type type;
  int status;
  std::string_view word;
  std::string_view title;
};

using Type = Problem::Type;

constexpr std::array<Row, 19> kRows{{
    {Type::invalid_request, 400, "invalid_request", "The request is wrong"},
    {Type::invalid_json, 400, "invalid_json", "The body is not the JSON that is wanted"},
    {Type::invalid_scenario, 422, "invalid_scenario", "The scenario has mistakes"},
    {Type::token_required, 401, "token_required", "The admin token is missing or wrong"},
    {Type::forbidden_host, 403, "forbidden_host", "The Host header names another host"},
    {Type::forbidden_origin, 403, "forbidden_origin", "The request comes from another site"},
    {Type::unknown_path, 404, "unknown_path", "No such path"},
    {Type::unknown_run, 404, "unknown_run", "No such run"},
    {Type::unknown_scenario, 404, "unknown_scenario", "No such scenario in the catalogue"},
    {Type::method_not_allowed, 405, "method_not_allowed", "The path does not have this method"},
    {Type::conflict, 409, "conflict", "The run is not made for this"},
    {Type::too_large, 413, "too_large", "The body is too large"},
    {Type::too_long, 414, "too_long", "The path is too long"},
    {Type::unsupported_media_type, 415, "unsupported_media_type", "The body is not JSON"},
    {Type::limit_reached, 503, "limit_reached", "A limit of this server is reached"},
    {Type::busy, 503, "busy", "The run had no time to answer"},
    {Type::cannot_listen, 503, "cannot_listen", "The run cannot listen"},
    {Type::stopping, 503, "stopping", "The server is stopping"},
    {Type::internal, 500, "internal", "The server made a mistake"},
}};

const Row& row_of(Type type) {
  const auto* const row = std::ranges::find(kRows, type, &Row::type);
  CHECK(row != kRows.end());
  return *row;
}

Json mistake_json(const scenario::Mistake& mistake) {
  return {{"line", mistake.line},
          {"column", mistake.column},
          {"pointer", mistake.pointer},
          {"message", mistake.message}};
}

}  // namespace

int status_of(Type type) {
  return row_of(type).status;
}

std::string_view word(Type type) {
  return row_of(type).word;
}

Answer to_answer(const Problem& problem) {
  const Row& row = row_of(problem.type);
  Json json{{"type", "urn:retrylab:problem:" + std::string(row.word)},
            {"title", row.title},
            {"status", row.status},
            {"detail", problem.detail}};
  if (!problem.mistakes.empty()) {
    json["mistakes"] = Json::array();
    for (const auto& mistake : problem.mistakes) json["mistakes"].push_back(mistake_json(mistake));
  }
  return {.status = row.status,
          .content_type = "application/problem+json",
          .body = text_of(json),
          .headers = problem.headers};
}

}  // namespace retrylab::control
