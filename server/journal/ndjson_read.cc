// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <unordered_map>
#include <utility>

#include "server/journal/ndjson.h"

namespace retrylab::journal {
namespace {

using nlohmann::json;

// What is wrong with a line, for people; thrown and caught within this file.
struct Wrong {
  std::string what;
};

// One code point below 256 is one byte.
std::string bytes_of(const std::string& utf8) {
  std::string bytes;
  bytes.reserve(utf8.size());
  for (std::size_t i = 0; i < utf8.size(); ++i) {
    const auto lead = static_cast<unsigned char>(utf8[i]);
    if (lead < 0x80) {
      bytes.push_back(utf8[i]);
    } else if (lead <= 0xc3 && i + 1 < utf8.size()) {
      const auto next = static_cast<unsigned char>(utf8[++i]);
      bytes.push_back(static_cast<char>(((lead & 0x03U) << 6U) | (next & 0x3fU)));
    } else {
      throw Wrong{"has a character beyond U+00FF in a string"};
    }
  }
  return bytes;
}

// The members of one object, each with its default.
class Members {
 public:
  explicit Members(const json& object) : object_(object) {}

  void read(const char* name, std::string& value) const {
    if (const json* found = find(name)) value = bytes_of(found->get_ref<const std::string&>());
  }
  void read(const char* name, std::vector<std::string>& values) const {
    const json* found = find(name);
    if (found == nullptr) return;
    values.clear();
    for (const json& one : *found) values.push_back(bytes_of(one.get_ref<const std::string&>()));
  }
  // Names and values in turn.
  void read(const char* name, Headers& headers) const {
    std::vector<std::string> texts;
    read(name, texts);
    for (std::size_t i = 0; i + 1 < texts.size(); i += 2) {
      headers.push_back({std::move(texts[i]), std::move(texts[i + 1])});
    }
  }
  void read(const char* name, bool& value) const {
    if (const json* found = find(name)) value = found->get<bool>();
  }
  template <std::integral T>
  void read(const char* name, T& value) const {
    if (const json* found = find(name)) value = number<T>(name, *found);
  }
  void read(const char* name, Instant& at) const {
    if (const json* found = find(name)) at = Instant(Duration(number<std::int64_t>(name, *found)));
  }
  void read(const char* name, Duration& time) const {
    if (const json* found = find(name)) time = Duration(number<std::int64_t>(name, *found));
  }
  template <typename T>
  void read(const char* name, std::optional<T>& value) const {
    if (find(name) != nullptr) read(name, value.emplace());
  }
  void read(const char* name, std::optional<Sha256>& digest) const {
    std::string hex;
    read(name, hex);
    if (!hex.empty()) digest = from_hex(name, hex);
  }
  // An enum by its word.
  template <typename T>
  void read(const char* name, T& value, std::optional<T> (*of)(std::string_view)) const {
    std::string text;
    read(name, text);
    if (text.empty()) return;
    const std::optional<T> known = of(text);
    if (!known) throw Wrong{fmt::format("has an unknown {}, \"{}\"", name, text)};
    value = *known;
  }
  std::optional<Members> object(const char* name) const {
    const json* found = find(name);
    if (found == nullptr) return std::nullopt;
    if (!found->is_object()) throw Wrong{fmt::format("has a \"{}\" that is no object", name)};
    return Members(*found);
  }

 private:
  const json* find(const char* name) const {
    const auto found = object_.find(name);
    return found == object_.end() ? nullptr : &*found;
  }

  template <typename T>
  static T number(const char* name, const json& value) {
    const bool fits = value.is_number_unsigned()  ? std::in_range<T>(value.get<std::uint64_t>())
                      : value.is_number_integer() ? std::in_range<T>(value.get<std::int64_t>())
                                                  : false;
    if (!fits) throw Wrong{fmt::format("has a \"{}\" that is no such number", name)};
    return value.get<T>();
  }

  static Sha256 from_hex(const char* name, std::string_view hex) {
    static constexpr std::string_view kDigits = "0123456789abcdef";
    Sha256 digest{};
    const bool right =
        hex.size() == 2 * digest.size() && hex.find_first_not_of(kDigits) == std::string_view::npos;
    if (!right) throw Wrong{fmt::format("has a \"{}\" that is no SHA-256", name)};
    for (std::size_t i = 0; i < digest.size(); ++i) {
      digest[i] =
          static_cast<std::uint8_t>(kDigits.find(hex[2 * i]) * 16 + kDigits.find(hex[2 * i + 1]));
    }
    return digest;
  }

