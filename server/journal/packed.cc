// SPDX-License-Identifier: MIT
#include "server/journal/packed.h"

#include <algorithm>
#include <array>
#include <optional>
#include <type_traits>
#include <utility>

#include "client_lib/base/check.h"

namespace retrylab::journal {
namespace {

constexpr std::size_t kChunkBytes = 64 * 1024;
constexpr std::size_t kNumberMax = 10;  // bytes of 64 bits, seven to each

std::uint64_t zigzag(std::int64_t value) {
  return (static_cast<std::uint64_t>(value) << 1U) ^ static_cast<std::uint64_t>(value >> 63U);
}

std::int64_t unzigzag(std::uint64_t value) {
  return static_cast<std::int64_t>(value >> 1U) ^ -static_cast<std::int64_t>(value & 1U);
}

void append_number(std::string& out, std::uint64_t value) {
  if (value < 0x80U) return out.push_back(static_cast<char>(value));  // nearly all are
  std::array<char, kNumberMax> bytes;
  std::size_t size = 0;
  for (; value >= 0x80U; value >>= 7U) bytes[size++] = static_cast<char>(value | 0x80U);
  bytes[size++] = static_cast<char>(value);
  out.append(bytes.data(), size);
}

std::uint64_t take_number(std::string_view& in) {
  std::uint64_t value = 0;
  for (unsigned shift = 0;; shift += 7) {
    const auto byte = static_cast<unsigned char>(in.front());
    in.remove_prefix(1);
    value |= static_cast<std::uint64_t>(byte & 0x7FU) << shift;
    if ((byte & 0x80U) == 0) return value;
  }
}

// Method and target stand in the head, unless it was malformed.
bool in_head(const Attempt& attempt) {
  const std::string_view method = attempt.method;
  const std::string_view target = attempt.target;
  const std::string_view head = attempt.head;
  return head.starts_with(method) && head.substr(method.size()).starts_with(' ') &&
         head.substr(method.size() + 1).starts_with(target);
}

class Packer {
 public:
  Packer(std::string& out, Words& words, const Sha256& empty_body)
      : out_(out), words_(words), empty_body_(empty_body) {}

  template <typename Number>
  requires std::is_integral_v<Number> || std::is_enum_v<Number>
  void operator()(const Number& value) {
    if constexpr (std::is_signed_v<Number>) {
      append_number(out_, zigzag(value));
    } else {
      append_number(out_, static_cast<std::uint64_t>(value));
    }
  }
  void operator()(const std::string& text) {
    append_number(out_, text.size());
    out_ += text;
  }
  void operator()(const Text& text) { (*this)(text.str()); }
  void operator()(const Duration& duration) { append_number(out_, zigzag(duration.count())); }
  void operator()(const Instant& at) {
    (*this)(at - base_);
    if (base_ == Instant()) base_ = at;
  }
  void operator()(const Header& header) {
    (*this)(header.name);
    (*this)(header.value);
  }
  template <typename Value>
  void operator()(const std::optional<Value>& value) {
    (*this)(value.has_value());
    if (value) (*this)(*value);
  }
  template <typename Value>
  void operator()(const std::vector<Value>& values) {
    append_number(out_, values.size());
    for (const Value& value : values) (*this)(value);
  }
  void operator()(const Sha256& digest) {
    const bool empty = digest == empty_body_;
    (*this)(empty);
    if (!empty) out_.append(digest.begin(), digest.end());
  }
  void word(const Text& text) { append_number(out_, words_.number_of(text)); }

  void request_line(const Attempt& attempt) {
    (*this)(in_head(attempt));
    if (in_head(attempt)) {
      append_number(out_, attempt.method.size());
      append_number(out_, attempt.target.size());
    } else {
      (*this)(attempt.method);
      (*this)(attempt.target);
    }
  }

 private:
  std::string& out_;
  Words& words_;
  const Sha256& empty_body_;
  Instant base_;
};

class Unpacker {
 public:
  Unpacker(std::string_view in, const Words& words, const Sha256& empty_body, TextPool& pool)
      : in_(in), words_(words), empty_body_(empty_body), pool_(pool) {}

  template <typename Number>
  requires std::is_integral_v<Number> || std::is_enum_v<Number>
  void operator()(Number& value) {
    if constexpr (std::is_signed_v<Number>) {
      value = static_cast<Number>(unzigzag(take_number(in_)));
    } else {
      value = static_cast<Number>(take_number(in_));
    }
  }
  void operator()(std::string& text) { text = take(take_number(in_)); }
  void operator()(Text& text) { text = pool_.of(take(take_number(in_))); }
  void operator()(Duration& duration) { duration = Duration(unzigzag(take_number(in_))); }
  void operator()(Instant& at) {
    Duration since{0};
    (*this)(since);
    at = base_ + since;
    if (base_ == Instant()) base_ = at;
  }
  void operator()(Header& header) {
    (*this)(header.name);
    (*this)(header.value);
  }
  template <typename Value>
  void operator()(std::optional<Value>& value) {
    bool has_value = false;
    (*this)(has_value);
    if (has_value) (*this)(value.emplace());
  }
  template <typename Value>
  void operator()(std::vector<Value>& values) {
    values.resize(take_number(in_));
    for (Value& value : values) (*this)(value);
  }
  void operator()(Sha256& digest) {
    bool empty = false;
    (*this)(empty);
    if (empty) {
      digest = empty_body_;
    } else {
      std::ranges::copy(take(digest.size()), digest.begin());
    }
  }
  void word(Text& text) { text = words_.text(take_number(in_)); }

