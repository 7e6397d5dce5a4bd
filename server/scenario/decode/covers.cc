// SPDX-License-Identifier: MIT
// Whether one match takes every request of another.
#include <algorithm>

#include "client_lib/base/http.h"
#include "server/scenario/decode/decode.h"

namespace retrylab::scenario::decode {
namespace {

using Kind = PathSegment::Kind;
using Test = Condition::Test;

bool covers_segment(const PathSegment& wide, const PathSegment& narrow) {
  if (wide.kind == Kind::literal) return narrow.kind == Kind::literal && wide.text == narrow.text;
  // A parameter is never empty.
  return narrow.kind == Kind::parameter || (narrow.kind == Kind::literal && !narrow.text.empty());
}

// The target of "OPTIONS *", which is no path.
bool is_asterisk(const std::vector<PathSegment>& path) {
  return path.size() == 1 && path[0].kind == Kind::literal && path[0].text == "*";
}

bool covers_path(const std::vector<PathSegment>& wide, const std::vector<PathSegment>& narrow) {
  if (is_asterisk(narrow)) return is_asterisk(wide);
  for (std::size_t i = 0; i < wide.size(); ++i) {
    if (i == narrow.size()) return false;
    if (wide[i].kind == Kind::rest) return true;
    if (!covers_segment(wide[i], narrow[i])) return false;
  }
  return wide.size() == narrow.size();
}

bool implies(const Condition& narrow, const Condition& wide) {
  if (wide.test == Test::equals) return narrow.test == Test::equals && narrow.value == wide.value;
  if (wide.test == Test::absent) return narrow.test == Test::absent;
  return narrow.test != Test::absent;
}

// Every condition of `wide` follows from one of `narrow`.
bool covers_conditions(const std::vector<Condition>& wide, const std::vector<Condition>& narrow,
                       bool (*same)(std::string_view, std::string_view)) {
  return std::ranges::all_of(wide, [&](const Condition& asked) {
    return std::ranges::any_of(narrow, [&](const Condition& given) {
      return same(asked.name, given.name) && implies(given, asked);
    });
  });
}

bool equal(std::string_view left, std::string_view right) {
  return left == right;
}

}  // namespace

bool covers(const Match& wide, const Match& narrow) {
  if (!wide.method.empty() && wide.method != narrow.method) return false;
  return covers_path(wide.path, narrow.path) &&
         covers_conditions(wide.headers, narrow.headers, same_name) &&
         covers_conditions(wide.query, narrow.query, equal) &&
         covers_conditions(wide.body, narrow.body, equal);
}

}  // namespace retrylab::scenario::decode
