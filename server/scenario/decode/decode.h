// SPDX-License-Identifier: MIT
// The decoders of the language, one topic per file of the same name. Each takes the node of its
// member, adds every mistake it finds, and answers with what it could read; whether the result
// may be used is decided once, at the end, by whether there was any mistake.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/scenario/faults/decode_fault.h"
#include "server/scenario/json/mistakes.h"
#include "server/scenario/json/object_reader.h"
#include "server/scenario/json/tree.h"
#include "server/scenario/load.h"
#include "server/scenario/scenario.h"

namespace retrylab::scenario::decode {

using json::Mistakes;
using json::Node;
using json::ObjectReader;

struct Context {
  Mistakes& mistakes;
  const ReadFile& read_file;
  Limits limits;  // of this scenario
};

// template.cc: text with placeholders.
Template split_template(const Node& node, std::string_view text, Mistakes& mistakes);
std::optional<Template> read_template(const Node& node, Mistakes& mistakes);
// The compact JSON of `node`, with the placeholders that stand in its strings.
Template json_template(const Node& node, Mistakes& mistakes);

// placeholder.cc: what stands between {{ and }}; a mistake at `node` for anything unknown.
std::optional<Placeholder> read_placeholder(const Node& node, std::string_view text,
                                            Mistakes& mistakes);

// headers.cc
std::optional<std::vector<HeaderTemplate>> read_headers(const Node& node, Mistakes& mistakes);

// retry_after.cc
std::optional<RetryAfter> read_retry_after(const Node& node, Mistakes& mistakes);

// body.cc: body | json | body_size | body_file.
std::optional<Body> read_body(ObjectReader& reader, const Context& context);

// framing.cc, content.cc, interim.cc
std::optional<Framing> read_framing(const Node& node, Mistakes& mistakes);
std::optional<Encoding> read_encoding(const Node& node, Mistakes& mistakes);
std::optional<std::vector<Interim>> read_interim(const Node& node, Mistakes& mistakes);
std::optional<Continue> read_continue(const Node& node, Mistakes& mistakes);

// delay.cc, pace.cc, executes.cc
std::optional<Delay> read_delay(const Node& node, const Context& context);
std::optional<std::vector<Pace>> read_pace(const Node& node, Mistakes& mistakes);
std::optional<std::vector<std::size_t>> read_pieces(const Node& node, Mistakes& mistakes);
std::optional<Executes> read_executes(const Node& node, const Context& context);

// Where a step stands: that decides what it may hold.
struct StepSite {
  enum class Kind { script, otherwise, override_step, outage };
  Kind kind = Kind::script;
  const Match* on = nullptr;    // of the route; null in an outage
  std::string_view needs_body;  // why the request's body is read before the step is known
};

// step.cc: the whole step, or its members of an object that has others too.
std::optional<Step> read_step(const Node& node, const StepSite& site, const Context& context);
Step read_step_members(ObjectReader& reader, const StepSite& site, const Context& context);

// step_check.cc: members that exclude each other, and faults that this answer cannot have.
void check_step(ObjectReader& reader, const Step& step, const std::vector<PlacedFault>& faults,
                const StepSite& site);

// path.cc, match.cc, conditions.cc, count_by.cc
std::optional<std::vector<PathSegment>> read_path(const Node& node, std::string_view text,
                                                  Mistakes& mistakes);
std::optional<Match> read_match(const Node& node, Mistakes& mistakes);
bool has_parameter(const Match& match, std::string_view name);
// Some request could match both by method and path.
bool overlap(const Match& left, const Match& right);
// Equal for two that match the same requests, whatever their parameters are called.
std::string shape(const Match& match);
// covers.cc: every request that `narrow` matches, `wide` matches too.
bool covers(const Match& wide, const Match& narrow);
enum class ConditionKind { header, query, body };
std::optional<std::vector<Condition>> read_conditions(const Node& node, ConditionKind kind,
                                                      Mistakes& mistakes);
bool is_json_pointer(std::string_view text);
std::optional<CountBy> read_count_by(const Node& node, const Match& on, Mistakes& mistakes);

// override.cc, idempotency.cc, route.cc, routes.cc
std::optional<When> read_when(const Node& node, Mistakes& mistakes);
std::optional<std::vector<Override>> read_overrides(const Node& node, const StepSite& site,
                                                    const Context& context);
std::optional<Idempotency> read_idempotency(const Node& node, Mistakes& mistakes);
// rate_limit.cc, capacity.cc; what they answer when they refuse: `status` unless the file says.
Step read_refusal(ObjectReader& reader, std::string_view name, int status, const Context& context);
std::optional<RateLimit> read_rate_limit(const Node& node, const Context& context);
std::optional<Capacity> read_capacity(const Node& node, const Context& context);
struct RouteSite {
  const OperationBy& operation;
  std::string_view needs_body;  // as in StepSite: why even finding the route takes the body
};
std::optional<Route> read_route(const Node& node, const RouteSite& site, const Context& context);
std::optional<std::vector<Route>> read_routes(const Node& node, const OperationBy& operation,
                                              const Context& context);

// connections.cc, keep_alive.cc, outages.cc, limits.cc, operation.cc
std::optional<std::vector<ConnectionStep>> read_connections(const Node& node, Mistakes& mistakes);
std::optional<KeepAlive> read_keep_alive(const Node& node, Mistakes& mistakes);
std::optional<std::vector<Outage>> read_outages(const Node& node, const Context& context);
std::optional<Limits> read_limits(const Node& node, Mistakes& mistakes);
std::optional<OperationBy> read_operation(const Node& node, Mistakes& mistakes);
void check_operation(const Node& node, const OperationBy& operation,
                     const std::vector<Route>& routes, Mistakes& mistakes);

// ranges.cc, expect.cc, expect_backoff.cc, expect_requests.cc, expect_client.cc, expect_check.cc
std::optional<CountRange> read_count_range(const Node& node, Mistakes& mistakes);
std::optional<TimeRange> read_time_range(const Node& node, Mistakes& mistakes);
std::optional<ExpectBackoff> read_expect_backoff(const Node& node, Mistakes& mistakes);
std::optional<ExpectRetryAfter> read_expect_retry_after(const Node& node, Mistakes& mistakes);
std::optional<ExpectClient> read_expect_client(const Node& node, Mistakes& mistakes);
// The members that speak of many operations: budget, silence, herd and the like.
void read_expect_many(ObjectReader& reader, Expect& expect);
// Members that contradict each other.
void check_expect(ObjectReader& reader, const Expect& expect, Mistakes& mistakes);
std::optional<std::vector<ExpectRequest>> read_expect_requests(const Node& node,
                                                               const std::vector<Route>& routes,
                                                               Mistakes& mistakes);
std::optional<Expect> read_expect(const Node& node, const std::vector<Route>& routes,
                                  Mistakes& mistakes);
// A mistake when `text` is no route's `on`, with the nearest.
bool is_route(const Node& node, std::string_view text, const std::vector<Route>& routes,
              Mistakes& mistakes);

}  // namespace retrylab::scenario::decode
