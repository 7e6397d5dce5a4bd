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

Served::Served(ServedOptions options, control::LiveRuns& runs, JournalFile* journal)
    : options_(std::move(options)), runs_(runs), journal_(journal) {}

Result<void> Served::accepts(const scenario::Scenario& scenario) const {
  // With TLS every scenario can be served, and an authority need not be made to know that.
  if (options_.tls.wanted()) return {};
  auto tls = Tls::make({}, scenario);
  if (!tls) return tl::unexpected(tls.error());
  return {};
}

Result<void> Served::start(LoadedScenario loaded) {
  if (!tls_) {
    auto tls = Tls::make(options_.tls, loaded.scenario);
    if (!tls) return tl::unexpected(tls.error());
    tls_.emplace(std::move(*tls));
  }
  scenario_ = std::make_shared<const scenario::Scenario>(std::move(loaded.scenario));
  auto run = runs_.adopt({.order = {.scenario = scenario_,
                                    .text = std::move(loaded.text),
                                    .catalogue = std::move(loaded.catalogue)},
                          .options = run_options(),
                          .resets = journal_ == nullptr,
                          .main = options_.main});
  if (!run) return tl::unexpected(run.error());
  run_ = std::move(*run);
  options_.port = port_of(run_.url);
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
  return {.seed = seed,
          .command = shell_line(
              {options_.program, "serve", options_.name, "--seed", fmt::format("{}", seed)}),
          .listen = options_.listen,
          .port = options_.port,
          .one_process = false,
          .tls = tls_->identities(),
          .sink = sink_.get(),
          .write_out = std::move(write_out)};
}

bool Served::is_idle() const {
  const auto progress = runs_.progress(run_.id);
  return !progress || progress->attempts_under_way == 0;
}

std::optional<journal::Run> Served::stop() {
  return runs_.stop(run_.id);
}

}  // namespace retrylab::cli
