// SPDX-License-Identifier: MIT
#include "server/runner/supervisor.h"

#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "client_lib/base/check.h"
#include "server/runner/orphans.h"
#include "server/runner/outcome.h"
#include "server/runner/process.h"

namespace retrylab::runner {
namespace {

using Clock = std::chrono::steady_clock;
using Outcome = journal::ClientEnd::Outcome;
constexpr auto kNoDeadline = Clock::time_point::max();
constexpr std::size_t kLargestOutcomeFile = 64'000;
// One client that writes without end must not keep the others waiting.
constexpr int kReadsPerTurn = 64;

sigset_t forwarded_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) sigaddset(&signals, signal);
  return signals;
}

void write_all(int to, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(to, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;  // whoever read our output has left; the run goes on
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

std::optional<Declared> read_outcome_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text(kLargestOutcomeFile, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (auto declared = parse_declared(text)) return declared;
  OutcomeReader lines;
  lines.feed(text);
  return lines.finish();
}

tl::unexpected<Error> machine_error(std::string_view what) {
  return fail(ErrorCode::machine, "", fmt::format("{}: {}", what, std::strerror(errno)));
}

// A client that runs.
struct Client {
  std::size_t number = 0;
  Process process;
  OutcomeReader output;
  std::uint64_t output_bytes = 0;
  Clock::time_point deadline = kNoDeadline;  // of what comes next: SIGTERM, then SIGKILL
  bool terminated = false;                   // SIGTERM or a forwarded signal was sent
  bool timed_out = false;
};

}  // namespace

class Supervisor::Impl {
 public:
  explicit Impl(SupervisorOptions options) : options_(options) {
    const auto signals = forwarded_signals();
    pthread_sigmask(SIG_BLOCK, &signals, &old_mask_);
  }

  Result<void> open() {
    if (options_.ends_orphans) {
      own_children_ = children();
      adopt_orphans();
    }
    auto name = (std::filesystem::temp_directory_path() / "retrylab-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) return machine_error("cannot make " + name);
    folder_ = name;
    const auto signals = forwarded_signals();
    signals_ = Descriptor(signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK));
    if (!signals_.is_open()) return machine_error("cannot watch for signals");
    return {};
  }

  ~Impl() {
    for (auto& client : clients_) client.process.reap();
    if (options_.ends_orphans) end_children_except(own_children_);
    pthread_sigmask(SIG_SETMASK, &old_mask_, nullptr);
    std::error_code ignored;
    if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
  }

  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  std::string outcome_file(std::size_t client) const {
    return folder_ / fmt::format("outcome-{}", client);
  }

  Result<void> start(std::size_t number, const Command& command) {
    auto process = Process::start(command);
    if (!process) return tl::unexpected(process.error());
    clients_.push_back({.number = number, .process = std::move(*process)});
    start_time(clients_.back());
    return {};
  }

  void restart_time(std::size_t number) {
    const auto client = std::ranges::find(clients_, number, &Client::number);
    if (client != clients_.end() && !client->terminated) start_time(*client);
  }

  std::optional<Ended> next_ended(Clock::time_point until) {
    CHECK(!clients_.empty());
    while (true) {
      const auto ready = wait(until);
      if (ready.front().revents != 0) forward_signals();
      for (std::size_t i = 0; i < clients_.size(); ++i) {
        if (ready[1 + 2 * i].revents != 0) pass_output(clients_[i]);
        if (ready[2 + 2 * i].revents != 0) return end(i);
      }
      enforce_deadlines();
      if (Clock::now() >= until) return std::nullopt;
    }
  }

  std::size_t running() const { return clients_.size(); }
  std::optional<int> signal() const { return signal_; }

 private:
  // The signal descriptor first, then each client's output and exit descriptors.
  std::vector<pollfd> wait(Clock::time_point until) {
    std::vector<pollfd> fds{{.fd = signals_.get(), .events = POLLIN, .revents = 0}};
    auto next = until;
    for (const auto& client : clients_) {
      fds.push_back({.fd = client.process.output_descriptor(), .events = POLLIN, .revents = 0});
      fds.push_back({.fd = client.process.exit_descriptor(), .events = POLLIN, .revents = 0});
      next = std::min(next, client.deadline);
    }
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(next - Clock::now()).count();
    const auto wait_ms = std::clamp<std::int64_t>(left, 0, 3'600'000);
    if (poll(fds.data(), fds.size(), static_cast<int>(wait_ms)) < 0) {
      for (auto& fd : fds) fd.revents = 0;
    }
    return fds;
  }

  void start_time(Client& client) const {
    if (options_.timeout != kForever) client.deadline = Clock::now() + options_.timeout;
  }

  void forward_signals() {
    signalfd_siginfo info{};
    while (read(signals_.get(), &info, sizeof info) == sizeof info) {
      const int number = static_cast<int>(info.ssi_signo);
      if (!signal_) signal_ = number;
      for (auto& client : clients_) terminate(client, number, options_.signal_grace);
    }
  }

  void terminate(Client& client, int signal, Duration grace) {
    client.process.signal_group(signal);
    if (client.terminated) return;
    client.terminated = true;
    client.deadline = Clock::now() + grace;
  }

  void enforce_deadlines() {
    for (auto& client : clients_) {
      if (Clock::now() < client.deadline) continue;
      if (client.terminated) {
        client.process.signal_group(SIGKILL);
        client.deadline = kNoDeadline;
      } else {
        client.timed_out = true;
        terminate(client, SIGTERM, options_.grace);
      }
    }
  }

  // What there is now; the pipe may stay open in a process that the client left behind.
  void pass_output(Client& client) const {
    std::array<char, 16'384> buffer;
    for (int i = 0; i < kReadsPerTurn && client.process.output_descriptor() >= 0; ++i) {
      const ssize_t got = read(client.process.output_descriptor(), buffer.data(), buffer.size());
      if (got > 0) {
        const std::string_view bytes(buffer.data(), static_cast<std::size_t>(got));
        client.output_bytes += bytes.size();
        client.output.feed(bytes);
        write_all(options_.output, bytes);
      } else if (got == 0) {
        client.process.close_output();
      } else if (errno != EINTR) {
        return;
      }
    }
  }

  Ended end(std::size_t index) {
    Client client = std::move(clients_[index]);
    clients_.erase(clients_.begin() + static_cast<std::ptrdiff_t>(index));
    const pid_t leader = client.process.pid();
    const ExitStatus status = client.process.reap();
    pass_output(client);
    Ended ended{.client = client.number, .end = {}, .output_bytes = client.output_bytes};
    if (options_.ends_orphans) {
      ended.left_behind = end_orphans(leader, "RETRYLAB_OUTCOME=" + outcome_file(client.number));
    }
    ended.end.exit_code = status.code;
    ended.end.signal = status.signal;
    ended.end.outcome = status.signal       ? Outcome::signalled
                        : *status.code == 0 ? Outcome::success
                                            : Outcome::failure;
    declare(ended.end, client);
    if (client.timed_out) ended.end.outcome = Outcome::hung;
    // A terminal gives its signal to both; the client's end may be seen first.
    forward_signals();
    if (signal_ && ended.end.outcome != Outcome::success) ended.end.outcome = Outcome::interrupted;
    return ended;
  }

  // The file outdoes the output.
  void declare(journal::ClientEnd& end, Client& client) const {
    auto declared = client.output.finish();
    if (auto in_file = read_outcome_file(outcome_file(client.number))) declared = in_file;
    if (!declared) return;
    end.declared = true;
    end.outcome = declared->outcome;
    end.status = declared->status;
    end.body_sha256 = declared->body_sha256;
    end.reason = declared->reason;
  }

  SupervisorOptions options_;
  std::filesystem::path folder_;
  sigset_t old_mask_{};
  Descriptor signals_;
  std::vector<Client> clients_;
  std::set<pid_t> own_children_;  // that were there before
  std::optional<int> signal_;
};

Supervisor::Supervisor(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Supervisor::~Supervisor() = default;

Result<std::unique_ptr<Supervisor>> Supervisor::create(SupervisorOptions options) {
  auto impl = std::make_unique<Impl>(options);
  if (const auto opened = impl->open(); !opened) return tl::unexpected(opened.error());
  return std::unique_ptr<Supervisor>(new Supervisor(std::move(impl)));
}

std::string Supervisor::outcome_file(std::size_t client) const {
  return impl_->outcome_file(client);
}

Result<void> Supervisor::start(std::size_t client, const Command& command) {
  return impl_->start(client, command);
}

Ended Supervisor::next_ended() {
  return *impl_->next_ended(kNoDeadline);
}

std::optional<Ended> Supervisor::next_ended_within(Duration time) {
  return impl_->next_ended(Clock::now() + time);
}

void Supervisor::restart_time(std::size_t client) {
  impl_->restart_time(client);
}

std::size_t Supervisor::running() const {
  return impl_->running();
}

std::optional<int> Supervisor::signal() const {
  return impl_->signal();
}

}  // namespace retrylab::runner
