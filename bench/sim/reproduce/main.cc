// SPDX-License-Identifier: MIT
// reproduce [PERCENT]: prints docs/simulation.md. PERCENT of the full number of trials, 100 when
// it is left out.
#include <charconv>
#include <string_view>

#include "bench/sim/reproduce/sections.h"

int main(int argc, char** argv) {
  using namespace retrylab::sim::reproduce;
  Effort effort;
  if (argc > 1) {
    const std::string_view text = argv[1];
    const auto [end, error] =
        std::from_chars(text.data(), text.data() + text.size(), effort.percent);
    if (error != std::errc() || end != text.data() + text.size() || effort.percent == 0) {
      fmt::print(stderr, "reproduce: \"{}\" is not a percentage of the trials\n", text);
      return 2;
    }
  }
  fmt::print(
      "# What the simulator reproduces\n\n"
      "Printed by `scripts/reproduce`, which computes everything below anew. The waits of all\n"
      "models are those of the retry decision (`client_lib/retry/next_move.h`); draws come from\n"
      "integers alone, so every number is the same with every compiler. Deviations are in\n"
      "standard errors of the difference; beyond 4 would be a defect.\n");
  contended_table(effort);
  contended_sweep(effort);
  independent_failures_table(effort);
  collapse(effort);
  certificates();
  outage_matrix(effort);
  return 0;
}
