// SPDX-License-Identifier: MIT
#include "tests/server/engine/gunzip.h"

#include <zlib.h>

namespace retrylab {

Unzipped gunzip(std::string coded) {
  z_stream stream{};
  inflateInit2(&stream, 15 + 16);
  std::string out(100'000, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(coded.data());
  stream.avail_in = static_cast<uInt>(coded.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int result = inflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  inflateEnd(&stream);
  return {result == Z_STREAM_END, out};
}

}  // namespace retrylab
