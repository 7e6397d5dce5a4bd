// SPDX-License-Identifier: MIT
// A client made of system calls, for tests: it tells what its kernel saw, byte for byte, and how
// the connection ended. Every wait is bounded.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace retrylab {

enum class Seen { fin, rst, nothing };  // nothing: open still when the wait was over

struct Received {
  std::string bytes;
  Seen end = Seen::nothing;
};

class RawClient {
 public:
  // "http://127.0.0.1:PORT".
  explicit RawClient(const std::string& url);
  ~RawClient() { close(); }
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;

  // Whether somebody listens there; the connection is closed again.
  static bool can_connect(const std::string& url);

  void send(std::string_view bytes);
  // In pieces of `size` bytes, each its own segment.
  void send_in_pieces(std::string_view bytes, std::size_t size);
  void half_close();
  void close();
  void reset();

  // Until `size` bytes, the connection's end, or too long a wait.
  Received receive(std::size_t size);
  // Until the connection's end, or too long a wait.
  Received receive_all();
  // At least `size` bytes, however long they take; then until nothing comes for a moment.
  Received receive_until_silent(std::size_t size);
  // One answer with a Content-Length (0 bytes of body for HEAD), head and body.
  std::string answer(bool head_only = false);
  // How many segments with bytes this kernel has received. Above 0.
  std::uint32_t segments_received() const;
  // Nothing comes within a moment.
  bool silent();

  int descriptor() const { return descriptor_; }

 private:
  bool readable(int milliseconds_max);
  // False at the connection's end.
  bool read_into(Received& received, std::size_t size_max, bool briefly = false);

  int descriptor_ = -1;
  std::string pending_;  // read beyond the last answer
};

}  // namespace retrylab
