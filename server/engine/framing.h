// SPDX-License-Identifier: MIT
// How the end of a body is told, rightly or wrongly: Content-Length lines and chunks (RFC 9112 §6
// and §7).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "server/scenario/scenario.h"

namespace retrylab::engine {

struct Chunk {
  std::size_t size = 0;
  std::size_t head_bytes = 0;  // the line with its size, CR LF included
};

// The chunks that `total` bytes are cut into; the last wanted size repeats. Without the last chunk.
std::vector<Chunk> cut_into_chunks(std::size_t total, const scenario::Framing& framing);

// The content in these chunks, with the last chunk and the trailer lines unless they are left out.
std::string chunked(std::string_view content, const std::vector<Chunk>& chunks,
                    const scenario::Framing& framing, std::string_view trailer_lines);

// The lengths that the file wants told about a body of `total` bytes; none: the right one.
std::vector<std::uint64_t> told_lengths(const scenario::Framing& framing, std::uint64_t total);

// What is wrong with the framing of a body of `total` bytes.
struct Flaws {
  std::vector<std::string> texts;  // "long_length at framing"
  bool complete = true;            // a reader of all of it has a whole answer
  bool endless = false;            // the body promises more than there is
  bool missing = false;            // a flaw has no place in this answer

  void add(std::string text, bool still_complete) {
    texts.push_back(std::move(text));
    complete = complete && still_complete;
  }
};
Flaws flaws_of(const scenario::Framing& framing, scenario::Framing::Kind kind, bool has_body,
               std::uint64_t total);

}  // namespace retrylab::engine