  const json& object_;
};

void read_planned(const Members& members, Planned& planned) {
  members.read("source", planned.source, source_of);
  members.read("route", planned.route);
  members.read("step", planned.step);
  members.read("status", planned.status);
  members.read("retry_after", planned.retry_after);
  members.read("location", planned.location);
  members.read("delay_ns", planned.delay);
  members.read("faults", planned.faults);
  members.read("complete", planned.complete);
  members.read("connection_close", planned.connection_close);
  members.read("should_retry_false", planned.should_retry_false);
  members.read("hints", planned.hints);
  members.read("near_misses", planned.near_misses);
  members.read("note", planned.note);
}

void read_progress(const Members& members, Attempt& attempt) {
  members.read("body_read_ns", attempt.body_read);
  members.read("body_bytes", attempt.body_bytes);
  members.read("body_sha256", attempt.body_sha256);
  members.read("operation", attempt.operation);
  members.read("key", attempt.key);
  members.read("executed", attempt.executed);
  members.read("replayed", attempt.replayed);
  members.read("resource", attempt.resource);
}

void read_begun(const Members& members, Attempt& attempt) {
  members.read("connection", attempt.connection);
  members.read("number_on_connection", attempt.number_on_connection);
  members.read("listener", attempt.listener);
  members.read("client", attempt.client);
  members.read("first_byte_ns", attempt.first_byte);
  members.read("first_byte_from_kernel", attempt.first_byte_from_kernel);
  members.read("head_read_ns", attempt.head_read);
  members.read("method", attempt.method);
  members.read("target", attempt.target);
  members.read("head", attempt.head);
  members.read("route_has_store", attempt.route_has_store);
  read_progress(members, attempt);
  if (const auto planned = members.object("planned")) read_planned(*planned, attempt.planned);
}

void read_delivered(const Members& members, Delivered& delivered) {
  members.read("ending", delivered.ending, ending_of);
  members.read("r_min_ns", delivered.r_min);
  members.read("r_max_ns", delivered.r_max);
  members.read("bytes", delivered.bytes);
  members.read("faults_delivered", delivered.faults_delivered);
  members.read("peer_left_ns", delivered.peer_left);
  members.read("peer_reset", delivered.peer_reset);
  members.read("ended_ns", delivered.ended);
}

// Collects the records of all runs.
class Reader {
 public:
  explicit Reader(std::string_view scenario_hash) : scenario_hash_(scenario_hash) {}

  // Throws Wrong, or what nlohmann throws for a member of a wrong type.
  void line(const json& object) {
    const Members members(object);
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
    std::unordered_map<AttemptId, std::size_t> attempts;
    std::unordered_map<ConnectionId, std::size_t> connections;
  };

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
    if (!in.attempts.emplace(attempt.id, run_of(in).attempts.size()).second) {
      throw Wrong{fmt::format("begins attempt {} a second time", attempt.id)};
    }
    run_of(in).attempts.push_back(std::move(attempt));
  }

  void ended(const Members& members, InRun& in) {
    AttemptId id = 0;
    members.read("attempt", id);
    const auto found = in.attempts.find(id);
    if (found == in.attempts.end()) {
      throw Wrong{fmt::format("ends attempt {}, which never began", id)};
    }
    Attempt& attempt = run_of(in).attempts[found->second];
    read_progress(members, attempt);
    if (const auto delivered = members.object("delivered")) {
      read_delivered(*delivered, attempt.delivered);
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

  std::string_view scenario_hash_;
  NdjsonJournal journal_;
  std::unordered_map<std::uint32_t, InRun> runs_;
};

// What is wrong with the line, or nothing.
std::optional<std::string> read_line(Reader& reader, const json& object) {
  if (!object.is_object()) return "is no JSON object";
  try {
    reader.line(object);
  } catch (const Wrong& wrong) {
    return wrong.what;
  } catch (const json::exception& wrong) {
    return fmt::format("has a member of a wrong type ({})", wrong.what());
  }
  return std::nullopt;
}

}  // namespace

Result<NdjsonJournal> read_ndjson(std::string_view text, std::string_view scenario_hash) {
  Reader reader(scenario_hash);
  std::vector<std::string> notes;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const auto end = text.find('\n');
    const bool whole = end != std::string_view::npos;
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(whole ? end + 1 : text.size());
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    const json object = json::parse(line, nullptr, false);
    if (!whole && object.is_discarded()) {
      notes.push_back(fmt::format("line {} is cut off and was left out", number));
      break;
    }
    if (const auto wrong = read_line(reader, object)) {
      return fail(ErrorCode::invalid_argument, fmt::format("line {}", number),
                  fmt::format("this line {}", *wrong));
    }
  }
  NdjsonJournal journal = reader.finish();
  journal.notes = std::move(notes);
  if (journal.runs.empty()) {
    return fail(ErrorCode::invalid_argument, "line 1", "there is no run in this journal");
  }
  return journal;
}

}  // namespace retrylab::journal
