// SPDX-License-Identifier: MIT
#include "server/engine/content.h"

#include <charconv>
#include <optional>

#include <fmt/format.h>
#include <zlib.h>

#include "client_lib/base/check.h"

namespace retrylab::engine {
namespace {

using scenario::Ranges;

std::string gzip(std::string_view content) {
  z_stream stream{};
  constexpr int kWithGzipHead = 15 + 16;
  CHECK(deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kWithGzipHead, 8,
                     Z_DEFAULT_STRATEGY) == Z_OK);
  std::string out(deflateBound(&stream, content.size()), '\0');
  // zlib's interface predates const; it only reads.
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
  stream.avail_in = static_cast<uInt>(content.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  CHECK(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

// The first byte of the trailer: the check of the content, which every decoder looks at.
void corrupt(std::string& coded) {
  constexpr std::size_t kTrailer = 8;
  char& byte = coded[coded.size() - kTrailer];
  byte = static_cast<char>(byte ^ 0x5a);
}

struct Range {
  std::uint64_t first = 0;
  std::uint64_t last = 0;  // included
};

std::optional<std::uint64_t> number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

enum class Asked { nothing, part, unsatisfiable };

// "bytes=5-9", "bytes=5-", "bytes=-5"; anything else asks for nothing (RFC 9110 §14.2).
Asked asked_range(std::string_view text, std::uint64_t size, Range& range) {
  constexpr std::string_view kUnit = "bytes=";
  if (!text.starts_with(kUnit)) return Asked::nothing;
  text.remove_prefix(kUnit.size());
  const auto dash = text.find('-');
  if (dash == std::string_view::npos || text.find(',') != std::string_view::npos) {
    return Asked::nothing;
  }
  const auto first = number(text.substr(0, dash));
  const auto last = number(text.substr(dash + 1));
  if (dash == 0) {
    if (!last) return Asked::nothing;
    if (*last == 0 || size == 0) return Asked::unsatisfiable;
    range = {size - std::min(*last, size), size - 1};
    return Asked::part;
  }
  if (!first || (!last && dash + 1 < text.size()) || (last && *last < *first)) {
    return Asked::nothing;
  }
  if (*first >= size) return Asked::unsatisfiable;
  range = {*first, std::min(last.value_or(size - 1), size - 1)};
  return Asked::part;
}

// The resource is still the one whose part the client has (RFC 9110 §13.1.5).
bool is_still_the_same(const Reply& reply, const Request& request) {
  const auto condition = request.header("If-Range");
  return !condition || *condition == reply.etag;
}

std::string content_range(Ranges ranges, const Range& range, std::uint64_t size) {
  if (ranges == Ranges::unknown_size) return fmt::format("bytes {}-{}/*", range.first, range.last);
  const std::uint64_t first = ranges == Ranges::wrong ? range.first + 1 : range.first;
  const std::uint64_t last = ranges == Ranges::wrong ? range.last + 1 : range.last;
  return fmt::format("bytes {}-{}/{}", first, last, size);
}

void set_status(Reply& reply, int status) {
  reply.status = status;
  reply.reason = reason_phrase(status);
}

}  // namespace

void encode(Reply& reply, const scenario::Encoding& encoding) {
  std::string coded = gzip(reply.body());
  switch (encoding.flaw) {
    case scenario::Encoding::Flaw::none:
      break;
    case scenario::Encoding::Flaw::cut:
      coded.resize(coded.size() - std::min<std::uint64_t>(encoding.cut, coded.size()));
      reply.content_flaw = "cut at encoding";
      break;
    case scenario::Encoding::Flaw::corrupt:
      corrupt(coded);
      reply.content_flaw = "corrupt at encoding";
      break;
  }
  reply.text = std::move(coded);
  reply.shared_body.reset();
  reply.add_header("Content-Encoding", "gzip");
}

void reduce_to_range(Reply& reply, Ranges ranges, const Request& request) {
  if (ranges == Ranges::ignored || reply.status != 200) return;
  reply.add_header("Accept-Ranges", "bytes");
  const auto wanted = request.header("Range");
  if (!wanted || !is_still_the_same(reply, request)) return;
  const std::uint64_t size = reply.body().size();
  Range range;
  switch (asked_range(*wanted, size, range)) {
    case Asked::nothing:
      return;
    case Asked::unsatisfiable:
      set_status(reply, 416);
      reply.add_header("Content-Range", fmt::format("bytes */{}", size));
      reply.text.clear();
      reply.shared_body.reset();
      return;
    case Asked::part:
      break;
  }
  set_status(reply, 206);
  reply.add_header("Content-Range", content_range(ranges, range, size));
  if (ranges == Ranges::too_much) return;
  reply.text = std::string(reply.body().substr(range.first, range.last - range.first + 1));
  reply.shared_body.reset();
}

}  // namespace retrylab::engine
