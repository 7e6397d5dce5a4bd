// SPDX-License-Identifier: MIT
// /runs/{id}/verdict: the verdict so far, at once or when conditions are met.
#include <chrono>
#include <optional>
#include <string>
#include <utility>

#include "server/control/endpoints/endpoints.h"
#include "server/control/json_text.h"
#include "server/control/query.h"
#include "server/control/wait.h"
#include "server/report/json.h"
#include "server/report/text.h"
#include "server/verify/verdict.h"

namespace retrylab::control::endpoints {
namespace {

constexpr Duration kTimeout = std::chrono::seconds(10);
constexpr Duration kTimeoutMax = std::chrono::minutes(5);

struct Wish {
  RunId id = 0;
  std::string wait;  // "" : none
  Conditions conditions;
  Duration timeout = kTimeout;
  bool as_text = false;
  bool with_attempts = true;
};

Expected<bool> is_text(const Query& query) {
  const auto format = query.text("format").value_or("json");
  if (format == "text" || format == "json") return format == "text";
  return problem(Problem::Type::invalid_request,
                 "query parameter format: expected json or text, found \"" + format + "\"");
}

Expected<bool> read_attempts(const Query& query) {
  const auto attempts = query.text("attempts").value_or("true");
  if (attempts == "true" || attempts == "false") return attempts == "true";
  return problem(Problem::Type::invalid_request,
                 "query parameter attempts: expected true or false, found \"" + attempts + "\"");
}

Expected<Wish> read_wish(const Call& call) {
  const auto query = Query::read(call.request, {"wait", "timeout", "format", "attempts"});
  if (!query) return tl::unexpected(query.error());
  const auto as_text = is_text(*query);
  if (!as_text) return tl::unexpected(as_text.error());
  const auto attempts = read_attempts(*query);
  if (!attempts) return tl::unexpected(attempts.error());
  const auto timeout = query->duration("timeout");
  if (!timeout) return tl::unexpected(timeout.error());
  const auto id = run_id(call.parameter);
  if (!id) return tl::unexpected(id.error());
  Wish wish{.id = *id,
            .wait = query->text("wait").value_or(""),
            .as_text = *as_text,
            .with_attempts = *attempts};
  wish.timeout = timeout->value_or(kTimeout);
  if (wish.timeout > kTimeoutMax) {
    return problem(Problem::Type::invalid_request, "query parameter timeout: at most 5m");
  }
  if (!query->text("wait")) return wish;
  auto conditions = parse_conditions(wish.wait);
  if (!conditions) return tl::unexpected(std::move(conditions.error()));
  wish.conditions = *conditions;
  return wish;
}

Expected<std::optional<Waited>> wait_for(const Wish& wish, Call& call) {
  if (wish.wait.empty()) return std::nullopt;
  auto place = take_place(call);
  if (!place) return tl::unexpected(std::move(place.error()));
  auto waited = wait(wish.conditions, wish.timeout, wish.id, call.context);
  if (!waited) return tl::unexpected(std::move(waited.error()));
  return *waited;
}

Json wait_json(const Wish& wish, const std::optional<Waited>& waited) {
  if (!waited) return nullptr;
  return {{"for", wish.wait},
          {"met", waited->met},
          {"waited_ms", std::chrono::duration<double, std::milli>(waited->time).count()}};
}

// The report with one member more, as its last.
std::string with_wait(std::string report, const Json& wait) {
  report.erase(report.rfind('\n', report.rfind('}')));
  return report + ",\n  \"wait\": " + wait.dump() + "\n}\n";
}

}  // namespace

Expected<Answer> get_verdict(Call& call) {
  const auto wish = read_wish(call);
  if (!wish) return tl::unexpected(wish.error());
  const auto waited = wait_for(*wish, call);
  if (!waited) return tl::unexpected(waited.error());
  const auto evidence = call.context.runs.evidence(wish->id);
  if (!evidence) return tl::unexpected(evidence.error());
  const std::span<const journal::Run> runs(&evidence->run, 1);
  const auto verdict = verify::verify(*evidence->scenario, runs);
  const report::Report report{*evidence->scenario, runs, verdict};
  if (wish->as_text) {
    return Answer{.content_type = "text/plain; charset=utf-8",
                  .body = report::text_report(report, {})};
  }
  auto document = wish->with_attempts ? report::json_report(report) : report::json_summary(report);
  return Answer{.content_type = "application/json",
                .body = with_wait(std::move(document), wait_json(*wish, *waited))};
}

}  // namespace retrylab::control::endpoints
