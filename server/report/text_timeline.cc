// SPDX-License-Identifier: MIT
#include "server/report/text_timeline.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "client_lib/base/duration_text.h"
#include "server/report/story.h"

namespace retrylab::report {
namespace {

constexpr std::size_t kOperationsShown = 3;
constexpr std::size_t kRowsShown = 30;
constexpr std::size_t kNarrow = 72;
constexpr std::size_t kTimeWidth = 9;
constexpr std::size_t kGapWidth = 10;

struct Row {
  bool blamed = false;
  std::string id;
  Duration time{0};
  std::optional<Duration> gap;
  std::string request;
  std::string server;
};

// What one heading stands over: an operation, or what belongs to none.
struct Section {
  std::uint32_t run = 1;
  std::string heading;
  std::vector<Row> rows;
  bool blamed = false;
};

using Blamed = std::set<std::pair<std::uint32_t, journal::AttemptId>>;

Blamed find_blamed(const verify::Verdict& verdict) {
  Blamed blamed;
  for (const auto& rule : verdict.rules) {
    if (rule.status != verify::Status::fail) continue;
    for (const auto& ref : rule.attempts) blamed.emplace(ref.run, ref.attempt);
  }
  return blamed;
}

Row attempt_row(const journal::Run& run, const journal::Attempt& attempt, const Blamed& blamed) {
  return {.blamed = blamed.contains({run.number, attempt.id}),
          .id = fmt::format("{}", attempt.id),
          .time = since_zero(run, attempt.first_byte),
          .gap = std::nullopt,
          .request = request_words(attempt),
          .server = server_words(run, attempt)};
}

Row connection_row(const journal::Run& run, const journal::Connection& connection) {
  return {.blamed = false,
          .id = "-",
          .time = since_zero(run, connection.accepted),
          .gap = std::nullopt,
          .request = fmt::format("connection {}", connection.id),
          .server = fmt::format("{}{}", fmt::join(connection.planned_faults, ", "),
                                connection.faults_delivered ? "" : " (not delivered)")};
}

bool cut_before_request(const journal::Connection& connection) {
  return connection.requests == 0 && !connection.planned_faults.empty();
}

std::string gap_words(const std::optional<Duration>& gap) {
  if (!gap) return "";
  return *gap < Duration(0) ? "overlaps" : "+" + format_measured(*gap);
}

Section operation_section(const verify::Operation& operation, const Lookup& lookup,
                          const Blamed& blamed) {
  Section section{.run = operation.run, .heading = {}, .rows = {}, .blamed = false};
  section.heading = fmt::format("run {}, operation {}", operation.run, operation.number);
  if (!operation.name.empty()) section.heading += fmt::format(" ({})", printable(operation.name));
  const journal::Attempt* before = nullptr;
  for (const auto& ref : operation.attempts) {
    const journal::Attempt* attempt = lookup.attempt(ref);
    if (attempt == nullptr) continue;
    section.rows.push_back(attempt_row(*lookup.run(ref.run), *attempt, blamed));
    if (before != nullptr) section.rows.back().gap = gap(*before, *attempt);
    before = attempt;
    section.blamed = section.blamed || section.rows.back().blamed;
  }
  return section;
}

// Attempts of no operation and connections that the connections script cut.
Section loose_section(const journal::Run& run, const verify::Verdict& verdict,
                      const Blamed& blamed) {
  std::set<journal::AttemptId> grouped;
  for (const auto& operation : verdict.operations) {
    if (operation.run != run.number) continue;
    for (const auto& ref : operation.attempts) grouped.insert(ref.attempt);
  }
  Section section{.run = run.number, .heading = {}, .rows = {}, .blamed = false};
  section.heading = fmt::format("run {}, outside any operation", run.number);
  for (const auto& attempt : run.attempts) {
    if (grouped.contains(attempt.id)) continue;
    section.rows.push_back(attempt_row(run, attempt, blamed));
    section.blamed = section.blamed || section.rows.back().blamed;
  }
  for (const auto& connection : run.connections) {
    if (cut_before_request(connection)) section.rows.push_back(connection_row(run, connection));
  }
  std::ranges::stable_sort(section.rows, {}, &Row::time);
  return section;
}

// A run of one operation is one story: what belongs to no operation is told with it.
void fold_into_only_operation(std::vector<Section>& operations, Section& loose) {
  const auto of_run = [&](const Section& section) { return section.run == loose.run; };
  if (std::ranges::count_if(operations, of_run) != 1) return;
  Section& only = *std::ranges::find_if(operations, of_run);
  std::ranges::move(loose.rows, std::back_inserter(only.rows));
  std::ranges::stable_sort(only.rows, {}, &Row::time);
  only.blamed = only.blamed || loose.blamed;
  loose.rows.clear();
}

std::vector<Section> find_sections(const Report& report) {
  const Lookup lookup(report.runs);
  const Blamed blamed = find_blamed(report.verdict);
  std::vector<Section> sections;
  for (const auto& operation : report.verdict.operations) {
    sections.push_back(operation_section(operation, lookup, blamed));
  }
  std::vector<Section> loose;
  for (const auto& run : report.runs) {
    loose.push_back(loose_section(run, report.verdict, blamed));
    fold_into_only_operation(sections, loose.back());
  }
  std::ranges::move(loose, std::back_inserter(sections));
  std::erase_if(sections, [](const Section& section) { return section.rows.empty(); });
  std::ranges::stable_sort(sections, {}, &Section::run);
  return sections;
}

// The blamed ones first, then the earliest; in their old order. One is enough when all is well.
std::vector<Section> choose(std::vector<Section> sections, bool all) {
  if (all || sections.size() <= kOperationsShown) return sections;
  const auto blamed = static_cast<std::size_t>(std::ranges::count_if(sections, &Section::blamed));
  std::stable_partition(sections.begin(), sections.end(), std::mem_fn(&Section::blamed));
  sections.resize(std::clamp<std::size_t>(blamed, 1, kOperationsShown));
  return sections;
}

class Table {
 public:
  Table(TextPage& page, std::span<const Section> sections) : page_(page) {
    for (const auto& section : sections) {
      for (const auto& row : section.rows) {
        id_width_ = std::max(id_width_, row.id.size());
        request_width_ = std::max(request_width_, display_width(row.request));
      }
    }
    const std::size_t left = 2 + id_width_ + 1 + kTimeWidth + 1 + kGapWidth + 2;
    const std::size_t width = page.options().width;
    request_width_ = std::min(request_width_, width > left ? (width - left) / 2 : 0);
    server_at_ = left + request_width_ + 2;
  }

