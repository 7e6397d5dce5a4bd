// SPDX-License-Identifier: MIT
// Programs whose operations together do harm: no budget, no breaker, everybody at once.
#include "tests/zoo/wrong_client.h"

namespace retrylab::zoo {
namespace {

using namespace std::chrono_literals;

// Ten operations a second for six seconds.
constexpr Visit kLoad{.operations = 60, .every = 100ms};

// A program makes several, so that one process is not one operation.
constexpr const char* kOperations = R"("operations": {"min": 2},)";

std::string expects(const std::string& members) {
  return members + kOperations;
}

constexpr const char* kBudget = R"("budget": {"ratio": 0.2, "per_second": 1, "window": "5s"},)";
constexpr const char* kSilence = R"("silence": {"after": 5, "for": "2s", "probes": 1},)";

// Short waits, so that an operation does not hold up the next ones for long.
void hurries(Habits& habits) {
  habits.policy.base = 40ms;
  habits.policy.cap = 60ms;
  habits.policy.jitter = scenario::Jitter::equal;
  habits.policy.attempts = 3;
}

// Each client has a host of its own.
void asks_two_hosts(Habits& habits) {
  habits.request = [right = habits.request](const Progress& progress) {
    sim::Send request = right(progress);
    const auto operation = find_header(request.headers, "X-Op-Id").value_or("0");
    request.headers.push_back({"Host", operation.starts_with('0') ? "a.test" : "b.test"});
    return request;
  };
}

// In time to the last tick before it of a clock that all clients share.
Duration in_step(Instant now, Duration wait) {
  constexpr Duration kTick = 400ms;
  const Duration tick = (now.time_since_epoch() + wait) / kTick * kTick;
  const Duration rounded = tick - now.time_since_epoch();
  return rounded > Duration(0) ? rounded : rounded + kTick;
}

void has_no_breaker(Habits& habits) {
  habits.lets_through = [](const Policy&, Shared&, Instant) { return true; };
}

}  // namespace

std::vector<WrongClient> wrong_crowds() {
  return {
      {.name = "triples-the-load",
       .mistake = "retries everything in an outage",
       .rule = "BU-1",
       .stage = {.script = "[503]", .expect = expects(R"("amplification": 1.5,)")},
       .change =
           [](Habits& h) {
             h.within_budget = [](const Progress&, const Shared&, Instant) { return true; };
           },
       .prepare =
           [](Habits& h) {
             hurries(h);
             h.policy.budget = scenario::ExpectBudget{.ratio = {1, 5}};
           },
       .visit = kLoad},
      {.name = "has-no-budget",
       .mistake = "every operation may retry, however many do",
       .rule = "BU-2",
       .stage = {.script = "[503]", .expect = expects(kBudget)},
       .change =
           [](Habits& h) {
             h.within_budget = [](const Progress&, const Shared&, Instant) { return true; };
           },
       .prepare = hurries,
       .visit = kLoad},
      {.name = "has-a-budget-per-operation",
       .mistake = "the budget is made anew with each operation",
       .rule = "BU-2",
       .stage = {.script = "[503]", .expect = expects(kBudget)},
       .change =
           [](Habits& h) {
             h.within_budget = [](const Progress& p, const Shared&, Instant) {
               return p.sent <= static_cast<int>(p.policy.budget->per_second * 5);
             };
           },
       .prepare = hurries,
       .visit = kLoad},
      {.name = "never-empties-its-quota",
       .mistake = "gives the quota back after failures too",
       .rule = "BU-3",
       .stage = {.script = "[503]", .expect = expects(R"("profile": "aws-standard-2.0",)")},
       .change =
           [](Habits& h) {
             h.within_budget = [](const Progress&, const Shared&, Instant) { return true; };
           },
       .prepare =
           [](Habits& h) {
             h.policy.base = 1s;
             h.policy.cap = 20s;
             h.policy.attempts = 3;
             h.within_budget = [](const Progress&, const Shared& shared, Instant) {
               return shared.retries.size() < 100;
             };
           },
       .visit = {.clients = 60, .one_program = true}},
      {.name = "never-refills-its-budget",
       .mistake = "what its budget was spent on in one outage is missing in the next",
       .rule = "BU-4",
       .stage = {.script = R"([{"status": 503, "times": 12}, {"status": 200, "times": 30}, 503,
                               200])",
                 .expect = expects(R"("budget": {"ratio": 0.2, "per_second": 1, "window": "1s"},
                                      "backoff": {"base": "40ms", "cap": "60ms",
                                                  "jitter": "equal"},)")},
       .change =
           [](Habits& h) {
             h.within_budget = [right = h.within_budget](const Progress& p, const Shared& shared,
                                                         Instant now) {
               return shared.retries.size() < 3 && right(p, shared, now);
             };
           },
       .prepare = hurries,
       .visit = kLoad},
      {.name = "has-no-breaker",
       .mistake = "goes on however many failed in a row",
       .rule = "CB-1",
       .stage = {.script = "[503]", .expect = expects(kSilence)},
       .change = has_no_breaker,
       .prepare = hurries,
       .visit = kLoad},
      {.name = "counts-failures-twice-as-long",
       .mistake = "opens its breaker after ten failures where five are declared",
       .rule = "CB-1",
       .stage = {.script = "[503]", .expect = expects(kSilence)},
       .change =
           [](Habits& h) {
             h.lets_through = [](const Policy& policy, Shared& shared, Instant now) {
               scenario::ExpectSilence later = *policy.breaker;
               later.after *= 2;
               return let_through(later, shared, now);
             };
             h.notes = [](const Policy& policy, Shared& shared, bool failed, Instant now) {
               scenario::ExpectSilence later = *policy.breaker;
               later.after *= 2;
               note(later, shared, failed, now);
             };
           },
       .prepare = hurries,
       .visit = kLoad},
      {.name = "closes-its-breaker-too-soon",
       .mistake = "is silent for half the time that is declared",
       .rule = "CB-2",
       .stage = {.script = "[503]", .expect = expects(kSilence)},
       .change =
           [](Habits& h) {
             h.notes = [](const Policy& policy, Shared& shared, bool failed, Instant now) {
               scenario::ExpectSilence shorter = *policy.breaker;
               shorter.lasts /= 2;
               note(shorter, shared, failed, now);
             };
           },
       .prepare = hurries,
       .visit = kLoad},
      {.name = "sends-a-second-probe",
       .mistake = "lets everybody through once the silence is over",
       .rule = "CB-3",
       .stage = {.script = R"([{"status": 503, "times": 5}, {"status": 200, "delay": "500ms"}])",
                 .expect = expects(kSilence)},
       .change =
           [](Habits& h) {
             h.lets_through = [](const Policy& policy, Shared& shared, Instant now) {
               return shared.failures < policy.breaker->after || now >= shared.open_until;
             };
           },
       .prepare = hurries,
       .visit = {.operations = 30, .every = 100ms, .clients = 4, .one_program = true}},
      {.name = "forgives-a-failed-probe",
       .mistake = "goes back to normal after the probe, whatever came of it",
       .rule = "CB-4",
       .stage = {.script = "[503]", .expect = expects(kSilence)},
       .change =
           [](Habits& h) {
             h.notes = [right = h.notes](const Policy& policy, Shared& shared, bool failed,
                                         Instant now) {
               const bool was_probe = shared.probes > 0;
               right(policy, shared, failed, now);
               if (was_probe) shared.failures = 0;
             };
           },
       .prepare = hurries,
       .visit = kLoad},
      {.name = "has-one-breaker-for-two-hosts",
       .mistake = "what fails at one host silences another that is well",
       .rule = "CB-5",
       .stage = {.script = "[200]",
                 .route = R"("overrides": [{"when": {"headers": {"Host": "a.test"},
                                            "elapsed": {"from": "1500ms", "until": "2500ms"}},
                                            "status": 503}],)",
                 .expect = expects(kSilence)},
       .change = [](Habits&) {},
       .prepare =
           [](Habits& h) {
             hurries(h);
             asks_two_hosts(h);
             // What the other host does, does not count.
             h.notes = [right = h.notes](const Policy& policy, Shared& shared, bool failed,
                                         Instant now) {
               if (failed || shared.probes > 0) right(policy, shared, failed, now);
             };
           },
       .visit = {.operations = 45, .every = 100ms, .clients = 2, .one_breaker = true}},
      {.name = "takes-404-for-an-outage",
       .mistake = "opens its breaker after five answers that are the caller's mistake",
       .rule = "CB-6",
       .stage = {.script = R"([{"status": 200, "times": 12}, 404])", .expect = expects(kSilence)},
       .change =
           [](Habits& h) {
             h.is_trouble = [](const Progress& p) { return p.status() == 0 || p.status() >= 400; };
           },
       .prepare = hurries,
       .visit = kLoad},
      {.name = "never-throttles-itself",
       .mistake = "goes on sending all it has though nine in ten are rejected",
       .rule = "TH-1",
       .stage = {.script = R"([{"status": 503, "chance": "9/10", "else": {"status": 200}}])",
                 .expect = expects(R"("throttle": {"ratio": 2, "window": "2s"},)")},
       .change =
           [](Habits& h) { h.lets_through = [](const Policy&, Shared&, Instant) { return true; }; },
       .prepare = hurries,
       .visit = kLoad},
      {.name = "retries-on-the-tick",
       .mistake = "wakes up for its retries once a second, whenever they failed",
       .rule = "HERD-3",
       .stage = {.script = "[503, 200]",
                 .route = R"("count_by": "header:X-Op-Id",)",
                 .expect = expects(R"("backoff": {"base": "1s", "cap": "8s", "jitter": "full"},)")},
       .change =
           [](Habits& h) {
             h.backoff = [](const Progress& p, Random&) {
               return 1s - p.now.time_since_epoch() % Duration(1s);
             };
           },
       .visit = {.clients = 100, .apart = 37ms}},
      {.name = "comes-back-in-a-crowd",
       .mistake = "spreads its first retry over a tenth of its ceiling",
       .rule = "HERD-1",
       .stage = {.script = R"([{"status": 503, "for": "90ms"}, 200])",
                 .expect = expects(R"("backoff": {"base": "1s", "cap": "8s", "jitter": "any"},)")},
       .change =
           [](Habits& h) {
             h.backoff = [](const Progress&, Random& random) {
               return random.between(300ms, 400ms);
             };
           },
       .visit = {.clients = 50}},
      {.name = "wakes-up-in-step",
       .mistake = "draws its wait well and rounds it to a tick that all clients share",
       .rule = "HERD-2",
       .stage = {.script = "[503, 200]",
                 .route = R"("count_by": "header:X-Op-Id",)",
                 .expect = expects(R"("backoff": {"base": "2s", "cap": "8s", "jitter": "full"},)")},
       .change =
           [](Habits& h) {
             h.backoff = [right = h.backoff](const Progress& p, Random& random) {
               return in_step(p.now, right(p, random));
             };
           },
       .visit = {.clients = 200, .apart = 25ms},
       .is_advice = true},
      {.name = "storms-a-server-that-is-back",
       .mistake = "everybody returns the moment the outage is announced to end",
       .rule = "HERD-4",
       .stage = {.script = "[200]",
                 .expect = expects(R"("herd": {"peak": 10},)"),
                 .top = R"("outages": [{"from": "0s", "until": "2s",
                                       "answer": {"status": 503, "retry_after": "2s"}}],)"},
       .change =
           [](Habits& h) {
             h.wait = [](std::optional<Duration> asked, Duration) { return asked.value_or(0s); };
           },
       .prepare =
           [](Habits& h) {
             h.backoff = [](const Progress&, Random& random) { return random.between(0s, 9s); };
             h.wait = [](std::optional<Duration> asked, Duration backoff) {
               return asked.value_or(0s) + backoff;
             };
           },
       .visit = {.clients = 200}},
  };
}

}  // namespace retrylab::zoo
