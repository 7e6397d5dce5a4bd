// SPDX-License-Identifier: MIT
#include "server/scenario/json/object_reader.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "server/scenario/json/nearest.h"
#include "server/scenario/json/read.h"

namespace retrylab::scenario::json {

ObjectReader::ObjectReader(const Node& node, std::string_view what, Mistakes& mistakes)
    : node_(node), what_(what), mistakes_(mistakes) {
  if (node.kind != Node::Kind::object) expected(node, fmt::format("{} {{...}}", what), mistakes);
}

ObjectReader::~ObjectReader() {
  for (const Member& member : node_.members) {
    if (std::ranges::find(known_, member.name) != known_.end()) continue;
    mistakes_.add(member.place, member.value.pointer,
                  fmt::format("{} has no member {}; {}", what_, quote(member.name),
                              advice(member.name, known_)));
    const std::string_view meant = nearest(member.name, known_);
    std::erase_if(missing_, [&](const Missing& one) {
      return std::ranges::find(one.names, meant) != one.names.end();
    });
  }
  for (Missing& one : missing_) mistakes_.add(node_, std::move(one.message));
}

const Node* ObjectReader::optional(std::string_view name) {
  if (std::ranges::find(known_, name) == known_.end()) known_.push_back(name);
  return node_.find(name);
}

const Node* ObjectReader::required(std::string_view name) {
  const Node* member = optional(name);
  if (member == nullptr && node_.kind == Node::Kind::object) {
    missing({name}, fmt::format("{} needs the member \"{}\"", what_, name));
  }
  return member;
}

void ObjectReader::missing(std::initializer_list<std::string_view> names, std::string message) {
  missing_.push_back({names, std::move(message)});
}

void ObjectReader::refuse(std::initializer_list<std::string_view> names, std::string_view reason) {
  for (const std::string_view name : names) {
    if (const Node* member = optional(name)) {
      mistakes_.add(*member, fmt::format("\"{}\" cannot stand here: {}", name, reason));
    }
  }
}

void ObjectReader::exclusive(std::initializer_list<std::string_view> names,
                             std::string_view reason) {
  std::string_view first;
  for (const std::string_view name : names) {
    const Node* member = optional(name);
    if (member == nullptr) continue;
    if (!first.empty()) {
      mistakes_.add(*member,
                    fmt::format("\"{}\" and \"{}\" exclude each other: {}", first, name, reason));
    }
    first = name;
  }
}

}  // namespace retrylab::scenario::json
