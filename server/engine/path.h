// SPDX-License-Identifier: MIT
// Path templates against paths. A path is split at each "/" after its first byte, as templates
// are (scenario::PathSegment). Nothing is percent-decoded.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "server/scenario/scenario.h"

namespace retrylab::engine {

// A parameter takes one non-empty segment, {rest...} everything that is left.
bool path_matches(std::span<const scenario::PathSegment> segments, std::string_view path);

// What the parameter `name` took of a path that matches.
std::optional<std::string_view> path_parameter(std::span<const scenario::PathSegment> segments,
                                               std::string_view path, std::string_view name);

// The only path that a template without parameters matches; nothing when it has one.
std::optional<std::string> exact_path(std::span<const scenario::PathSegment> segments);

// How many segments of the path differ from the template's; nothing when the numbers of segments
// differ. For near misses.
std::optional<std::size_t> segments_differing(std::span<const scenario::PathSegment> segments,
                                              std::string_view path);

}  // namespace retrylab::engine