  void heading() {
    if (narrow()) return;
    page_.line(
        page_.paint(fmt::format("  {} {} {}  {}  {}", right_aligned("#", id_width_),
                                right_aligned("time", kTimeWidth), right_aligned("gap", kGapWidth),
                                padded("attempt", request_width_), "what the server did"),
                    Paint::dim));
  }

  void row(const Row& row) {
    const std::string mark = row.blamed ? page_.paint("✗", Paint::red) : std::string(" ");
    const std::string id = right_aligned(row.id, id_width_);
    const std::string time = time_words(row.time);
    if (narrow()) {
      const auto gap = row.gap ? fmt::format("  {}", gap_words(row.gap)) : "";
      page_.line(fmt::format("{} {} {}{}", mark, id, time, gap));
      indented(row.request, 4 + id_width_);
      indented(row.server, 4 + id_width_, Paint::dim);
      return;
    }
    const auto lines = wrapped(row.server, server_width());
    page_.line(fmt::format("{} {} {} {}  {}  {}", mark, id, right_aligned(time, kTimeWidth),
                           right_aligned(gap_words(row.gap), kGapWidth),
                           padded(clipped(row.request, request_width_), request_width_),
                           lines.front()));
    for (std::size_t i = 1; i < lines.size(); ++i) {
      page_.line(std::string(server_at_, ' ') + lines[i]);
    }
  }

 private:
  bool narrow() const { return page_.options().width < kNarrow; }
  std::size_t server_width() const {
    const std::size_t width = page_.options().width;
    return width > server_at_ ? width - server_at_ : 1;
  }
  static std::string time_words(Duration time) {
    // Rounded: with "clock": "ready" a time may lie just before zero, and "-0.000s" would not do.
    const auto ms = std::chrono::round<std::chrono::milliseconds>(time).count();
    return fmt::format("{:.3f}s", static_cast<double>(ms) / 1e3);
  }
  void indented(std::string_view text, std::size_t indent, Paint paint = Paint::plain) {
    const std::size_t width = page_.options().width;
    for (const auto& line : wrapped(text, width > indent ? width - indent : 1)) {
      page_.line(std::string(indent, ' ') + page_.paint(line, paint));
    }
  }

  TextPage& page_;
  std::size_t id_width_ = 1;
  std::size_t request_width_ = 7;
  std::size_t server_at_ = 0;
};

void write_rows(const std::vector<Row>& rows, Table& table, TextPage& page) {
  const bool all = page.options().verbose || rows.size() <= kRowsShown;
  const std::size_t from_end = all ? 0 : kRowsShown / 3;
  const std::size_t from_start = all ? rows.size() : kRowsShown - from_end;
  for (std::size_t i = 0; i < from_start; ++i) table.row(rows[i]);
  if (all) return;
  page.line(page.paint(
      fmt::format("    … {} more (--verbose shows them)", rows.size() - kRowsShown), Paint::dim));
  for (std::size_t i = rows.size() - from_end; i < rows.size(); ++i) table.row(rows[i]);
}

}  // namespace

void write_timeline(const Report& report, TextPage& page) {
  const auto sections = find_sections(report);
  const auto shown = choose(sections, page.options().verbose);
  if (shown.empty()) {
    page.line("  no attempt arrived");
    return;
  }
  Table table(page, shown);
  table.heading();
  for (const auto& section : shown) {
    if (sections.size() > 1) page.line(page.paint("  " + section.heading, Paint::bold));
    write_rows(section.rows, table, page);
  }
  if (shown.size() < sections.size()) {
    page.line(page.paint(fmt::format("  … and {} (--verbose shows them)",
                                     counted(sections.size() - shown.size(), "more operation")),
                         Paint::dim));
  }
}

}  // namespace retrylab::report
