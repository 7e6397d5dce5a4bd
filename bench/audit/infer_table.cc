// SPDX-License-Identifier: MIT
// How often the policy that an audit infers is the one that the client has: random policies in
// virtual time, with timers as late as on a real host. The table of docs/audit.md.
//
//   infer_table [POLICIES [quick|full [wrong]]]       wrong: print what was taken for what
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "client_lib/retry/policy_json.h"
#include "client_lib/retry/presets.h"
#include "server/audit/infer/infer.h"
#include "tests/server/audit/known_policies.h"
#include "tests/server/audit/virtual_audit.h"

namespace retrylab::audit {
namespace {

struct Tally {
  int right = 0;
  int unknown = 0;
  int wrong = 0;
};

class Table {
 public:
  explicit Table(bool prints_wrong) : prints_wrong_(prints_wrong) {}

  void add(const Policy& policy, const Findings& found) {
    for (const Score& score : compare(policy, found)) {
      const std::string name(score.property);
      if (!tallies_.contains(name)) order_.push_back(name);
      Tally& tally = tallies_[name];
      if (score.hit == Hit::right) ++tally.right;
      if (score.hit == Hit::unknown) ++tally.unknown;
      if (score.hit != Hit::wrong) continue;
      ++tally.wrong;
      if (prints_wrong_) fmt::print("{}: {} of {}\n", name, score.story, policy_to_json(policy));
    }
  }

  void print(int policies) const {
    fmt::print(
        "| property | right | not told | wrong | right of those told |\n|---|---|---|---|---|\n");
    for (const std::string& name : order_) {
      const Tally& tally = tallies_.at(name);
      const int told = tally.right + tally.wrong;
      fmt::print("| {} | {:.1f}% | {:.1f}% | {:.2f}% | {} |\n", name,
                 100.0 * tally.right / policies, 100.0 * tally.unknown / policies,
                 100.0 * tally.wrong / policies,
                 told == 0 ? std::string("-") : fmt::format("{:.2f}%", 100.0 * tally.right / told));
    }
  }

 private:
  bool prints_wrong_;
  std::vector<std::string> order_;
  std::map<std::string, Tally> tallies_;
};

int measure(int policies, bool quick, bool prints_wrong) {
  Table table(prints_wrong);
  for (int i = 0; i < policies; ++i) {
    Random random = Random::stream(1, "policy", static_cast<std::uint64_t>(i));
    const Policy policy = random_policy(random);
    table.add(policy, infer(audit_virtually(policy, static_cast<std::uint64_t>(i) + 1,
                                            {.quick = quick, .policy_only = true})));
  }
  fmt::print("{} random policies, {} audit\n\n", policies, quick ? "quick" : "full");
  table.print(policies);
  for (const std::string_view name : preset_names()) {
    Table preset(true);
    const Policy policy = *find_preset(name);
    constexpr int kSeeds = 20;
    for (int seed = 1; seed <= kSeeds; ++seed) {
      preset.add(policy, infer(audit_virtually(policy, static_cast<std::uint64_t>(seed),
                                               {.quick = quick, .policy_only = true})));
    }
    fmt::print("\n{}, {} times\n\n", name, kSeeds);
    preset.print(kSeeds);
  }
  return 0;
}

}  // namespace
}  // namespace retrylab::audit

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  const int policies = arguments.empty() ? 2'000 : std::stoi(arguments[0]);
  const bool quick = arguments.size() > 1 && arguments[1] == "quick";
  return retrylab::audit::measure(policies, quick, arguments.size() > 2);
}
