// SPDX-License-Identifier: MIT
#include "server/control/api.h"

#include <algorithm>
#include <array>
#include <exception>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "server/control/endpoints/endpoints.h"
#include "server/control/query.h"

namespace retrylab::control {
namespace {

using namespace endpoints;

struct Route {
  std::string_view method;
  std::string_view path;  // "{}" is one segment
  Endpoint endpoint;
};

constexpr std::array<Route, 18> kRoutes{{
    {"GET", "/", page},
    {"GET", "/page/{}", page},
    {"GET", "/health", health},
    {"GET", "/version", version},
    {"GET", "/openapi.json", openapi},
    {"GET", "/metrics", metrics},
    {"GET", "/events", endpoints::events},
    {"GET", "/catalogue", catalogue},
    {"GET", "/catalogue/{}", catalogue_entry},
    {"POST", "/runs", start_run},
    {"GET", "/runs", list_runs},
    {"GET", "/runs/{}", get_run},
    {"DELETE", "/runs/{}", delete_run},
    {"GET", "/runs/{}/scenario", get_scenario},
    {"GET", "/runs/{}/journal", get_journal},
    {"GET", "/runs/{}/verdict", get_verdict},
    {"GET", "/runs/{}/resources", get_resources},
    {"POST", "/runs/{}/reset", reset_run},
}};

// What "{}" stands for, "" without one; nothing when the path is another.
std::optional<std::string> match(std::string_view pattern, std::string_view path) {
  const auto hole = pattern.find("{}");
  if (hole == std::string_view::npos) {
    return pattern == path ? std::optional(std::string()) : std::nullopt;
  }
  const std::string_view before = pattern.substr(0, hole);
  const std::string_view after = pattern.substr(hole + 2);
  if (path.size() <= before.size() + after.size()) return std::nullopt;
  if (!path.starts_with(before) || !path.ends_with(after)) return std::nullopt;
  const auto part = path.substr(before.size(), path.size() - before.size() - after.size());
  if (part.find('/') != std::string_view::npos) return std::nullopt;
  return std::string(part);
}

Problem wrong_method(const Request& request, const std::string& allowed) {
  return {.type = Problem::Type::method_not_allowed,
          .detail = fmt::format("{} does not go with {}; it takes {}", request.method, request.path,
                                allowed),
          .headers = {{"Allow", allowed}}};
}

// A form that another site's page could send without asking has no such type.
std::optional<Problem> check_body(const Request& request) {
  if (request.body_too_large) {
    return Problem{Problem::Type::too_large, "the body is larger than 4 MB"};
  }
  if (request.body.empty()) return std::nullopt;
  const std::string type = request.header("Content-Type");
  const std::string_view kind = std::string_view(type).substr(0, type.find_first_of("; "));
  if (same_name(kind, "application/json")) return std::nullopt;
  return Problem{Problem::Type::unsupported_media_type,
                 fmt::format("Content-Type is \"{}\"; send application/json", type)};
}

}  // namespace

Expected<Answer> Api::handle(const Request& request) {
  if (auto refused = refuse(request, security_)) return tl::unexpected(std::move(*refused));
  std::string_view method = request.method;
  if (method == "HEAD") method = "GET";
  std::string allowed;
  for (const Route& route : kRoutes) {
    auto parameter = match(route.path, request.path);
    if (!parameter) continue;
    if (route.method == method) {
      if (auto refused = check_body(request)) return tl::unexpected(std::move(*refused));
      Call call{request, context_, std::move(*parameter)};
      return route.endpoint(call);
    }
    if (!allowed.empty()) allowed += ", ";
    allowed += route.method == "GET" ? "GET, HEAD" : std::string(route.method);
  }
  if (!allowed.empty()) return tl::unexpected(wrong_method(request, allowed));
  return problem(Problem::Type::unknown_path,
                 fmt::format("no {}; GET /openapi.json describes what there is", request.path));
}

Answer Api::answer(const Request& request) {
  try {
    auto answer = handle(request);
    return answer ? std::move(*answer) : to_answer(answer.error());
  } catch (const std::exception& error) {
    return to_answer({Problem::Type::internal, error.what()});
  }
}

namespace endpoints {

Expected<RunId> run_id(std::string_view text) {
  const auto number = parse_count(text);
  if (number && *number > 0 && *number <= UINT32_MAX && !text.starts_with('0')) {
    return static_cast<RunId>(*number);
  }
  return problem(Problem::Type::unknown_run,
                 fmt::format("\"{}\" is no run; GET /runs lists them", text));
}

Expected<Followers::Place> take_place(Call& call) {
  auto place = call.context.followers.take();
  if (place) return place;
  return problem(Problem::Type::limit_reached,
                 fmt::format("{} clients follow or wait already, which is the most",
                             call.context.followers.taken()));
}

}  // namespace endpoints
}  // namespace retrylab::control
