// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <string>

#include "bench/sim/reproduce/sections.h"
#include "tests/server/sim/models/known_models.h"

namespace retrylab::sim::reproduce {
namespace {

struct Shares {
  Sample success;
  Sample load;
};

enum class Limit { retries_alone, bucket, lifetime_share };

Shares run_shares(Ratio failure, Limit limit, std::uint64_t runs) {
  Shares shares;
  for (std::uint64_t seed = 1; seed <= runs; ++seed) {
    Fleet fleet = independent_failures(immediate_retries(4), seed);
    if (limit == Limit::bucket) fleet.policy.budget = tenth_bucket();
    if (limit == Limit::lifetime_share) fleet.lifetime_share = Ratio{1, 10};
    FailingService server(failure);
    const Summary summary = run_fleet(fleet, server).measures.summary();
    const auto operations = static_cast<double>(summary.operations);
    shares.success.add(100 * static_cast<double>(summary.successes) / operations);
    shares.load.add(100 * static_cast<double>(summary.attempts) / operations);
  }
  return shares;
}

// `exact`: a formula. Else a published run, whose error is that of one of ours.
void print_row(std::string_view what, double reference, const Sample& ours, bool exact) {
  const double error = exact ? 0 : std::hypot(ours.deviation(), 0.03);
  fmt::print("| {} | {:.2f} | {:.2f} | {:+.2f} |\n", what, reference, ours.mean(),
             deviation_in_errors(ours.mean(), ours.error(), reference, error));
}

}  // namespace

void independent_failures_table(Effort effort) {
  const std::uint64_t runs = effort.of(200);
  fmt::print(
      "\n## Independent failures\n\n100 clients, each 10 per second for 10 s, a server that "
      "fails independently with probability p; {} runs.\nThree retries have closed forms: "
      "success 1 - p^4, load (1 - p^4) / (1 - p). Bucket and lifetime share are one\n"
      "published run each.\n\n| p, quantity | reference | ours | deviation |\n"
      "|---|---:|---:|---:|\n",
      runs);
  struct Row {
    Ratio failure;
    double bucket_success, bucket_load, share_success, share_load;
  };
  for (const Row& row :
       {Row{{1, 10}, 99.3, 109.9, 92.7, 103.2}, Row{{1, 2}, 57.6, 114.2, 49.5, 100}}) {
    const double p = static_cast<double>(row.failure.part) / static_cast<double>(row.failure.whole);
    const double success = 1 - std::pow(p, 4);
    const Shares plain = run_shares(row.failure, Limit::retries_alone, runs);
    print_row(fmt::format("{}, three retries: success %", p), 100 * success, plain.success, true);
    print_row(fmt::format("{}, three retries: load %", p), 100 * success / (1 - p), plain.load,
              true);
    const Shares bucket = run_shares(row.failure, Limit::bucket, runs);
    print_row(fmt::format("{}, token bucket: success %", p), row.bucket_success, bucket.success,
              false);
    print_row(fmt::format("{}, token bucket: load %", p), row.bucket_load, bucket.load, false);
    const Shares share = run_shares(row.failure, Limit::lifetime_share, runs);
    print_row(fmt::format("{}, lifetime share: success %", p), row.share_success, share.success,
              false);
    if (p < 0.5) {
      print_row(fmt::format("{}, lifetime share: load %", p), row.share_load, share.load, false);
    } else {
      fmt::print("| {}, lifetime share: load % | {:.2f} | {:.2f} | |\n", p, row.share_load,
                 share.load.mean());
    }
  }
}

void collapse(Effort effort) {
  const std::uint64_t runs = effort.of(600);
  std::uint64_t collapsed = 0;
  std::uint64_t between = 0;
  std::uint64_t collapsed_with_backoff = 0;
  double worst_healthy = 1;
  for (std::uint64_t seed = 1; seed <= runs; ++seed) {
    const double goodput = late_goodput(std::nullopt, seed);
    if (goodput < 0.1) ++collapsed;
    if (goodput >= 0.1) worst_healthy = std::min(worst_healthy, goodput);
    if (goodput >= 0.1 && goodput < 0.8) ++between;
    if (late_goodput(std::chrono::seconds(20), seed) < 0.1) ++collapsed_with_backoff;
  }
  const double share = static_cast<double>(collapsed) / static_cast<double>(runs);
  const double error = std::sqrt(share * (1 - share) / static_cast<double>(runs));
  const double reference = 39.0 / 60;
  const double reference_error = std::sqrt(reference * (1 - reference) / 60);
  fmt::print(
      "\n## Congestive collapse\n\nLatency 1 s + 10 ms per attempt in the server, Exp(0.1 s) each "
      "way, 3 s for an attempt, three tries at once;\n40 operations per second, 80 for five "
      "seconds, then 40 again. Does it recover?\n\n"
      "| | reference | ours | deviation |\n|---|---:|---:|---:|\n"
      "| never recovered, share of runs | {:.2f} (39 of 60) | {:.3f} ({} of {}) | {:+.2f} |\n"
      "| goodput in [60 s, 80 s) between 10 % and 80 % | 0 | {} | |\n"
      "| collapsed with backoff U(0,1) {{20 s, 40 s}} | 0 of 60 | {} of {} | |\n\n"
      "The least goodput of a run that recovered was {:.0f} %: there is nothing in between.\n",
      reference, share, collapsed, runs,
      deviation_in_errors(share, error, reference, reference_error), between,
      collapsed_with_backoff, runs, 100 * worst_healthy);
}

}  // namespace retrylab::sim::reproduce
