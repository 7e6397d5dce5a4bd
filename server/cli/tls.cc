// SPDX-License-Identifier: MIT
#include "server/cli/tls.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

#include "server/cli/scenario_source.h"

namespace retrylab::cli {
namespace {

Result<std::string> write_temporary(const std::string& text) {
  std::string name = (std::filesystem::temp_directory_path() / "retrylab-ca-XXXXXX.pem").string();
  constexpr int kSuffix = 4;
  const int descriptor = mkstemps(name.data(), kSuffix);
  if (descriptor < 0) return fail(ErrorCode::machine, name, std::strerror(errno));
  const bool whole =
      write(descriptor, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  close(descriptor);
  if (!whole) return fail(ErrorCode::machine, name, "cannot write the certificate");
  return name;
}

bool needs_tls(const scenario::Scenario& scenario) {
  return std::ranges::any_of(scenario.connections, [](const scenario::ConnectionStep& step) {
    return step.certificate.has_value();
  });
}

Result<net::Identities> identities_for(const std::string& authority) {
  if (authority.empty()) return net::make_identities();
  const auto text = read_file(authority);
  if (!text) return tl::unexpected(text.error());
  auto made = net::make_identities(*text);
  if (!made && made.error().where.empty()) made.error().where = authority;
  return made;
}

}  // namespace

void add_tls(CLI::App& command, TlsFlags& flags) {
  command.add_flag("--tls", flags.tls,
                   "Speak HTTPS, with an authority made for it (RETRYLAB_CA names its file)");
  command.add_option("--tls-authority", flags.authority,
                     "Speak HTTPS, with the authority in this PEM file: its certificate and key");
}

Result<Tls> Tls::make(const TlsFlags& flags, const scenario::Scenario& scenario) {
  Tls tls;
  if (!flags.wanted() && needs_tls(scenario)) {
    return fail(ErrorCode::invalid_argument, "--tls",
                "the scenario's connections show certificates: it needs --tls");
  }
  if (!flags.wanted()) return tls;
  auto made = identities_for(flags.authority);
  if (!made) return tl::unexpected(made.error());
  auto file = write_temporary(made->authority);
  if (!file) return tl::unexpected(file.error());
  tls.identities_ = std::make_shared<const net::Identities>(std::move(*made));
  tls.file_ = std::move(*file);
  return tls;
}

Tls::Tls(Tls&& other) noexcept
    : identities_(std::move(other.identities_)), file_(std::exchange(other.file_, {})) {}

Tls::~Tls() {
  std::error_code ignored;
  if (!file_.empty()) std::filesystem::remove(file_, ignored);
}

}  // namespace retrylab::cli
