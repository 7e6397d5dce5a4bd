// SPDX-License-Identifier: MIT
#include "server/cli/network_argument.h"

#include <charconv>
#include <cmath>
#include <numeric>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "client_lib/base/duration_text.h"

namespace retrylab::cli {
namespace {

tl::unexpected<Error> wrong_network(const std::string& text, std::string_view why) {
  return fail(
      ErrorCode::invalid_argument, "--network",
      fmt::format("\"{}\": {}; it is 10ms, normal:10ms,2ms or exponential:10ms", text, why));
}

std::optional<double> number_in(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

Result<sim::Network> network_argument(const std::string& text) {
  const auto colon = text.find(':');
  const std::string kind = colon == std::string::npos ? "fixed" : text.substr(0, colon);
  std::string mean = colon == std::string::npos ? text : text.substr(colon + 1);
  sim::Network network;
  if (kind == "normal") {
    const auto comma = mean.find(',');
    if (comma == std::string::npos) return wrong_network(text, "the deviation is missing");
    const auto deviation = parse_duration(mean.substr(comma + 1));
    if (!deviation) return wrong_network(text, deviation.error().message);
    network.delay = sim::Network::Delay::normal;
    network.deviation = *deviation;
    mean.resize(comma);
  } else if (kind == "exponential") {
    network.delay = sim::Network::Delay::exponential;
  } else if (kind != "fixed") {
    return wrong_network(text, "no such kind");
  }
  const auto one_way = parse_duration(mean);
  if (!one_way) return wrong_network(text, one_way.error().message);
  network.one_way = *one_way;
  return network;
}

Result<Ratio> loss_argument(const std::string& text) {
  constexpr std::uint64_t kParts = 1'000'000'000;
  std::string_view number = text;
  double scale = 1;
  if (number.ends_with('%')) {
    number.remove_suffix(1);
    scale = 100;
  } else if (const auto slash = number.find('/'); slash != std::string_view::npos) {
    scale = number_in(number.substr(slash + 1)).value_or(0);
    number = number.substr(0, slash);
  }
  const auto value = number_in(number);
  if (!value || !(scale > 0) || !(*value >= 0) || !(*value / scale < 1)) {
    return fail(
        ErrorCode::invalid_argument, "--loss",
        fmt::format("\"{}\" is not a probability from 0 to below 1: 0.01, 1% or 1/100", text));
  }
  const auto part = static_cast<std::uint64_t>(std::llround(*value / scale * kParts));
  const std::uint64_t common = std::gcd(part, kParts);
  return Ratio{part / common, kParts / common};
}

std::string describe(const sim::Network& network) {
  const std::string mean = format_duration(network.one_way);
  std::string text = mean + " each way";
  if (network.delay == sim::Network::Delay::normal) {
    text = fmt::format("normal {} with sd {} each way", mean, format_duration(network.deviation));
  }
  if (network.delay == sim::Network::Delay::exponential) text = "exponential " + text;
  if (network.loss.part == 0) return text;
  return text + fmt::format(", {} of {} lost", network.loss.part, network.loss.whole);
}

}  // namespace retrylab::cli
