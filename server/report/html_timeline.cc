// SPDX-License-Identifier: MIT
#include "server/report/html_timeline.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "client_lib/base/duration_text.h"
#include "client_lib/retry/retry_after.h"
#include "server/report/html_ticks.h"
#include "server/report/markup.h"
#include "server/report/story.h"
#include "server/verify/settings.h"

namespace retrylab::report {
namespace {

constexpr std::size_t kOperationsShown = 40;
constexpr std::size_t kRowsShown = 60;  // of one operation

// The time that an operation's rows share.
struct Axis {
  Instant from;
  Instant until;

  double percent(Instant at) const {
    const auto whole = static_cast<double>((until - from).count());
    return std::clamp(100.0 * static_cast<double>((at - from).count()) / whole, 0.0, 100.0);
  }
};

// When the server was done with it, as far as is known.
Instant end_of(const journal::Attempt& attempt) {
  const auto& delivered = attempt.delivered;
  Instant end = attempt.body_read.value_or(attempt.head_read);
  for (const auto& at : {delivered.r_max, delivered.peer_left, delivered.ended}) {
    if (at) return std::max(end, *at);
  }
  return end;
}

std::string status_class(const journal::Attempt& attempt) {
  const auto& planned = attempt.planned;
  if (planned.status == 0 || !planned.faults.empty()) return "fault";
  return fmt::format("s{}", planned.status / 100);
}

std::string span(std::string_view kind, const Axis& axis, Instant from, Instant until,
                 std::string_view title) {
  const double left = axis.percent(from);
  return fmt::format("<i class=\"{}\" style=\"left:{:.3f}%;width:{:.3f}%\" title=\"{}\"></i>", kind,
                     left, std::max(axis.percent(until) - left, 0.0), escaped(title));
}

// One operation while its rows are written.
class Lane {
 public:
  Lane(const Report& report, const verify::Operation& operation, const Lookup& lookup)
      : run_(*lookup.run(operation.run)), settings_(verify::settle(report.scenario)) {
    for (const auto& ref : operation.attempts) {
      if (const auto* attempt = lookup.attempt(ref)) attempts_.push_back(attempt);
    }
    for (const auto& rule : report.verdict.rules) {
      if (rule.status != verify::Status::fail) continue;
      for (const auto& ref : rule.attempts) blamed_.emplace(ref.run, ref.attempt);
    }
    if (attempts_.empty()) return;
    // One axis for all operations of a run, so that they can be compared.
    axis_ = {run_.attempts.front().first_byte, run_.attempts.front().first_byte};
    for (const auto& attempt : run_.attempts) {
      axis_.from = std::min(axis_.from, attempt.first_byte);
      axis_.until = std::max(axis_.until, end_of(attempt));
    }
    axis_.until +=
        std::max<Duration>((axis_.until - axis_.from) / 50, std::chrono::microseconds(50));
  }

  std::string html(std::string_view heading) const {
    if (attempts_.empty()) return "";
    std::string text = fmt::format("<section class=\"lane\"><h3>{}</h3>{}", heading, ticks());
    for (std::size_t i = 0; i < std::min(attempts_.size(), kRowsShown); ++i) text += row(i);
    if (attempts_.size() > kRowsShown) {
      text += fmt::format("<p class=\"more\">{} more attempts are in the JSON report.</p>",
                          attempts_.size() - kRowsShown);
    }
    return text + "</section>\n";
  }

 private:
  std::string ticks() const {
    std::string text = "<div class=\"row axis\"><span></span><span class=\"track\">";
    const Duration from = since_zero(run_, axis_.from);
    for (const Duration tick : round_ticks(from, since_zero(run_, axis_.until))) {
      const double left = axis_.percent(axis_.from + (tick - from));
      const std::string_view side = left < 4    ? " class=\"first\""
                                    : left > 95 ? " class=\"last\""
                                                : "";
      text += fmt::format("<b{} style=\"left:{:.2f}%\">{}</b>", side, left, format_measured(tick));
    }
    return text + "</span></div>\n";
  }

