// SPDX-License-Identifier: MIT
#include "server/engine/path.h"

namespace retrylab::engine {
namespace {

using scenario::PathSegment;
using Kind = scenario::PathSegment::Kind;

// Cuts a path into segments, one per call.
class Walk {
 public:
  explicit Walk(std::string_view path) : rest_(path), slash_(path.starts_with('/')) {
    if (slash_) rest_.remove_prefix(1);
  }

  bool over() const { return over_; }
  bool absolute() const { return slash_; }
  std::string_view rest() const { return rest_; }

  std::string_view next() {
    const auto slash = rest_.find('/');
    const std::string_view segment = rest_.substr(0, slash);
    if (slash == std::string_view::npos) {
      over_ = true;
      rest_ = {};
    } else {
      rest_.remove_prefix(slash + 1);
    }
    return segment;
  }

 private:
  std::string_view rest_;
  bool slash_;
  bool over_ = false;
};

bool segment_matches(const PathSegment& segment, std::string_view text) {
  return segment.kind == Kind::literal ? segment.text == text : !text.empty();
}

}  // namespace

bool path_matches(std::span<const PathSegment> segments, std::string_view path) {
  Walk walk(path);
  if (!walk.absolute()) return segments.size() == 1 && segments[0].text == path;
  for (const PathSegment& segment : segments) {
    if (walk.over()) return false;
    if (segment.kind == Kind::rest) return true;
    if (!segment_matches(segment, walk.next())) return false;
  }
  return walk.over();
}

std::optional<std::string_view> path_parameter(std::span<const PathSegment> segments,
                                               std::string_view path, std::string_view name) {
  Walk walk(path);
  for (const PathSegment& segment : segments) {
    if (walk.over()) break;
    const std::string_view text = segment.kind == Kind::rest ? walk.rest() : walk.next();
    if (segment.kind != Kind::literal && segment.text == name) return text;
    if (segment.kind == Kind::rest) break;
  }
  return std::nullopt;
}

std::optional<std::string> exact_path(std::span<const PathSegment> segments) {
  std::string path;
  for (const PathSegment& segment : segments) {
    if (segment.kind != Kind::literal) return std::nullopt;
    path += '/';
    path += segment.text;
  }
  if (path == "/*") return "*";  // OPTIONS *
  return path;
}

std::optional<std::size_t> segments_differing(std::span<const PathSegment> segments,
                                              std::string_view path) {
  Walk walk(path);
  std::size_t differing = 0;
  for (const PathSegment& segment : segments) {
    if (walk.over()) return std::nullopt;
    if (segment.kind == Kind::rest) return differing;
    if (!segment_matches(segment, walk.next())) ++differing;
  }
  return walk.over() ? std::optional(differing) : std::nullopt;
}

}  // namespace retrylab::engine
