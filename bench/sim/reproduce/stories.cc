// SPDX-License-Identifier: MIT
// stories FOLDER: the naive cases as stories. Prints docs/herds.md and writes its charts to FOLDER.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "client_lib/base/duration_text.h"
#include "server/report/herd/chart.h"
#include "server/scenario/load.h"
#include "server/sim/herd.h"
#include "tests/server/sim/models/known_models.h"

namespace retrylab::sim {
namespace {

using report::Chart;
using std::chrono::milliseconds;
using std::chrono::seconds;

struct Told {
  std::string name;
  Measures measures;
};

struct Quantity {
  std::string_view title;
  std::string_view style;
  const std::vector<std::uint32_t>& (Measures::*values)() const;
  double scale;
};

constexpr Quantity kQuantities[] = {
    {"arrivals per 100 ms", "arrivals", &Measures::arrivals, 1},
    {"goodput per second", "goodput", &Measures::successes, 10},
};

double top_of(const std::vector<Told>& all, const Quantity& quantity) {
  double most = 0;
  for (const Told& told : all) {
    for (const std::uint32_t value : (told.measures.*quantity.values)()) {
      most = std::max(most, quantity.scale * value);
    }
  }
  return report::axis_top(most);
}

// One line of charts per policy, all with the same axes.
std::string picture(const std::vector<Told>& all, std::size_t bins) {
  constexpr double kTitle = 24;
  constexpr double kRow = report::kChartHeight + kTitle + 6;
  const double width = 2 * report::kChartWidth + 20;
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
      "height=\"{1}\"><style>text{{font:10px sans-serif;fill:#555}}.title{{font-weight:600;"
      "fill:#222}}.policy{{font:600 13px sans-serif;fill:#222}}line{{stroke:#999}}"
      ".arrivals{{fill:#3b6fb6}}.goodput{{fill:#3d8f5a}}</style>"
      "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
      width, kRow * static_cast<double>(all.size()));
  for (std::size_t row = 0; row < all.size(); ++row) {
    const double y = kRow * static_cast<double>(row);
    svg +=
        fmt::format("<text class=\"policy\" x=\"8\" y=\"{}\">{}</text>\n", y + 17, all[row].name);
    for (std::size_t column = 0; column < std::size(kQuantities); ++column) {
      const Quantity& quantity = kQuantities[column];
      const std::string place =
          fmt::format("x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" ",
                      (report::kChartWidth + 20) * static_cast<double>(column), y + kTitle,
                      report::kChartWidth, report::kChartHeight);
      svg += report::chart_svg({.title = quantity.title,
                                .style = quantity.style,
                                .values = (all[row].measures.*quantity.values)(),
                                .bins = bins,
                                .scale = quantity.scale,
                                .most = top_of(all, quantity),
                                .attributes = place});
    }
  }
  return svg + "</svg>\n";
}

void table(const std::vector<Told>& all) {
  fmt::print(
      "\n| | attempts per operation | success | served in vain | peak per 100 ms | p99 of "
      "successes | all over after |\n|---|---:|---:|---:|---:|---:|---:|\n");
  for (const Told& told : all) {
    const Summary summary = told.measures.summary();
    const auto operations = static_cast<double>(summary.operations);
    fmt::print("| {} | {:.2f} | {:.1f} % | {:.1f} % | {} | {} | {} |\n", told.name,
               static_cast<double>(summary.attempts) / operations,
               100 * static_cast<double>(summary.successes) / operations,
               100 * static_cast<double>(summary.wasted()) /
                   std::max(1.0, static_cast<double>(summary.served)),
               summary.peak_arrivals, format_measured(summary.completion_p99),
               format_measured(summary.end));
  }
}

bool tell(const std::string& folder, std::string_view name, const std::vector<Told>& all,
          std::size_t bins) {
  std::ofstream file(fmt::format("{}/{}.svg", folder, name));
  file << picture(all, bins);
  file.close();
  table(all);
  fmt::print("\n![{0}](herds/{0}.svg)\n", name);
  return static_cast<bool>(file);
}

Policy four_attempts(Backoff backoff) {
  Policy policy = immediate_retries(4);
  policy.attempt_timeout = seconds(1);
  policy.backoff = backoff;
  return policy;
}

// ---- A stumble of five seconds ----

Told stumble(std::string name, const Policy& policy) {
  Fleet fleet;
  fleet.clients = 20;
  fleet.policy = policy;
  fleet.arrivals = {
      .kind = Arrivals::Kind::poisson, .interval = milliseconds(20), .length = seconds(60)};
  fleet.network = {
      .delay = Network::Delay::normal, .one_way = milliseconds(5), .deviation = milliseconds(1)};
  fleet.recovery = Instant(seconds(15));
  QueueService server({.service_time = std::chrono::microseconds(800),
                       .queue = 2500,
                       .outage_from = Instant(seconds(10)),
                       .outage_until = Instant(seconds(15)),
                       .hangs = true});
  return {std::move(name), run_fleet(fleet, server).measures};
}

bool tell_stumble(const std::string& folder) {
  fmt::print(
      "\n## A stumble of five seconds\n\n"
      "1,000 requests per second from 20 clients against a server of 1,250 per second with room "
      "for 2,500: two\nseconds of work. From 10 s to 15 s it gives no answer. Clients wait one "
      "second and then try again at once, three\ntimes: 4,000 per second. Does it recover?\n\n"
      "Not while the load lasts. When the server is back its queue is full of attempts whose "
      "clients have left; it\nserves them all, always too late, and the retries keep the queue "
      "full. "
      "The stumble is over, the outage is not.\nBackoff with jitter alone only spreads the same "
      "number of attempts. What ends it is making fewer: a budget, or a\nbreaker.\n\n"
      "The server is the light model: it serves those who have left, which no scenario does.\n");
  const Backoff none{.base = Duration(0), .cap = Duration(0), .jitter = Jitter::none};
  const Backoff full{.base = milliseconds(500), .cap = seconds(8), .jitter = Jitter::full};
  Policy budget = four_attempts(none);
  budget.budget = RetryWindowPolicy{.ratio = {1, 10}, .per_second = 0};
  Policy breaker = four_attempts(none);
  breaker.breaker = BreakerPolicy{.cool_down = seconds(1)};
  Policy both = four_attempts(full);
  both.budget = budget.budget;
  return tell(
      folder, "stumble",
      {stumble("no retries", immediate_retries(1)),
       stumble("three retries at once", four_attempts(none)),
       stumble("three retries, full jitter", four_attempts(full)),
       stumble("three at once, budget of 10 %", budget), stumble("three at once, breaker", breaker),
       stumble("full jitter, budget of 10 %", both)},
      700);
}

// ---- Five thousand at once ----

// Of scenarios/studies, which has no files of its own.
scenario::Scenario study(std::string_view name) {
  std::ifstream file(fmt::format("scenarios/studies/{}.json", name));
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  auto loaded = scenario::load(text, [](const std::string& path) -> Result<std::string> {
    return fail(ErrorCode::machine, path, "is not read");
  });
  if (loaded) return std::move(*loaded);
  for (const auto& mistake : loaded.error()) fmt::print(stderr, "{}: {}\n", name, mistake.message);
  std::exit(4);
}

Told crowd(std::string name, const Policy& policy, std::string_view file) {
  const scenario::Scenario scenario = study(file);
  const Herd herd{.clients = 5000,
                  .policy = policy,
                  .network = {.delay = Network::Delay::normal,
                              .one_way = milliseconds(5),
                              .deviation = milliseconds(1)}};
  return {std::move(name), run_herd(scenario, herd).measures};
}

bool tell_crowd(const std::string& folder) {
  fmt::print(
      "\n## Five thousand fail together\n\n"
      "5,000 clients send at once into an outage of one second; then the server does 1,000 per "
      "second, with room for 500,\nand sheds the rest with 503. Eight attempts, from 250 ms "
      "doubled up to 8 s.\n\n"
      "Plain exponential backoff brings all of them back together, each time; the server takes "
      "some 500 of them and\nrefuses the rest. A Retry-After that tells everybody the same second "
      "does the "
      "same, obeyed to the letter. Jitter on top of\nit, or full jitter without it, spreads them "
      "over the time there is.\n\nThe server is `scenarios/studies/crowd.json` and "
      "`crowd-told-when.json`:\n\n```\nretrylab simulate scenarios/studies/crowd.json --clients "
      "5000 --network normal:5ms,1ms --seed 1 \\\n  --policy "
      "attempts=8,base=250ms,cap=8s,jitter=none,deadline=none,attempt_timeout=5s \\\n  --policy "
      "attempts=8,base=250ms,cap=8s,jitter=full,deadline=none,attempt_timeout=5s\n```\n");
  Policy plain = immediate_retries(8);
  plain.attempt_timeout = seconds(5);
  plain.backoff = {.base = milliseconds(250), .cap = seconds(8), .jitter = Jitter::none};
  Policy full = plain;
  full.backoff.jitter = Jitter::full;
  Policy spread = full;
  spread.server_wait.spread = seconds(6);
  return tell(folder, "crowd",
              {crowd("exponential", plain, "crowd"), crowd("full jitter", full, "crowd"),
               crowd("Retry-After: 2 for all", full, "crowd-told-when"),
               crowd("Retry-After: 2, jitter of 6 s on top", spread, "crowd-told-when")},
              400);
}

}  // namespace
}  // namespace retrylab::sim

int main(int argc, char** argv) {
  using namespace retrylab::sim;
  if (argc != 2) {
    fmt::print(stderr, "stories FOLDER\n");
    return 2;
  }
  fmt::print(
      "# What herds do\n\nReal clients make a herd with `retrylab run --herd N`; there all go "
      "through one script "
      "unless the route has a\n[`count_by`](scenario-language.md#count_by).\n\n"
      "The naive cases, in virtual time. Written by `scripts/reproduce`; "
      "every policy of a story meets the same draws.\n");
  const bool written = tell_stumble(argv[1]) && tell_crowd(argv[1]);
  if (!written) fmt::print(stderr, "stories: cannot write to {}\n", argv[1]);
  return written ? 0 : 4;
}