  void request_line(Attempt& attempt) {
    bool stands_in_head = false;
    (*this)(stands_in_head);
    if (stands_in_head) {
      const std::size_t method = take_number(in_);
      const std::size_t target = take_number(in_);
      const std::string_view head = attempt.head;
      attempt.method = pool_.of(head.substr(0, method));
      attempt.target = pool_.of(head.substr(method + 1, target));
    } else {
      (*this)(attempt.method);
      (*this)(attempt.target);
    }
  }

 private:
  std::string_view take(std::size_t count) {
    const std::string_view bytes = in_.substr(0, count);
    in_.remove_prefix(count);
    return bytes;
  }

  std::string_view in_;
  const Words& words_;
  const Sha256& empty_body_;
  TextPool& pool_;
  Instant base_;
};

// One list of the members for both directions. Instants are relative to the first of them.
template <typename Coder, typename Record>
void code_planned(Coder& coder, Record& planned) {
  coder(planned.source);
  coder.word(planned.route);
  coder.word(planned.step);
  coder(planned.status);
  coder(planned.retry_after);
  coder(planned.location);
  coder(planned.delay);
  coder(planned.faults);
  coder(planned.complete);
  coder(planned.connection_close);
  coder(planned.should_retry_false);
  coder(planned.hints);
  coder(planned.near_misses);
  coder(planned.note);
}

template <typename Coder, typename Record>
void code_delivered(Coder& coder, Record& delivered) {
  coder(delivered.ending);
  coder(delivered.r_min);
  coder(delivered.r_max);
  coder(delivered.bytes);
  coder(delivered.faults_delivered);
  coder(delivered.peer_left);
  coder(delivered.peer_reset);
  coder(delivered.ended);
}

template <typename Coder, typename Record>
void code(Coder& coder, Record& attempt) {
  coder(attempt.id);
  coder(attempt.run);
  coder(attempt.connection);
  coder(attempt.number_on_connection);
  coder(attempt.listener);
  coder(attempt.client);
  coder(attempt.first_byte);
  coder(attempt.first_byte_from_kernel);
  coder(attempt.head_read);
  coder(attempt.body_read);
  coder(attempt.head);
  coder.request_line(attempt);
  coder(attempt.body_bytes);
  coder(attempt.body_sha256);
  coder(attempt.operation);
  coder(attempt.key);
  coder(attempt.route_has_store);
  coder(attempt.executed);
  coder(attempt.replayed);
  coder(attempt.resource);
  code_planned(coder, attempt.planned);
  code_delivered(coder, attempt.delivered);
}

}  // namespace

std::uint64_t Words::number_of(const Text& text) {
  const std::uint32_t mark = text.mark();
  if (mark != 0 && mark <= texts_.size() && texts_[mark - 1] == text) return mark - 1;
  const auto [place, is_new] = numbers_.try_emplace(text, texts_.size());
  if (is_new) texts_.push_back(text);
  text.put_mark(static_cast<std::uint32_t>(place->second + 1));
  return place->second;
}

PackedAttempts::PackedAttempts() : empty_body_(sha256({})) {}

std::string PackedAttempts::pack(const Attempt& attempt) {
  scratch_.clear();
  Packer packer(scratch_, words_, empty_body_);
  code(packer, attempt);
  return scratch_;
}

Attempt PackedAttempts::unpack(std::string_view packed) const {
  TextPool pool;
  Attempt attempt;
  Unpacker unpacker(packed, words_, empty_body_, pool);
  code(unpacker, attempt);
  return attempt;
}

void PackedAttempts::push(const Attempt& attempt) {
  scratch_.clear();
  Packer packer(scratch_, words_, empty_body_);
  code(packer, attempt);
  const std::size_t needed = scratch_.size() + kNumberMax;
  if (chunks_.empty() || chunks_.back().bytes.capacity() - chunks_.back().bytes.size() < needed) {
    chunks_.emplace_back().bytes.reserve(std::max(kChunkBytes, needed));
  }
  std::string& bytes = chunks_.back().bytes;
  const std::size_t before = bytes.size();
  append_number(bytes, scratch_.size());
  bytes += scratch_;
  bytes_ += bytes.size() - before;
  ++size_;
}

void PackedAttempts::pop() {
  CHECK(size_ > 0);
  Chunk& chunk = chunks_.front();
  std::string_view rest = std::string_view(chunk.bytes).substr(chunk.begin);
  const std::size_t size = take_number(rest);
  const std::size_t end = chunk.bytes.size() - rest.size() + size;
  bytes_ -= end - chunk.begin;
  chunk.begin = end;
  --size_;
  if (chunk.begin == chunk.bytes.size()) chunks_.pop_front();
}

void PackedAttempts::append_to(std::vector<Attempt>& attempts) const {
  attempts.reserve(attempts.size() + size_);
  TextPool pool;
  for (const Chunk& chunk : chunks_) {
    std::string_view rest = std::string_view(chunk.bytes).substr(chunk.begin);
    while (!rest.empty()) {
      const std::size_t size = take_number(rest);
      Unpacker unpacker(rest.substr(0, size), words_, empty_body_, pool);
      code(unpacker, attempts.emplace_back());
      rest.remove_prefix(size);
    }
  }
}

}  // namespace retrylab::journal
