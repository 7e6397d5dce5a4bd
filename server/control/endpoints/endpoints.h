// SPDX-License-Identifier: MIT
// One function per method and path, grouped into files by what they are about.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "server/control/api.h"

namespace retrylab::control::endpoints {

// A request that has found its endpoint.
struct Call {
  const Request& request;
  Context& context;
  std::string parameter;  // {id} or {name}, decoded
};

using Endpoint = Expected<Answer> (*)(Call&);

// process.cc
Expected<Answer> health(Call& call);
Expected<Answer> version(Call& call);
Expected<Answer> openapi(Call& call);
// catalogue.cc
Expected<Answer> catalogue(Call& call);
Expected<Answer> catalogue_entry(Call& call);
// runs.cc
Expected<Answer> start_run(Call& call);
Expected<Answer> list_runs(Call& call);
Expected<Answer> get_run(Call& call);
Expected<Answer> get_scenario(Call& call);
Expected<Answer> reset_run(Call& call);
Expected<Answer> delete_run(Call& call);
// journal.cc
Expected<Answer> get_journal(Call& call);
// verdict.cc
Expected<Answer> get_verdict(Call& call);
// resources.cc
Expected<Answer> get_resources(Call& call);
// events.cc
Expected<Answer> events(Call& call);
// metrics.cc
Expected<Answer> metrics(Call& call);
// page.cc
Expected<Answer> page(Call& call);

// Of {id} or a query parameter; unknown_run when it is no number.
Expected<RunId> run_id(std::string_view text);
// A place among those who wait; limit_reached when there is none.
Expected<Followers::Place> take_place(Call& call);

}  // namespace retrylab::control::endpoints
