// SPDX-License-Identifier: MIT
#include "testing/mock_server.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <mutex>
#include <optional>
#include <ostream>
#include <span>
#include <utility>

#include "server/report/text.h"
#include "server/runs/live_run.h"
#include "server/scenario/load.h"
#include "testing/attempt_counter.h"

namespace retrylab::testing {
namespace {

Result<std::string> read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return fail(ErrorCode::machine, path.string(), "cannot be read");
  return std::string(std::istreambuf_iterator<char>(file), {});
}

Result<scenario::Scenario> load(const std::string& name, std::string_view text,
                                const scenario::ReadFile& read) {
  auto loaded = scenario::load(text, read);
  if (loaded) return std::move(*loaded);
  std::string all;
  for (const scenario::Mistake& mistake : loaded.error()) {
    all += (all.empty() ? "" : "\n") + scenario::describe(name, mistake);
  }
  return fail(ErrorCode::invalid_scenario, name, all);
}

}  // namespace

class MockServer::Impl {
 public:
  Impl(scenario::Scenario scenario, MockServerOptions options)
      : scenario_(std::move(scenario)), options_(options) {}

  Result<void> listen();
  void client_ended(journal::ClientEnd end);
  journal::Run journal();
  const verify::Verdict& verdict();
  std::string report();

  const scenario::Scenario& scenario() const { return scenario_; }
  const std::string& url() const { return run_->urls().front(); }
  AttemptCounter& counter() { return counter_; }

 private:
  scenario::Scenario scenario_;
  MockServerOptions options_;
  AttemptCounter counter_;
  runs::Loop loop_;
  std::unique_ptr<runs::LiveRun> run_;
  std::mutex mutex_;  // for what follows
  std::optional<journal::Run> ended_;
  std::optional<verify::Verdict> verdict_;
};

Result<void> MockServer::Impl::listen() {
  auto run = runs::LiveRun::start(
      scenario_, loop_,
      {.seed = options_.seed, .one_process = options_.one_operation, .sink = &counter_});
  if (!run) return tl::unexpected(run.error());
  run_ = std::move(*run);
  return {};
}

void MockServer::Impl::client_ended(journal::ClientEnd end) {
  run_->client_ended(std::move(end));
}

journal::Run MockServer::Impl::journal() {
  const std::lock_guard lock(mutex_);
  return ended_ ? *ended_ : run_->snapshot();
}

const verify::Verdict& MockServer::Impl::verdict() {
  const std::lock_guard lock(mutex_);
  if (!verdict_) {
    ended_ = run_->stop();
    verdict_ = verify::verify(scenario_, std::span(&*ended_, 1));
  }
  return *verdict_;
}

std::string MockServer::Impl::report() {
  const verify::Verdict& judged = verdict();
  return report::text_report({scenario_, std::span(&*ended_, 1), judged}, {});
}

Result<std::unique_ptr<MockServer>> MockServer::start(scenario::Scenario scenario,
                                                      MockServerOptions options) {
  auto impl = std::make_unique<Impl>(std::move(scenario), options);
  const Result<void> listening = impl->listen();
  if (!listening) return tl::unexpected(listening.error());
  return std::unique_ptr<MockServer>(new MockServer(std::move(impl)));
}

Result<std::unique_ptr<MockServer>> MockServer::start_text(std::string_view text,
                                                           MockServerOptions options) {
  const auto nothing_to_read = [](const std::string& path) -> Result<std::string> {
    return fail(ErrorCode::machine, path, "a scenario given as text has no folder to read from");
  };
  auto loaded = load("scenario", text, nothing_to_read);
  if (!loaded) return tl::unexpected(loaded.error());
  return start(std::move(*loaded), options);
}

Result<std::unique_ptr<MockServer>> MockServer::start_file(const std::string& path,
                                                           MockServerOptions options) {
  const Result<std::string> text = read_file(path);
  if (!text) return tl::unexpected(text.error());
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  auto loaded =
      load(path, *text, [&](const std::string& name) { return read_file(folder / name); });
  if (!loaded) return tl::unexpected(loaded.error());
  return start(std::move(*loaded), options);
}

MockServer::MockServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

MockServer::~MockServer() = default;

std::string MockServer::url(std::string_view path) const {
  return impl_->url() + std::string(path);
}

bool MockServer::wait_for_attempts(std::uint64_t count, std::chrono::nanoseconds timeout) const {
  return impl_->counter().wait_for(count, timeout);
}

void MockServer::client_succeeded(int status, std::string body_sha256) {
  journal::ClientEnd end;
  end.outcome = journal::ClientEnd::Outcome::success;
  end.declared = true;
  if (status != 0) end.status = status;
  end.body_sha256 = std::move(body_sha256);
  impl_->client_ended(std::move(end));
}

void MockServer::client_failed(std::string reason) {
  journal::ClientEnd end;
  end.outcome = journal::ClientEnd::Outcome::failure;
  end.declared = true;
  end.reason = std::move(reason);
  impl_->client_ended(std::move(end));
}

journal::Run MockServer::journal() const {
  return impl_->journal();
}

const verify::Verdict& MockServer::verdict() const {
  return impl_->verdict();
}

std::string MockServer::report() const {
  return impl_->report();
}

const scenario::Scenario& MockServer::scenario() const {
  return impl_->scenario();
}

void PrintTo(const MockServer& server, std::ostream* stream) {
  *stream << "a run with this report:\n" << server.report();
}

}  // namespace retrylab::testing
