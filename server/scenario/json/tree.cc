// SPDX-License-Identifier: MIT
#include "server/scenario/json/tree.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "server/scenario/json/mistakes.h"

namespace retrylab::scenario::json {
namespace {

constexpr std::size_t kDepthMax = 64;

bool is_one_of(char letter, std::string_view set) {
  return set.find(letter) != std::string_view::npos;
}

// Walks the text one token behind the parser, which gives values but not their places.
class TokenCursor {
 public:
  explicit TokenCursor(std::string_view text) : text_(text) {
    if (text_.starts_with("\xEF\xBB\xBF")) offset_ = line_start_ = 3;
  }

  // The place of the next token, which the parser has found to be well formed.
  Place next() {
    skip_separators();
    const Place place{line_, static_cast<int>(offset_ - line_start_) + 1};
    skip_token();
    return place;
  }

 private:
  void skip_separators() {
    for (; offset_ < text_.size() && is_one_of(text_[offset_], " \t\r\n,:"); ++offset_) {
      if (text_[offset_] != '\n') continue;
      ++line_;
      line_start_ = offset_ + 1;
    }
  }

  void skip_token() {
    if (text_[offset_] == '"') return skip_string();
    if (is_one_of(text_[offset_++], "{}[]")) return;
    while (offset_ < text_.size() && !is_one_of(text_[offset_], " \t\r\n,:{}[]\"")) ++offset_;
  }

  void skip_string() {
    for (++offset_; text_[offset_] != '"'; ++offset_) {
      if (text_[offset_] == '\\') ++offset_;
    }
    ++offset_;
  }

  std::string_view text_;
  std::size_t offset_ = 0;
  std::size_t line_start_ = 0;
  int line_ = 1;
};

Place place_of(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const auto lines = std::ranges::count(before, '\n');
  const std::size_t line_start = lines == 0 ? 0 : before.rfind('\n') + 1;
  return {static_cast<int>(lines) + 1, static_cast<int>(offset - line_start) + 1};
}

// The library's words without its prefix: "... while parsing value - unexpected ','; ...". They
// quote the text, which need not be UTF-8.
std::string reason_of(std::string_view what) {
  const std::size_t dash = what.find(" - ");
  std::string reason(dash == std::string_view::npos ? what.substr(what.find(']') + 2)
                                                    : what.substr(dash + 3));
  std::ranges::replace_if(
      reason, [](char c) { return static_cast<unsigned char>(c) > 0x7E; }, '?');
  return reason;
}

// The events of nlohmann's SAX parser, gathered into a tree.
class TreeBuilder {
 public:
  TreeBuilder(std::string_view text, Mistakes& mistakes)
      : text_(text), cursor_(text), mistakes_(mistakes) {}

  Node take() { return std::move(root_); }

  bool null() { return leaf(Node::Kind::null, "", false); }
  bool boolean(bool value) { return leaf(Node::Kind::boolean, "", value); }
  bool number_integer(std::int64_t value) {
    return leaf(Node::Kind::number, std::to_string(value), false);
  }
  bool number_unsigned(std::uint64_t value) {
    return leaf(Node::Kind::number, std::to_string(value), false);
  }
  bool number_float(double, const std::string& written) {
    return leaf(Node::Kind::number, written, false);
  }
  bool string(std::string& value) { return leaf(Node::Kind::string, std::move(value), false); }
  bool binary(nlohmann::json::binary_t&) { return false; }

  bool start_object(std::size_t) { return open(Node::Kind::object); }
  bool start_array(std::size_t) { return open(Node::Kind::array); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }

  bool key(std::string& name) {
    Frame& frame = open_.back();
    frame.key = std::move(name);
    frame.key_place = cursor_.next();
    const auto& members = frame.node.members;
    const auto first = std::ranges::find(members, frame.key, &Member::name);
    if (first != members.end()) {
      mistakes_.add(frame.key_place, child_pointer(frame.node.pointer, frame.key),
                    fmt::format("\"{}\" stands here twice: the first is at {}:{}", frame.key,
                                first->place.line, first->place.column));
    }
    return true;
  }

  bool parse_error(std::size_t read, const std::string&, const nlohmann::json::exception& error) {
    const std::size_t offset = std::min(read == 0 ? 0 : read - 1, text_.size());
    mistakes_.add(place_of(text_, offset), "",
                  fmt::format("this is not JSON: {}", reason_of(error.what())));
    return false;
  }

 private:
  struct Frame {
    Node node;
    std::string key;
    Place key_place;
  };

  std::string pointer_of_next() const {
    if (open_.empty()) return "";
    const Frame& frame = open_.back();
    const bool in_array = frame.node.kind == Node::Kind::array;
    return child_pointer(frame.node.pointer,
                         in_array ? std::to_string(frame.node.items.size()) : frame.key);
  }

  Node start(Node::Kind kind) {
    Node node;
    node.kind = kind;
    node.place = cursor_.next();
    node.pointer = pointer_of_next();
    return node;
  }

  bool leaf(Node::Kind kind, std::string text, bool boolean) {
    Node node = start(kind);
    node.text = std::move(text);
    node.boolean = boolean;
    attach(std::move(node));
    return true;
  }

  bool open(Node::Kind kind) {
    Node node = start(kind);
    if (open_.size() == kDepthMax) {
      mistakes_.add(node, fmt::format("this is nested more than {} deep", kDepthMax));
      return false;
    }
    open_.push_back({std::move(node), "", {}});
    return true;
  }

  bool close() {
    cursor_.next();
    Node node = std::move(open_.back().node);
    open_.pop_back();
    attach(std::move(node));
    return true;
  }

  void attach(Node node) {
    if (open_.empty()) {
      root_ = std::move(node);
      return;
    }
    Frame& frame = open_.back();
    if (frame.node.kind == Node::Kind::array) {
      frame.node.items.push_back(std::move(node));
    } else {
      frame.node.members.push_back({frame.key, frame.key_place, std::move(node)});
    }
  }

  std::string_view text_;
  TokenCursor cursor_;
  Mistakes& mistakes_;
  std::vector<Frame> open_;
  Node root_;
};

}  // namespace

const Node* Node::find(std::string_view name) const {
  const auto found = std::ranges::find(members, name, &Member::name);
  return found == members.end() ? nullptr : &found->value;
}

std::optional<Node> parse(std::string_view text, Mistakes& mistakes) {
  TreeBuilder builder(text, mistakes);
  if (!nlohmann::json::sax_parse(text.begin(), text.end(), &builder)) return std::nullopt;
  return builder.take();
}

std::string quote(std::string_view text) {
  return nlohmann::json(text).dump();
}

std::string compact(const Node& node) {
  std::string list;
  switch (node.kind) {
    case Node::Kind::null:
      return "null";
    case Node::Kind::boolean:
      return node.boolean ? "true" : "false";
    case Node::Kind::number:
      return node.text;
    case Node::Kind::string:
      return quote(node.text);
    case Node::Kind::array:
      for (const Node& item : node.items) list += (list.empty() ? "" : ",") + compact(item);
      return "[" + list + "]";
    case Node::Kind::object:
      for (const Member& member : node.members) {
        list += (list.empty() ? "" : ",") + quote(member.name) + ":" + compact(member.value);
      }
      return "{" + list + "}";
  }
  return "";
}

std::string child_pointer(std::string_view pointer, std::string_view token) {
  std::string child = fmt::format("{}/", pointer);
  for (const char letter : token) {
    if (letter == '~') {
      child += "~0";
    } else if (letter == '/') {
      child += "~1";
    } else {
      child += letter;
    }
  }
  return child;
}

}  // namespace retrylab::scenario::json
