// SPDX-License-Identifier: MIT
#include "server/engine/framing.h"

#include <algorithm>

#include <fmt/format.h>

namespace retrylab::engine {
namespace {

using scenario::Framing;

// What stands where the size of a chunk belongs; `number` is 1-based.
std::string size_text(std::size_t size, std::size_t number, const Framing& framing) {
  const bool bad = !framing.bad_size.empty() && number == framing.bad_chunk;
  return bad ? framing.bad_size : fmt::format("{:x}", size);
}

// RFC 9112 §6.3: lengths that differ are an error that nobody can recover from.
bool differ(const std::vector<std::uint64_t>& lengths) {
  return std::ranges::adjacent_find(lengths, std::not_equal_to<>()) != lengths.end();
}

void note_lengths(Flaws& flaws, const std::vector<std::uint64_t>& lengths, bool has_body,
                  std::uint64_t total) {
  if (lengths.empty()) return;
  if (lengths.size() > 1) flaws.add("two_lengths at framing", !differ(lengths));
  if (!has_body) return;
  const auto [least, most] = std::ranges::minmax(lengths);
  if (most > total) flaws.add("long_length at framing", false);
  if (least < total) flaws.add("short_length at framing", true);
  flaws.endless = flaws.endless || most > total;
}

void note_chunks(Flaws& flaws, const Framing& framing, std::uint64_t total) {
  if (!framing.lengths.empty()) flaws.add("length_beside_chunks at framing", true);
  if (!framing.bad_size.empty()) {
    const std::size_t lines = cut_into_chunks(total, framing).size() + (framing.last_chunk ? 1 : 0);
    flaws.missing = framing.bad_chunk > lines;
    flaws.add("bad_size at framing", flaws.missing);
  }
  if (!framing.last_chunk) flaws.add("no_last_chunk at framing", false);
  flaws.endless = !framing.last_chunk;
}

}  // namespace

std::vector<Chunk> cut_into_chunks(std::size_t total, const Framing& framing) {
  std::vector<Chunk> chunks;
  while (total > 0) {
    std::size_t size = total;
    if (!framing.chunks.empty()) {
      size = framing.chunks[std::min(chunks.size(), framing.chunks.size() - 1)];
    }
    size = std::clamp<std::size_t>(size, 1, total);
    chunks.push_back({size, size_text(size, chunks.size() + 1, framing).size() + 2});
    total -= size;
  }
  return chunks;
}

std::string chunked(std::string_view content, const std::vector<Chunk>& chunks,
                    const Framing& framing, std::string_view trailer_lines) {
  std::string out;
  std::size_t number = 0;
  for (const Chunk& chunk : chunks) {
    out.append(size_text(chunk.size, ++number, framing)).append("\r\n");
    out.append(content.substr(0, chunk.size)).append("\r\n");
    content.remove_prefix(chunk.size);
  }
  if (!framing.last_chunk) return out;
  out.append(size_text(0, ++number, framing)).append("\r\n");
  return out.append(trailer_lines).append("\r\n");
}

std::vector<std::uint64_t> told_lengths(const Framing& framing, std::uint64_t total) {
  std::vector<std::uint64_t> lengths;
  for (const scenario::ContentLength& length : framing.lengths) {
    const std::int64_t base = length.relative ? static_cast<std::int64_t>(total) : 0;
    lengths.push_back(static_cast<std::uint64_t>(std::max<std::int64_t>(base + length.bytes, 0)));
  }
  return lengths;
}

Flaws flaws_of(const Framing& framing, Framing::Kind kind, bool has_body, std::uint64_t total) {
  Flaws flaws;
  if (kind == Framing::Kind::chunked && has_body) {
    note_chunks(flaws, framing, total);
  } else {
    note_lengths(flaws, told_lengths(framing, total), has_body, total);
    flaws.missing = !framing.bad_size.empty() || !framing.last_chunk;
  }
  return flaws;
}

}  // namespace retrylab::engine
