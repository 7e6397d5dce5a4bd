// SPDX-License-Identifier: MIT
// The shop's payment client: pay URL makes one payment.
#include <httplib.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <random>
#include <string>
#include <thread>

using std::chrono::milliseconds;

namespace {

constexpr int kAttempts = 4;
constexpr milliseconds kBase{250};
constexpr milliseconds kCap{8000};

std::mt19937_64& random_source() {
  static std::mt19937_64 source{std::random_device{}()};
  return source;
}

// One key per payment, whatever happens.
std::string new_key() {
  return std::to_string(random_source()()) + "-" + std::to_string(random_source()());
}

// The wait before the attempt of this number; nothing when the server asks for more than we can.
std::optional<milliseconds> wait_before(int attempt, const std::string& retry_after) {
  const bool digits =
      !retry_after.empty() && std::all_of(retry_after.begin(), retry_after.end(),
                                          [](char c) { return c >= '0' && c <= '9'; });
  if (digits) {
    if (retry_after.size() > 4) return std::nullopt;
    const milliseconds asked{std::stol(retry_after) * 1000};
    return asked <= kCap ? std::optional(asked) : std::nullopt;
  }
  const milliseconds ceiling = std::min(kCap, kBase * (1 << (attempt - 2)));
  return milliseconds{std::uniform_int_distribution<long>(0, ceiling.count())(random_source())};
}

bool transient(const httplib::Result& answer) {
  return !answer || answer->status == 429 || (answer->status >= 502 && answer->status <= 504);
}

// Whether the payment was made.
bool pay(const std::string& url) {
  const httplib::Headers headers{{"Idempotency-Key", new_key()}};
  for (int attempt = 1;; ++attempt) {
    httplib::Client client(url);
    client.set_read_timeout(10);
    const auto answer =
        client.Post("/v1/payments", headers, R"({"amount": 5})", "application/json");
    if (!transient(answer)) return answer->status == 201;
    const auto wait =
        wait_before(attempt + 1, answer ? answer->get_header_value("Retry-After") : "");
    if (attempt == kAttempts || !wait) return false;
    std::this_thread::sleep_for(*wait);
  }
}

}  // namespace

int main(int, char** arguments) {
  return pay(arguments[1]) ? 0 : 1;
}
