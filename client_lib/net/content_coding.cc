// SPDX-License-Identifier: MIT
#include "client_lib/net/content_coding.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string>

namespace retrylab {
namespace {

enum class Inflated { whole, cut, wrong, too_large };

// RAII around zlib's stream, set up for gzip.
class Inflater {
 public:
  Inflater() { ready_ = ::inflateInit2(&stream_, kGzip) == Z_OK; }
  ~Inflater() { ::inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  Inflated run(std::string& input, std::string& output, std::size_t bytes_max);

 private:
  static constexpr int kGzip = 15 + 16;  // the largest window, gzip wrapper only
  bool step(std::string& output);

  z_stream stream_{};
  bool ready_ = false;
  int status_ = Z_OK;
};

// Decodes up to a buffer more; false when there is nothing more to be had.
bool Inflater::step(std::string& output) {
  std::array<unsigned char, 16'384> buffer{};
  stream_.next_out = buffer.data();
  stream_.avail_out = static_cast<uInt>(buffer.size());
  status_ = ::inflate(&stream_, Z_NO_FLUSH);
  const std::size_t count = buffer.size() - stream_.avail_out;
  output.append(buffer.begin(), buffer.begin() + count);
  return status_ == Z_OK;
}

// A gzip file may have several members, one after the other (RFC 1952 §2.2).
Inflated Inflater::run(std::string& input, std::string& output, std::size_t bytes_max) {
  if (!ready_ || input.size() > std::numeric_limits<uInt>::max()) return Inflated::too_large;
  stream_.next_in = reinterpret_cast<Bytef*>(input.data());
  stream_.avail_in = static_cast<uInt>(input.size());
  while (true) {
    while (step(output)) {
      if (output.size() > bytes_max) return Inflated::too_large;
    }
    if (output.size() > bytes_max) return Inflated::too_large;
    if (status_ == Z_BUF_ERROR) return Inflated::cut;
    if (status_ != Z_STREAM_END) return Inflated::wrong;
    if (stream_.avail_in == 0) return Inflated::whole;
    if (::inflateReset(&stream_) != Z_OK) return Inflated::wrong;
  }
}

void fail_as(Outcome& outcome, Failure failure, const char* detail) {
  outcome.failure = failure;
  outcome.detail = detail;
  outcome.response.body.clear();
}

void drop(Headers& headers, std::string_view name) {
  std::erase_if(headers, [name](const Header& header) { return same_name(header.name, name); });
}

}  // namespace

void decode_content(Outcome& outcome, std::size_t bytes_max) {
  constexpr const char* kName = "Content-Encoding";
  Response& response = outcome.response;
  const auto coding = find_header(response.headers, kName);
  if (!outcome.answered() || !coding || response.body.empty()) return;
  if (same_name(*coding, "identity")) return;
  if (count_header(response.headers, kName) > 1 ||
      (!same_name(*coding, "gzip") && !same_name(*coding, "x-gzip"))) {
    return fail_as(outcome, Failure::malformed, "an unknown content coding");
  }
  std::string decoded;
  Inflater inflater;
  switch (inflater.run(response.body, decoded, bytes_max)) {
    case Inflated::cut:
      return fail_as(outcome, Failure::truncated, "the gzip stream is cut");
    case Inflated::wrong:
      return fail_as(outcome, Failure::malformed, "the gzip stream is broken");
    case Inflated::too_large:
      return fail_as(outcome, Failure::too_large, "the decoded answer is longer than the limit");
    case Inflated::whole:
      break;
  }
  response.body = std::move(decoded);
  drop(response.headers, kName);
  drop(response.headers, "Content-Length");
}

}  // namespace retrylab
