// SPDX-License-Identifier: MIT
// Clients that may do twice what was wanted once.
#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "client_lib/base/sha256.h"
#include "tests/zoo/wrong_client.h"

namespace retrylab::zoo {
namespace {

using namespace std::chrono_literals;
using MakeKey = std::function<std::string(const Progress&, Random&)>;

constexpr const char* kPost = "POST /v1/payments";
constexpr const char* kPayment = R"("creates": "payment", "idempotency": {},)";
constexpr const char* kNoStore = R"("creates": "payment",)";

Stage payment(const std::string& script) {
  return {.on = kPost, .script = script, .route = kPayment};
}
Stage unprotected(const std::string& script) {
  return {.on = kPost, .script = script, .route = kNoStore};
}
std::string lost(const std::string& fault) {
  return R"([{"status": 201, "body": "paid", "fault": )" + fault + "}, 201]";
}

// Repeats a POST that no key protects.
void repeats_without_key(Habits& habits) {
  habits.retries = [](const Progress& progress) { return progress.status() != 400; };
}

// The key of the coming attempt, made from the first one's.
auto changes_key(std::function<std::string(const Progress&, Random&, const MakeKey& right)> wrong) {
  return [wrong](Habits& habits) {
    habits.key = [wrong, right = habits.key](const Progress& progress, Random& random) {
      return wrong(progress, random, right);
    };
  };
}

// Makes the request anew for each retry.
auto sends(std::function<void(const Progress&, sim::Send&)> change) {
  return [change](Habits& habits) {
    habits.request = [change, right = habits.request](const Progress& progress) {
      sim::Send request = right(progress);
      if (progress.sent > 0) change(progress, request);
      return request;
    };
  };
}

std::string another_key(const Progress& progress, Random& random, const MakeKey& right) {
  Progress first = progress;
  first.sent = 0;
  return right(first, random);
}

std::string upper(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}

}  // namespace

std::vector<WrongClient> wrong_idempotency() {
  return {
      {.name = "pays-again-after-a-reset",
       .mistake = "repeats a POST without a key though it may have been executed",
       .rule = "ID-1",
       .stage = unprotected(lost(R"({"do": "reset", "at": "response_start"})")),
       .change = repeats_without_key},
      {.name = "pays-again-after-a-cut-answer",
       .mistake = "repeats a POST without a key after a truncated 201",
       .rule = "ID-1",
       .stage = unprotected(lost(R"({"do": "close", "at": {"body_byte": 2}})")),
       .change = repeats_without_key},
      {.name = "pays-again-after-504",
       .mistake = "takes a gateway's 504 for \"nothing happened\"",
       .rule = "ID-1",
       .stage = unprotected("[504, 201]"),
       .change = repeats_without_key},
      {.name = "pays-again-after-a-timeout",
       .mistake = "repeats a POST without a key when no answer came in time",
       .rule = "ID-1",
       .stage = unprotected(R"([{"status": 201, "delay": "15s"}, 201])"),
       .change = repeats_without_key},
      {.name = "patches-again-after-502",
       .mistake = "takes PATCH for an idempotent method",
       .rule = "ID-1",
       .stage = {.on = "PATCH /v1/payments/7", .script = "[502, 200]"},
       .change = repeats_without_key},
      {.name = "trusts-a-key-nobody-keeps",
       .mistake = "sends a key where the server has no use for it, and repeats its POST",
       .rule = "ID-1",
       .stage = unprotected("[504, 201]"),
       .change =
           [](Habits& h) {
             repeats_without_key(h);
             h.request = [right = h.request](const Progress& p) {
               sim::Send request = right(p);
               request.headers.push_back(
                   {"Idempotency-Key", "a6b8c1de-7f8e-4b0c-8f0a-6e1d2c3b4a59"});
               return request;
             };
           }},
      {.name = "repeats-a-post-on-429",
       .mistake = "repeats a POST without a key on 429",
       .rule = "ID-2",
       .stage = unprotected("[429, 201]"),
       .change = repeats_without_key},
      {.name = "repeats-a-post-on-503",
       .mistake = "repeats a POST without a key on 503",
       .rule = "ID-2",
       .stage = unprotected("[503, 201]"),
       .change = repeats_without_key},
      {.name = "makes-a-key-per-attempt",
       .mistake = "makes the key inside the retry loop",
       .rule = "ID-3",
       .stage = payment("[503, 503, 201]"),
       .change = changes_key(another_key)},
      {.name = "changes-its-key-after-a-timeout",
       .mistake = "keeps the key after an answer, makes a new one after a timeout",
       .rule = "ID-3",
       .stage = payment(R"([503, {"status": 503, "delay": "15s"}, 201])"),
       .change = changes_key([](const Progress& p, Random& random, const MakeKey& right) {
         const bool timed_out = p.outcome.failure == Failure::timeout;
         return timed_out ? another_key(p, random, right) : right(p, random);
       })},
      {.name = "forgets-its-key-on-the-retry",
       .mistake = "sends the key with the first attempt only",
       .rule = "ID-3",
       .stage = payment("[503, 201]"),
       .change = changes_key([](const Progress& p, Random& random, const MakeKey& right) {
         return p.sent == 0 ? right(p, random) : "";
       })},
      {.name = "writes-its-key-in-capitals",
       .mistake = "the retry's key has the same letters in another case",
       .rule = "ID-3",
       .stage = payment("[503, 201]"),
       .change = changes_key([](const Progress& p, Random& random, const MakeKey& right) {
         return p.sent == 0 ? right(p, random) : upper(p.key);
       })},
      {.name = "has-one-key-for-everything",
       .mistake = "uses the same key for every operation",
       .rule = "ID-4",
       .stage = payment("[503, 201]"),
       .change = changes_key([](const Progress&, Random&, const MakeKey&) {
         return "1e7d5bb2-4c1a-4a6e-9f0e-0d3a5c8b7f21";
       }),
       .visit = {.runs = 3}},
      {.name = "makes-its-key-of-the-body",
       .mistake = "hashes the payload: the same payment twice has one key",
       .rule = "ID-4",
       .stage = payment("[503, 201]"),
       .change = changes_key([](const Progress& p, Random&, const MakeKey&) {
         return to_hex(sha256(p.call.body)).substr(0, 32);
       }),
       .visit = {.runs = 3}},
      {.name = "outlives-its-key",
       .mistake = "retries after the server has forgotten the key",
       .rule = "ID-8",
       .stage = {.on = kPost,
                 .script = lost(R"({"do": "reset", "at": "response_start"})"),
                 .route = R"("creates": "payment", "idempotency": {"ttl": "1s"},)"},
       .change =
           [](Habits& h) { h.backoff = [](const Progress&, Random&) { return Duration{2s}; }; }},
      {.name = "writes-the-time-into-the-body",
       .mistake = "renders the body anew for each attempt",
       .rule = "ID-5",
       .stage = payment("[503, 201]"),
       .change = sends([](const Progress& p, sim::Send& request) {
         request.body =
             fmt::format(R"({{"amount":100,"at":{}}})", p.now.time_since_epoch().count());
       })},
      {.name = "sends-an-empty-body-again",
       .mistake = "the first attempt has used the body up",
       .rule = "ID-5",
       .stage = payment("[503, 201]"),
       .change = sends([](const Progress&, sim::Send& request) { request.body.clear(); })},
      {.name = "counts-attempts-in-the-query",
       .mistake = "changes the target from attempt to attempt",
       .rule = "ID-5",
       .stage = payment("[503, 201]"),
       .change = sends([](const Progress& p, sim::Send& request) {
         request.target += fmt::format("?attempt={}", p.sent + 1);
       })},
      {.name = "writes-a-novel-for-a-key",
       .mistake = "its key is longer than servers take",
       .rule = "ID-6",
       .stage = payment("[503, 201]"),
       .change = changes_key([](const Progress& p, Random& random, const MakeKey& right) {
         std::string key = right(p, random);
         key.resize(300, 'x');
         return key;
       })},
      {.name = "forgets-the-quotes",
       .mistake = "sends a bare key where a structured-field string is required",
       .rule = "ID-6",
       .stage = {.on = kPost,
                 .script = "[201]",
                 .route = R"("creates": "payment", "idempotency": {"syntax": "strict"},)"},
       .change = changes_key([](const Progress& p, Random& random, const MakeKey& right) {
         const std::string key = right(p, random);
         return key.substr(1, key.size() - 2);
       })},
      {.name = "insists-without-a-key",
       .mistake = "sends no key, and repeats the request that was refused for it",
       .rule = "ID-7",
       .stage = {.on = kPost,
                 .script = "[201]",
                 .route = R"("creates": "payment", "idempotency": {"required": true},)"},
       .change =
           [](Habits& h) {
             h.key = [](const Progress&, Random&) { return std::string(); };
             h.retries = [](const Progress& p) { return p.status() == 400; };
           }},
      {.name = "hammers-on-a-409",
       .mistake = "asks again at once while its own first attempt is in progress",
       .rule = "ID-7",
       .stage = payment(R"([{"status": 201, "delay": "12s"}])"),
       .change =
           [](Habits& h) {
             h.backoff = [right = h.backoff](const Progress& p, Random& random) {
               const Duration wait = right(p, random);
               return p.status() == 409 ? Duration{0} : wait;
             };
           },
       .jitter = scenario::Jitter::equal},
      {.name = "takes-a-replay-for-an-error",
       .mistake = "does not accept an answer that is marked as replayed",
       .rule = "ID-9",
       .stage = payment(lost(R"({"do": "reset", "at": "response_start"})")),
       .change =
           [](Habits& h) {
             const auto is_replayed = [](const Progress& p) {
               return find_header(p.outcome.response.headers, "Idempotent-Replayed").has_value();
             };
             h.accepts = [is_replayed, right = h.accepts](const Progress& p) {
               return right(p) && !is_replayed(p);
             };
             h.retries = [is_replayed, right = h.retries](const Progress& p) {
               return is_replayed(p) || right(p);
             };
           }},
      {.name = "takes-an-old-key-again",
       .mistake = "uses the key of an operation that is long over",
       .rule = "ID-10",
       .stage = {.on = kPost,
                 .script = "[201]",
                 .route = R"("creates": "payment", "idempotency": {"ttl": "1s"},)",
                 .expect = R"("operations": {"min": 2},)"},
       .change = changes_key([](const Progress&, Random&, const MakeKey&) {
         return "1e7d5bb2-4c1a-4a6e-9f0e-0d3a5c8b7f21";
       }),
       .visit = {.operations = 2, .every = 3s}},
  };
}

}  // namespace retrylab::zoo
