// SPDX-License-Identifier: MIT
// What a report of `retrylab simulate` is made of, and its forms: each a pure function of it, in
// a file of its own name.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "server/sim/measures.h"

namespace retrylab::report {

// One policy's runs, one per seed.
struct HerdColumn {
  std::string policy;       // as it was named
  std::string policy_json;  // its whole JSON form
  std::vector<sim::Summary> runs;
  sim::Measures first;  // the first seed's, for charts
  std::string stopped;  // "events", "time": a run was stopped at that limit; "" : none
};

// All policies under the same circumstances.
struct HerdPoint {
  std::string value;  // of the sweep's parameter: "100"; "" without a sweep
  std::vector<HerdColumn> columns;
};

struct HerdReport {
  std::string scenario;
  std::string about;
  std::string clients;  // "1000 clients, one operation each"
  std::string network;  // "20us each way"
  std::string command;  // that repeats it
  std::uint64_t seed = 1;
  std::uint32_t seeds = 1;
  std::string sweep;  // the parameter's name, "" for none
  std::vector<HerdPoint> points;
};

// For a terminal: policies side by side; medians and their 95 % intervals where there are seeds.
std::string herd_text(const HerdReport& report);
// Every metric's median and interval, and each run's number.
std::string herd_json(const HerdReport& report);
// One line per sweep value, policy and seed.
std::string herd_csv(const HerdReport& report);
// One file that needs no network: arrivals, retries, queue and goodput over time, side by side.
std::string herd_html(const HerdReport& report);

}  // namespace retrylab::report
