// SPDX-License-Identifier: MIT
// JSON text as a tree that remembers where each value stood. nlohmann_json does the parsing and
// is seen by tree.cc alone.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace retrylab::scenario::json {

class Mistakes;

struct Place {
  int line = 0;    // 1-based
  int column = 0;  // 1-based, in bytes
};

struct Member;

struct Node {
  enum class Kind { null, boolean, number, string, array, object };
  Kind kind = Kind::null;
  Place place;
  std::string pointer;  // RFC 6901
  bool boolean = false;
  std::string text;  // a string's value; a number as it is written
  std::vector<Node> items;
  std::vector<Member> members;  // in the order of the file

  // The member of that name, or null.
  const Node* find(std::string_view name) const;
};

struct Member {
  std::string name;
  Place place;  // of the name
  Node value;
};

// The whole text. A syntax error ends it with nothing; a duplicate member is a mistake too, but
// reading goes on. Nesting deeper than 64 is refused, so that recursion over the tree is safe.
std::optional<Node> parse(std::string_view text, Mistakes& mistakes);

// `text` as a JSON string, with its quotes. `text` is UTF-8.
std::string quote(std::string_view text);

// Without blanks; numbers as they were written, members in the order of the file.
std::string compact(const Node& node);

// `pointer` with one more token, escaped.
std::string child_pointer(std::string_view pointer, std::string_view token);

}  // namespace retrylab::scenario::json
