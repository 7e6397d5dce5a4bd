// SPDX-License-Identifier: MIT
#include "server/cli/served.h"

#include <charconv>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "server/cli/invocation.h"
#include "server/cli/seeds.h"
#include "server/report/report.h"

namespace retrylab::cli {
namespace {

// Of "http://127.0.0.1:8080".
std::uint16_t port_of(const std::string& url) {
  const auto digits = std::string_view(url).substr(url.rfind(':') + 1);
  std::uint16_t port = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), port);
  return port;
}

}  // namespace

Served::Served(ServedOptions options, runs::Loop& loop, JournalFile* journal)
    : options_(std::move(options)), loop_(loop), journal_(journal) {}

Result<void> Served::accepts(const scenario::Scenario& scenario) const {
  // With TLS every scenario can be served, and an authority need not be made to know that.
  if (options_.tls) return {};
  auto tls = Tls::make(false, scenario);
  if (!tls) return tl::unexpected(tls.error());
  return {};
}

Result<void> Served::start(std::unique_ptr<scenario::Scenario> scenario) {
  if (!tls_) {
    auto tls = Tls::make(options_.tls, *scenario);
    if (!tls) return tl::unexpected(tls.error());
    tls_.emplace(std::move(*tls));
  }
  run_.reset();
  scenario_ = std::move(scenario);
  ++runs_;
  auto run = runs::LiveRun::start(*scenario_, loop_, run_options());
  if (!run) return tl::unexpected(run.error());
  run_ = std::move(*run);
  options_.port = port_of(url());
  return {};
}

runs::RunOptions Served::run_options() {
  std::function<void()> write_out;
  if (journal_ != nullptr) {
    write_out = [file = journal_] { file->write_out(); };
    sink_ = std::make_unique<journal::NdjsonSink>(
        [file = journal_](std::string_view line) { file->append(line); },
        std::string(report::version()));
  }
  const auto seed = choose_seed(options_.seed, scenario_->seed);
  return {.number = runs_,
          .seed = seed,
          .command = shell_line(
              {options_.program, "serve", options_.name, "--seed", fmt::format("{}", seed)}),
          .listen = options_.listen,
          .port = options_.port,
          .one_process = false,
          .tls = tls_->identities(),
          .sink = sink_.get(),
          .write_out = std::move(write_out)};
}

journal::Run Served::stop() {
  return run_->stop();
}

}  // namespace retrylab::cli
