// SPDX-License-Identifier: MIT
// path    = "/" segment *( "/" segment )
// segment = literal | "{" NAME "}" | "{" NAME "...}" (the last one only: the rest of the path)
#include <algorithm>
#include <cctype>
#include <set>
#include <string>

#include <fmt/format.h>

#include "server/scenario/decode/decode.h"
#include "server/scenario/json/read.h"

namespace retrylab::scenario::decode {
namespace {

using Kind = PathSegment::Kind;

bool is_name(std::string_view text) {
  return json::is_token(text) && std::ranges::all_of(text, [](char letter) {
           return letter == '_' || letter == '-' ||
                  std::isalnum(static_cast<unsigned char>(letter)) != 0;
         });
}

bool is_literal(std::string_view text) {
  return std::ranges::all_of(text, [](char letter) {
    return letter > 0x20 && letter < 0x7F &&
           std::string_view("{}?#").find(letter) == std::string_view::npos;
  });
}

std::optional<PathSegment> read_segment(std::string_view text) {
  if (is_literal(text)) return PathSegment{Kind::literal, std::string(text)};
  if (!text.starts_with('{') || !text.ends_with('}')) return std::nullopt;
  std::string_view name = text.substr(1, text.size() - 2);
  const bool rest = name.ends_with("...");
  if (rest) name.remove_suffix(3);
  if (!is_name(name)) return std::nullopt;
  return PathSegment{rest ? Kind::rest : Kind::parameter, std::string(name)};
}

// The first problem with the segments as a whole, or "".
std::string problem_of(const std::vector<PathSegment>& path) {
  std::set<std::string> names;
  for (const PathSegment& segment : path) {
    if (segment.kind == Kind::literal) continue;
    if (!names.insert(segment.text).second) {
      return fmt::format("the path names {{{}}} twice", segment.text);
    }
    if (segment.kind == Kind::rest && &segment != &path.back()) {
      return fmt::format("{{{}...}} takes the rest of the path and stands last", segment.text);
    }
  }
  return "";
}

}  // namespace

std::optional<std::vector<PathSegment>> read_path(const Node& node, std::string_view text,
                                                  Mistakes& mistakes) {
  if (!text.starts_with('/')) {
    mistakes.add(node, fmt::format("a path begins with \"/\", found {}", json::quote(text)));
    return std::nullopt;
  }
  std::vector<PathSegment> path;
  for (bool more = true; more;) {
    text.remove_prefix(1);
    const std::size_t slash = std::min(text.find('/'), text.size());
    auto segment = read_segment(text.substr(0, slash));
    if (!segment) {
      mistakes.add(node, fmt::format("{} is no path segment: write text, {{name}} or a final "
                                     "{{name...}}; query values go into \"query\"",
                                     json::quote(text.substr(0, slash))));
      return std::nullopt;
    }
    path.push_back(std::move(*segment));
    more = slash < text.size();
    text.remove_prefix(slash);
  }
  const std::string problem = problem_of(path);
  if (problem.empty()) return path;
  mistakes.add(node, problem);
  return std::nullopt;
}

}  // namespace retrylab::scenario::decode
