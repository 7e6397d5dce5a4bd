// SPDX-License-Identifier: MIT
// One line of a journal file, taken apart without copying it: a JSON object (RFC 8259) as a flat
// list of members that point into the line. A journal has millions of lines; a tree of each would
// cost many times what the rest of reading does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace retrylab::journal {

struct JsonMember {
  enum class Kind { text, number, truth, list, object, null };

  std::string_view name;  // as it stands in the line; empty within a list
  Kind kind = Kind::null;
  std::string_view raw;    // as it stands in the line; of a text, what is between the quotes
  std::size_t parent = 0;  // index of the list or object that it is in; of the line's own: 0
};

// Reused from line to line.
class JsonLine {
 public:
  // False for what is no JSON object, or is nested deeper than 16. The members are valid as long as
  // the text is and until the next call.
  bool parse(std::string_view text);

  // Every value of the line, parents first; the first is the line's own object.
  const std::vector<JsonMember>& members() const { return members_; }

  // The member of that parent with that name, or null. Quick when asked in the line's own order.
  const JsonMember* find(std::size_t parent, std::string_view name);

 private:
  std::vector<JsonMember> members_;
  std::size_t last_ = 0;     // where the one found last is
  std::uint64_t names_ = 0;  // a bit for each name that there is
};

// Appends the bytes that a text stands for: one code point below 256 is one byte. False when
// there is another, or the text is no JSON.
bool append_bytes(std::string_view raw, std::string& bytes);

}  // namespace retrylab::journal
