// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

#include "server/journal/ndjson.h"
#include "server/journal/ndjson_attempt.h"
#include "server/journal/ndjson_members.h"

namespace retrylab::journal {
// Collects the records of all runs.
class NdjsonReader::Records {
 public:
  explicit Records(std::string scenario_hash) : scenario_hash_(std::move(scenario_hash)) {}

  // Throws Wrong.
  void line(std::string_view text) {
    if (!tools_.line.parse(text)) throw Wrong{"is no JSON object"};
    const Members members(tools_);
    std::string record;
    members.read("record", record);
    std::uint32_t number = 0;
    members.read("run", number);
    if (record == "run") return start(members, number);
    const auto found = runs_.find(number);
    if (found == runs_.end()) throw Wrong{fmt::format("is of run {}, which never began", number)};
    InRun& in = found->second;
    if (record == "opened") return opened(members, in);
    if (record == "closed") return closed(members, in);
    if (record == "begun") return begun(members, in);
    if (record == "ended") return ended(members, in);
    if (record == "resource") return resource(members, run_of(in));
    if (record == "lag") return lag(members, run_of(in));
    if (record == "pause") return pause(members, run_of(in));
    if (record == "client") return client(members, run_of(in));
    if (record == "end") return end(members, run_of(in));
  }

  NdjsonJournal finish() {
    for (Run& run : journal_.runs) {
      std::ranges::sort(run.attempts, {}, &Attempt::id);
      std::ranges::sort(run.connections, {}, &Connection::id);
      run.attempts_begun = std::max<std::uint64_t>(run.attempts_begun, run.attempts.size());
      run.connections_opened =
          std::max<std::uint64_t>(run.connections_opened, run.connections.size());
      run.dropped_attempts = run.attempts_begun - run.attempts.size();
      run.dropped_connections = run.connections_opened - run.connections.size();
    }
    return std::move(journal_);
  }

 private:
  // Where a run's records are, so that what comes later is found at once.
  struct InRun {
    std::size_t index = 0;
    std::unordered_map<AttemptId, std::size_t> attempts;  // that do not stand at their number
    std::unordered_map<ConnectionId, std::size_t> connections;
  };

  // Most attempts begin in the order of their numbers, and none is missing.
  static Attempt* find_attempt(InRun& in, std::vector<Attempt>& attempts, AttemptId id) {
    if (id - 1 < attempts.size() && attempts[id - 1].id == id) return &attempts[id - 1];
    const auto found = in.attempts.find(id);
    return found == in.attempts.end() ? nullptr : &attempts[found->second];
  }

  Run& run_of(const InRun& in) { return journal_.runs[in.index]; }

  void start(const Members& members, std::uint32_t number) {
    std::string format;
    members.read("format", format);
    const std::string_view major = kNdjsonFormat.substr(0, kNdjsonFormat.find('.') + 1);
    if (!format.starts_with(major)) {
      throw Wrong{
          fmt::format("has the journal format \"{}\"; this retrylab reads {}x", format, major)};
    }
    if (runs_.contains(number)) throw Wrong{fmt::format("starts run {} a second time", number)};
    Run run;
    run.number = number;
    members.read("scenario", run.scenario_name);
    members.read("hash", run.scenario_hash);
    members.read("seed", run.seed);
    members.read("command", run.command);
    Duration wall{0};
    members.read("wall_origin_ns", wall);
    run.wall_origin = WallTime(wall);
    members.read("one_process", run.one_process);
    members.read("processes", run.processes);
    if (!scenario_hash_.empty() && run.scenario_hash != scenario_hash_) {
      throw Wrong{fmt::format("is of another scenario: \"{}\" with hash {}, not {}",
                              run.scenario_name, run.scenario_hash, scenario_hash_)};
    }
    if (journal_.runs.empty()) {
      journal_.format = format;
      members.read("retrylab", journal_.retrylab_version);
    }
    runs_[number].index = journal_.runs.size();
    journal_.runs.push_back(std::move(run));
  }

  void opened(const Members& members, InRun& in) {
    Connection connection;
    connection.run = run_of(in).number;
    members.read("connection", connection.id);
    members.read("listener", connection.listener);
    members.read("client", connection.client);
    members.read("at_ns", connection.accepted);
    members.read("planned_faults", connection.planned_faults);
    in.connections[connection.id] = run_of(in).connections.size();
    run_of(in).connections.push_back(std::move(connection));
  }

  void closed(const Members& members, InRun& in) {
    ConnectionId id = 0;
    members.read("connection", id);
    const auto found = in.connections.find(id);
    if (found == in.connections.end()) {
      throw Wrong{fmt::format("closes connection {}, which was never opened", id)};
    }
    Connection& connection = run_of(in).connections[found->second];
    members.read("at_ns", connection.closed);
    members.read("by", connection.closed_by, closed_by_of);
    members.read("bytes_received", connection.bytes_received);
    members.read("requests", connection.requests);
    members.read("planned_faults", connection.planned_faults);
    members.read("faults_delivered", connection.faults_delivered);
  }

