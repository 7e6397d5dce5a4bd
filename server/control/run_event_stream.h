// SPDX-License-Identifier: MIT
// All runs, followed: their comings and goings, and how far they are, at most four times a second.
#pragma once

#include <map>
#include <string>

#include "server/control/api.h"
#include "server/control/followers.h"
#include "server/control/message.h"

namespace retrylab::control {

class RunEventStream final : public Stream {
 public:
  RunEventStream(Context& context, Followers::Place place);
  std::optional<std::string> next(Duration limit) override;
  std::string heartbeat() const override { return ":\n\n"; }
  std::string describe() const override { return "the events of all runs"; }

 private:
  std::string hello();
  std::string progress();

  Runs& runs_;
  WaitClock& clock_;
  Followers& followers_;
  std::uint64_t from_;
  std::map<RunId, std::uint64_t> seen_;  // activity
  Instant last_look_;
  bool greeted_ = false;
  bool over_ = false;
  Followers::Place place_;
};

}  // namespace retrylab::control