  std::string row(std::size_t i) const {
    const auto& attempt = *attempts_[i];
    const bool blamed = blamed_.contains({attempt.run, attempt.id});
    std::string text = fmt::format(
        "<details id=\"{}\"{}><summary class=\"row\"><span class=\"what\"><em>{}</em> {} → "
        "{}</span>"
        "<span class=\"track\">",
        html_anchor({attempt.run, attempt.id}), blamed ? " class=\"blamed\"" : "", attempt.id,
        escaped(request_words(attempt)),
        attempt.planned.status == 0 ? "nothing" : fmt::format("{}", attempt.planned.status));
    if (i > 0) text += windows(i);
    text += span("bar " + status_class(attempt), axis_, attempt.first_byte, end_of(attempt),
                 server_words(run_, attempt));
    text += "</span></summary>" + facts(i) + "</details>\n";
    return text;
  }

  // Where this retry was asked to be: from the answer before it.
  std::string windows(std::size_t i) const {
    const auto& before = *attempts_[i - 1];
    const auto answered =
        before.delivered.r_min ? before.delivered.r_min : before.delivered.peer_left;
    if (!answered) return "";
    std::string text;
    const auto asked = find_retry_after(before.planned.retry_after,
                                        run_.wall_origin + answered->time_since_epoch());
    if (asked.valid() && asked.wait > Duration(0)) {
      const bool is_cut = saturating_add(*answered, asked.wait) > axis_.until;
      text += span(is_cut ? "must-wait cut" : "must-wait", axis_, *answered,
                   saturating_add(*answered, asked.wait), "Retry-After: no attempt in here");
    } else if (const auto band =
                   verify::wait_band(settings_, static_cast<std::uint32_t>(i), std::nullopt)) {
      text += span("allowed", axis_, saturating_add(*answered, band->least),
                   saturating_add(*answered, band->most), "the declared backoff puts it in here");
    }
    return text;
  }

  std::string facts(std::size_t i) const {
    const auto& attempt = *attempts_[i];
    std::string text = "<dl>";
    const auto add = [&](std::string_view name, const std::string& value) {
      if (!value.empty()) text += fmt::format("<dt>{}</dt><dd>{}</dd>", name, escaped(value));
    };
    add("server", server_words(run_, attempt));
    add("arrived", format_measured(since_zero(run_, attempt.first_byte)));
    if (i > 0) {
      if (const auto between = gap(*attempts_[i - 1], attempt)) {
        add("gap", format_measured(*between));
      }
    }
    add("connection",
        fmt::format("{}, request {}", attempt.connection, attempt.number_on_connection));
    add("key", attempt.key);
    add("step", attempt.planned.step);
    return text + fmt::format("</dl><pre>{}</pre>", escaped(crlf_to_lf(attempt.head)));
  }

  static std::string crlf_to_lf(std::string head) {
    std::erase(head, '\r');
    return head;
  }

  const journal::Run& run_;
  verify::Settings settings_;
  std::vector<const journal::Attempt*> attempts_;
  std::set<std::pair<std::uint32_t, journal::AttemptId>> blamed_;
  Axis axis_;
};

}  // namespace

std::string html_anchor(verify::AttemptRef ref) {
  return fmt::format("a-{}-{}", ref.run, ref.attempt);
}

std::string html_timeline(const Report& report) {
  const Lookup lookup(report.runs);
  const auto& operations = report.verdict.operations;
  std::string text;
  for (std::size_t i = 0; i < std::min(operations.size(), kOperationsShown); ++i) {
    const auto& operation = operations[i];
    auto heading = operations.size() == 1
                       ? std::string("Attempts")
                       : fmt::format("Run {}, operation {}", operation.run, operation.number);
    if (!operation.name.empty()) heading += fmt::format(" ({})", escaped(operation.name));
    text += Lane(report, operation, lookup).html(heading);
  }
  if (operations.size() > kOperationsShown) {
    text += fmt::format("<p class=\"more\">{} more operations are in the JSON report.</p>\n",
                        operations.size() - kOperationsShown);
  }
  return text.empty() ? "<p>No attempt arrived.</p>\n" : text;
}

}  // namespace retrylab::report