  void begun(const Members& members, InRun& in) {
    Attempt attempt;
    attempt.run = run_of(in).number;
    members.read("attempt", attempt.id);
    read_begun(members, attempt);
    std::vector<Attempt>& attempts = run_of(in).attempts;
    if (find_attempt(in, attempts, attempt.id) != nullptr) {
      throw Wrong{fmt::format("begins attempt {} a second time", attempt.id)};
    }
    if (attempt.id != attempts.size() + 1) in.attempts.emplace(attempt.id, attempts.size());
    attempts.push_back(std::move(attempt));
  }

  void ended(const Members& members, InRun& in) {
    AttemptId id = 0;
    members.read("attempt", id);
    Attempt* attempt = find_attempt(in, run_of(in).attempts, id);
    if (attempt == nullptr) throw Wrong{fmt::format("ends attempt {}, which never began", id)};
    read_progress(members, *attempt);
    if (const auto delivered = members.object("delivered")) {
      read_delivered(*delivered, attempt->delivered);
    }
  }

  static void resource(const Members& members, Run& run) {
    Resource& resource = run.resources.emplace_back();
    resource.run = run.number;
    members.read("kind", resource.kind);
    members.read("id", resource.id);
    members.read("attempt", resource.attempt);
    members.read("key", resource.key);
    members.read("at_ns", resource.at);
  }

  static void lag(const Members& members, Run& run) {
    Lag& lag = run.lags.emplace_back();
    members.read("at_ns", lag.at);
    members.read("late_ns", lag.late);
  }

  static void pause(const Members& members, Run& run) {
    Pause& pause = run.pauses.emplace_back();
    members.read("from_ns", pause.from);
    members.read("until_ns", pause.until);
    members.read("why", pause.why);
  }

  static void client(const Members& members, Run& run) {
    ClientEnd& client = run.clients.emplace_back();
    members.read("process", client.process);
    members.read("exit_code", client.exit_code);
    members.read("signal", client.signal);
    members.read("outcome", client.outcome, outcome_of);
    members.read("declared", client.declared);
    members.read("status", client.status);
    members.read("body_sha256", client.body_sha256);
    members.read("reason", client.reason);
    members.read("ended_ns", client.ended);
  }

  static void end(const Members& members, Run& run) {
    members.read("ended_ns", run.ended);
    members.read("zero_ns", run.zero);
    members.read("attempts_begun", run.attempts_begun);
    members.read("connections_opened", run.connections_opened);
    members.read("steps_unused", run.steps_unused);
  }

  std::string scenario_hash_;
  Members::Tools tools_;
  NdjsonJournal journal_;
  std::unordered_map<std::uint32_t, InRun> runs_;
};

namespace {

bool is_blank(std::string_view line) {
  return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

}  // namespace

NdjsonReader::NdjsonReader(std::string scenario_hash)
    : records_(std::make_unique<Records>(std::move(scenario_hash))) {}
NdjsonReader::~NdjsonReader() = default;

Result<void> NdjsonReader::feed(std::string_view bytes) {
  for (auto end = bytes.find('\n'); end != std::string_view::npos; end = bytes.find('\n')) {
    std::string_view whole = bytes.substr(0, end);
    if (!rest_.empty()) whole = rest_.append(whole);
    if (auto read = line(whole); !read) return read;
    rest_.clear();
    bytes.remove_prefix(end + 1);
  }
  rest_.append(bytes);
  return {};
}

Result<void> NdjsonReader::line(std::string_view line) {
  ++number_;
  if (is_blank(line)) return {};
  try {
    records_->line(line);
  } catch (const Wrong& wrong) {
    return fail(ErrorCode::invalid_argument, fmt::format("line {}", number_),
                fmt::format("this line {}", wrong.what));
  }
  return {};
}

Result<NdjsonJournal> NdjsonReader::finish() {
  std::vector<std::string> notes;
  if (!is_blank(rest_) && !JsonLine().parse(rest_)) {
    notes.push_back(fmt::format("line {} is cut off and was left out", number_ + 1));
  } else if (auto read = line(rest_); !read) {
    return tl::unexpected(read.error());
  }
  NdjsonJournal journal = records_->finish();
  journal.notes = std::move(notes);
  if (journal.runs.empty()) {
    return fail(ErrorCode::invalid_argument, "line 1", "there is no run in this journal");
  }
  return journal;
}

Result<NdjsonJournal> read_ndjson(std::string_view text, std::string_view scenario_hash) {
  NdjsonReader reader{std::string(scenario_hash)};
  if (auto fed = reader.feed(text); !fed) return tl::unexpected(fed.error());
  return reader.finish();
}

}  // namespace retrylab::journal
