// SPDX-License-Identifier: MIT
#include "server/sim/models/contended.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <vector>

#include "bench/sim/reproduce/sections.h"
#include "tests/server/sim/models/contended_reference.h"

namespace retrylab::sim::reproduce {
namespace {

struct Cell {
  Sample time_ms;
  Sample calls;
  Sample peak;  // writes that arrive in one bin of 10 ms, after the first ten
  Sample fano;  // variance by mean of all bins
};

void add_arrivals(const std::vector<std::uint32_t>& arrivals, Cell& cell) {
  constexpr std::size_t kSkipped = 10;
  if (arrivals.size() <= kSkipped + 1) return;
  Sample bins;
  double peak = 0;
  for (std::size_t i = 0; i < arrivals.size(); ++i) {
    bins.add(arrivals[i]);
    if (i >= kSkipped) peak = std::max<double>(peak, arrivals[i]);
  }
  cell.peak.add(peak);
  cell.fano.add(bins.deviation() * bins.deviation() / bins.mean());
}

Cell run_cell(std::uint32_t clients, const Backoff& backoff, std::uint64_t trials) {
  Cell cell;
  for (std::uint64_t seed = 1; seed <= trials; ++seed) {
    const ContendedResult result =
        run_contended({.clients = clients, .backoff = backoff, .seed = seed});
    cell.time_ms.add(static_cast<double>(result.time.count()) / 1e6);
    cell.calls.add(static_cast<double>(result.calls));
    add_arrivals(result.arrivals, cell);
  }
  return cell;
}

std::string name_of_least(std::span<const Cell> cells, Sample Cell::*quantity) {
  const auto least = std::ranges::min_element(
      cells, {}, [quantity](const Cell& cell) { return (cell.*quantity).mean(); });
  const std::size_t first = contended_strategies().size() - cells.size();
  const auto index = first + static_cast<std::size_t>(least - cells.begin());
  return std::string(contended_strategies()[index].name);
}

// "Decorr from 10, FullJitter from 20"
void add_change(std::string& changes, std::string& last, std::string name, std::uint32_t clients) {
  if (name == last) return;
  changes += fmt::format("{}{} from N = {}", changes.empty() ? "" : ", ", name, clients);
  last = std::move(name);
}

}  // namespace

void contended_table(Effort effort) {
  const std::uint64_t trials = effort.of(10'000);
  fmt::print(
      "\n## Contended clients\n\n"
      "The model behind \"Exponential Backoff And Jitter\" (AWS Architecture Blog), {} trials "
      "a cell\nagainst 10,000 of an independent program. Calls are writes.\n\n"
      "| N | strategy | time, ms: reference | ours | deviation | calls: reference | ours | "
      "deviation |\n|---:|---|---:|---:|---:|---:|---:|---:|\n",
      trials);
  double worst = 0;
  double full = 0;
  double exponential = 0;
  std::string spread;
  for (const ContendedReference& reference : kContendedReference) {
    const auto all = contended_strategies();
    const auto strategy = std::ranges::find(all, reference.strategy, &Strategy::name);
    const Cell cell = run_cell(reference.clients, strategy->backoff, trials);
    const double time_off = deviation_in_errors(cell.time_ms.mean(), cell.time_ms.error(),
                                                reference.time_ms, reference.time_ms_error);
    const double calls_off = deviation_in_errors(cell.calls.mean(), cell.calls.error(),
                                                 reference.calls, reference.calls_error);
    worst = std::max({worst, std::abs(time_off), std::abs(calls_off)});
    fmt::print("| {} | {} | {:.2f} | {:.2f} | {:+.2f} | {:.3f} | {:.3f} | {:+.2f} |\n",
               reference.clients, reference.strategy, reference.time_ms, cell.time_ms.mean(),
               time_off, reference.calls, cell.calls.mean(), calls_off);
    if (reference.clients != 100) continue;
    if (reference.strategy == "FullJitter") full = cell.calls.mean();
    if (reference.strategy == "Exponential") exponential = cell.calls.mean();
    spread += fmt::format("| {} | {:.1f} | {:.0f} | {:.1f} | {:.1f} |\n", reference.strategy,
                          cell.calls.deviation(), cell.time_ms.deviation(), cell.peak.mean(),
                          cell.fano.mean());
  }
  fmt::print(
      "\nThe largest deviation is {:.2f}. Full jitter makes {:.3f} of the calls of plain "
      "exponential\nbackoff at N = 100 (reference 0.43).\n",
      worst, full / exponential);
  fmt::print(
      "\nSpread of single trials at N = 100. References: calls 32/59/7.8/6.9/28.7, time "
      "44/3765/656/541/684 ms;\nwrites in bins of 10 ms: peak after 100 ms "
      "46.7/46.6/47.2/39.5/31.9, variance by mean 9.1/21.5/21.7/18.5/14.7.\n\n"
      "| strategy | calls, sd | time, sd in ms | peak of 10 ms | variance by mean |\n"
      "|---|---:|---:|---:|---:|\n{}",
      spread);
}

void contended_sweep(Effort effort) {
  const std::uint64_t trials = effort.of(300);
  fmt::print(
      "\n### Where the rankings cross\n\n{} trials each. Without a limit of the server's "
      "capacity, no backoff at all is the fastest: a herd\nsimulator needs a server "
      "that can be overloaded.\n\n"
      "| N | calls: none | exponential | equal | full | decorrelated | fewest | time, ms: none "
      "| exponential | equal | full | decorrelated | fastest with backoff |\n"
      "|---:|---:|---:|---:|---:|---:|---|---:|---:|---:|---:|---:|---|\n",
      trials);
  std::string fewest;
  std::string fastest;
  std::string last_fewest;
  std::string last_fastest;
  for (std::uint32_t clients = 10; clients <= 200; clients += 10) {
    std::array<Cell, 5> cells;
    const auto strategies = contended_strategies();
    for (std::size_t i = 0; i < cells.size(); ++i) {
      cells[i] = run_cell(clients, strategies[i].backoff, trials);
    }
    fmt::print("| {} |", clients);
    for (const Cell& cell : cells) fmt::print(" {:.1f} |", cell.calls.mean());
    const std::string fewest_here = name_of_least(cells, &Cell::calls);
    const std::string fastest_here = name_of_least(std::span(cells).subspan(1), &Cell::time_ms);
    fmt::print(" {} |", fewest_here);
    for (const Cell& cell : cells) fmt::print(" {:.0f} |", cell.time_ms.mean());
    fmt::print(" {} |\n", fastest_here);
    add_change(fewest, last_fewest, fewest_here, clients);
    add_change(fastest, last_fastest, fastest_here, clients);
  }
  fmt::print("\nFewest calls: {}. Fastest with a backoff: {}.\n", fewest, fastest);
}

}  // namespace retrylab::sim::reproduce
