// SPDX-License-Identifier: MIT
// The evidence of an audit's cases by the scenario's name, each interpreted once.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "server/audit/case.h"
#include "server/verify/evidence.h"

namespace retrylab::audit {

class Observed {
 public:
  // `cases` outlives it.
  explicit Observed(std::span<const Case> cases);

  // Null when that scenario was not run, or the client never asked its route for anything.
  const verify::Evidence* of(std::string_view scenario) const;

 private:
  std::map<std::string, std::unique_ptr<verify::Evidence>, std::less<>> evidence_;
};

// The client was ended by the time limit or by a signal; or it came to an end of its own.
bool ended_by_itself(const verify::RunEvidence& run);
bool was_stopped(const verify::RunEvidence& run);

}  // namespace retrylab::audit
