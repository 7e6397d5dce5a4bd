// SPDX-License-Identifier: MIT
// The admin API as a function: a request in, an answer out. Its description is openapi.json.
#pragma once

#include <chrono>
#include <functional>
#include <memory>

#include "server/control/followers.h"
#include "server/control/message.h"
#include "server/control/runs.h"
#include "server/control/security.h"

namespace retrylab::control {

// Time for those who wait.
class WaitClock {
 public:
  virtual ~WaitClock() = default;
  virtual Instant now() const = 0;
  // Lets time pass. False when the process stops: then waiting is over.
  virtual bool pause(Duration time) = 0;
};

// What the endpoints work with. The references outlive the API and its answers' streams.
struct Context {
  Runs& runs;
  WaitClock& clock;
  Followers& followers;
};

class Api {
 public:
  Api(Context context, Security security) : context_(context), security_(std::move(security)) {}

  // Never throws. Thread-safe. HEAD is answered like GET; who sends it leaves the body out.
  Answer answer(const Request& request);

 private:
  Expected<Answer> handle(const Request& request);

  Context context_;
  Security security_;
};

}  // namespace retrylab::control
