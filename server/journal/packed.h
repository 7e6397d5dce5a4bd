// SPDX-License-Identifier: MIT
// Attempts that are over, in few bytes: a journal keeps hundreds of thousands of them. A small
// one is about 130 bytes here and 900 as a value. Nothing is lost: unpacking gives the same value.
//
//   number   LEB128: seven bits to a byte, low ones first; signed ones zigzag
//   text     its length, its bytes
//   instant  what passed since the attempt's first byte; that one since zero
//   word     the number of a text that is kept once for all attempts: routes and steps
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "client_lib/base/sha256.h"
#include "server/journal/record.h"

namespace retrylab::journal {

// Texts of which there are few: what a scenario's author wrote. Most records share them, and such a
// text has its number on it: looking it up costs some misses of the cache for each of many.
class Words {
 public:
  std::uint64_t number_of(const Text& text);
  const Text& text(std::uint64_t number) const { return texts_[number]; }

 private:
  std::unordered_map<Text, std::uint64_t, TextHash, std::equal_to<>> numbers_;
  std::vector<Text> texts_;
};

// First in, first out.
class PackedAttempts {
 public:
  PackedAttempts();

  void push(const Attempt& attempt);

  // One that is kept elsewhere, in the same few bytes; only this can read them.
  std::string pack(const Attempt& attempt);
  Attempt unpack(std::string_view packed) const;
  // Forgets the oldest.
  void pop();
  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  // Of the packed records; the memory taken is at most one chunk more.
  std::uint64_t bytes() const { return bytes_; }
  void append_to(std::vector<Attempt>& attempts) const;

 private:
  // Records one after the other, each behind its length.
  struct Chunk {
    std::string bytes;
    std::size_t begin = 0;  // of what is not forgotten
  };

  Words words_;
  Sha256 empty_body_;
  std::deque<Chunk> chunks_;
  std::string scratch_;
  std::size_t size_ = 0;
  std::uint64_t bytes_ = 0;
};

}  // namespace retrylab::journal
