// SPDX-License-Identifier: MIT
#include <utility>

#include <fmt/format.h>

#include "server/scenario/decode/decode.h"
#include "server/scenario/json/read.h"

namespace retrylab::scenario::decode {
namespace {

constexpr std::uint64_t kSizeMax = 100'000'000;
constexpr std::string_view kFiller = "retrylab filler: 32 bytes a row\n";

Body text_body(Template text, std::string content_type) {
  Body body;
  body.text = std::move(text);
  body.content_type = std::move(content_type);
  return body;
}

Body bytes_body(std::string bytes, std::string content_type) {
  Body body;
  body.bytes = std::make_shared<const std::string>(std::move(bytes));
  body.content_type = std::move(content_type);
  return body;
}

std::optional<Body> read_filler(const Node& node, Mistakes& mistakes) {
  const auto size = json::read_size(node, mistakes);
  if (!size) return std::nullopt;
  if (*size > kSizeMax) {
    json::expected(node, "a size of at most 100MB", mistakes);
    return std::nullopt;
  }
  std::string bytes;
  bytes.reserve(*size + kFiller.size());
  while (bytes.size() < *size) bytes += kFiller;
  bytes.resize(*size);
  return bytes_body(std::move(bytes), "application/octet-stream");
}

std::optional<Body> read_body_file(const Node& node, const Context& context) {
  const auto path = json::read_line(node, context.mistakes);
  if (!path) return std::nullopt;
  if (!context.read_file) {
    context.mistakes.add(node, "files cannot be read here; write the body into the scenario");
    return std::nullopt;
  }
  auto bytes = context.read_file(*path);
  if (!bytes) {
    context.mistakes.add(
        node, fmt::format("cannot read {}: {}", json::quote(*path), bytes.error().message));
    return std::nullopt;
  }
  const bool is_json = path->ends_with(".json");
  return bytes_body(std::move(*bytes), is_json ? "application/json" : "application/octet-stream");
}

}  // namespace

std::optional<Body> read_body(ObjectReader& reader, const Context& context) {
  reader.exclusive({"body", "json", "body_size", "body_file"}, "an answer has one body");
  std::optional<Body> body;
  if (const Node* node = reader.optional("body")) {
    auto text = read_template(*node, context.mistakes);
    if (text) body = text_body(std::move(*text), "text/plain; charset=utf-8");
  }
  if (const Node* node = reader.optional("json")) {
    body = text_body(json_template(*node, context.mistakes), "application/json");
    body->escapes_json = true;
  }
  if (const Node* node = reader.optional("body_size")) body = read_filler(*node, context.mistakes);
  if (const Node* node = reader.optional("body_file")) body = read_body_file(*node, context);
  return body;
}

}  // namespace retrylab::scenario::decode
