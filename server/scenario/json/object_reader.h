// SPDX-License-Identifier: MIT
// Reads the members of one object and keeps count of them. When the reader goes out of scope it
// reports whatever was not asked for as an unknown member, with the nearest known one, and each
// required member that is missing, unless an unknown one is that member misspelt.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/scenario/json/mistakes.h"
#include "server/scenario/json/tree.h"

namespace retrylab::scenario::json {

class ObjectReader {
 public:
  // `what` names the object in messages: "a step". A node that is no object is a mistake; the
  // reader then has no members and reports no missing ones.
  ObjectReader(const Node& node, std::string_view what, Mistakes& mistakes);
  ~ObjectReader();
  ObjectReader(const ObjectReader&) = delete;
  ObjectReader& operator=(const ObjectReader&) = delete;

  const Node& node() const { return node_; }
  Mistakes& mistakes() { return mistakes_; }

  // The member, or null. Names are literals: the reader keeps them.
  const Node* optional(std::string_view name);
  // The member; null when it is missing, which is a mistake.
  const Node* required(std::string_view name);

  // One of these members is missing, in the message's words. As with required(), no mistake when an
  // unknown member is one of them misspelt.
  void missing(std::initializer_list<std::string_view> names, std::string message);

  // Reads the member into `value` with `read(node, mistakes) -> std::optional`, and leaves
  // `value` as it is when the member is missing or wrong.
  template <typename Value, typename Read>
  void optional(std::string_view name, Value& value, Read read) {
    if (const Node* member = optional(name)) assign(value, read(*member, mistakes_));
  }
  template <typename Value, typename Read>
  void required(std::string_view name, Value& value, Read read) {
    if (const Node* member = required(name)) assign(value, read(*member, mistakes_));
  }

  // A mistake for each of these members that stands here. They are known, but not `here`:
  // the reason completes "X cannot stand here: ".
  void refuse(std::initializer_list<std::string_view> names, std::string_view reason);

  // Of these members at most one may stand; a mistake at the second.
  void exclusive(std::initializer_list<std::string_view> names, std::string_view reason);

 private:
  template <typename Value, typename Read>
  static void assign(Value& value, std::optional<Read> read) {
    if (read) value = std::move(*read);
  }

  const Node& node_;
  std::string what_;
  Mistakes& mistakes_;
  std::vector<std::string_view> known_;
  struct Missing {
    std::vector<std::string_view> names;
    std::string message;
  };
  std::vector<Missing> missing_;
};

}  // namespace retrylab::scenario::json
