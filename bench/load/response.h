// SPDX-License-Identifier: MIT
// Finds the end of one answer in the bytes of a connection. Just enough of HTTP/1.1 for what the
// compared servers send to a benchmark: content-length, chunked without trailers, or neither
// (then the answer ends with the connection). It checks nothing: the load program measures time.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace retrylab::load {

class ResponseReader {
 public:
  // Takes the next bytes; true when the answer is complete.
  bool feed(std::string_view bytes);

  // The connection has ended: true when that completes an answer that gave no length.
  bool completed_by_close() const { return status_ != 0 && !has_length_; }

  // The status code, once the head is complete; else 0.
  int status() const { return status_; }

  // Ready for the next answer of the connection.
  void restart();

 private:
  bool complete(std::string_view all);

  std::string pending_;  // what came so far, when it came in pieces
  int status_ = 0;
  bool has_length_ = false;
};

// A request with this path; `extra` are whole header lines, each with its CRLF.
std::string make_request(std::string_view method, std::string_view path, std::string_view extra,
                         std::string_view body);

}  // namespace retrylab::load
