// SPDX-License-Identifier: MIT
// `--tls`: an authority, made at the start or given, and the file that clients trust it by.
#pragma once

#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include "client_lib/base/result.h"
#include "server/net/certificates.h"
#include "server/scenario/scenario.h"

namespace retrylab::cli {

struct TlsFlags {
  bool tls = false;
  std::string authority;  // the file of its certificate and key; "": one is made

  bool wanted() const { return tls || !authority.empty(); }
};

// "--tls", and "--tls-authority" which implies it.
void add_tls(CLI::App& command, TlsFlags& flags);

// The authority's certificate is a file while this lives.
class Tls {
 public:
  // Not wanted: no TLS, no file, and a mistake when the scenario needs it. Errors:
  // ErrorCode::machine, or invalid_argument that names --tls or the authority's file.
  static Result<Tls> make(const TlsFlags& flags, const scenario::Scenario& scenario);
  ~Tls();
  Tls(Tls&& other) noexcept;
  Tls& operator=(Tls&&) = delete;

  const std::shared_ptr<const net::Identities>& identities() const { return identities_; }
  // "" without TLS.
  const std::string& authority_file() const { return file_; }

 private:
  Tls() = default;

  std::shared_ptr<const net::Identities> identities_;
  std::string file_;
};

}  // namespace retrylab::cli
