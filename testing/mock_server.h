// SPDX-License-Identifier: MIT
// A run of a scenario inside a test: own port, own journal, stopped by its destructor.
//
//   auto server = MockServer::start(*scenario);
//   my_client.pay((*server)->url("/v1/payments"));
//   EXPECT_THAT(**server, Passed());
//
// Needs no process and no file; the client under test may be any code that speaks HTTP to a URL.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "client_lib/base/result.h"
#include "server/journal/record.h"
#include "server/scenario/scenario.h"
#include "server/verify/verdict.h"

namespace retrylab::testing {

struct MockServerOptions {
  std::uint64_t seed = 1;
  // All attempts belong to one operation. False: they are grouped as a served run's are, by the
  // scenario's `operation`, by headers or by content (docs/scenario-language.md).
  bool one_operation = true;
};

class MockServer {
 public:
  // Listens on a free port of 127.0.0.1 when this returns. Errors: the scenario's mistakes, one
  // line each, or ErrorCode::machine when there is no port to be had.
  static Result<std::unique_ptr<MockServer>> start(scenario::Scenario scenario,
                                                   MockServerOptions options = {});
  // From a scenario's text, or from a file; body_file is read beside the file.
  static Result<std::unique_ptr<MockServer>> start_text(std::string_view text,
                                                        MockServerOptions options = {});
  static Result<std::unique_ptr<MockServer>> start_file(const std::string& path,
                                                        MockServerOptions options = {});

  ~MockServer();
  MockServer(const MockServer&) = delete;
  MockServer& operator=(const MockServer&) = delete;

  // "http://127.0.0.1:PORT" and the path, which begins with "/".
  std::string url(std::string_view path = "") const;

  // Waits until so many attempts have begun, at most `timeout`; false when they have not.
  bool wait_for_attempts(std::uint64_t count, std::chrono::nanoseconds timeout) const;

  // What the client itself came to, for the expectation `client`. Without it that expectation
  // has nothing to judge.
  void client_succeeded(int status = 0, std::string body_sha256 = "");
  void client_failed(std::string reason = "");

  // What happened so far.
  journal::Run journal() const;

  // The judgement. The first call ends the run: the server answers no more, so that what is
  // judged stays as it is.
  const verify::Verdict& verdict() const;

  // The report for people: timeline, rules, verdict. Ends the run as verdict() does.
  std::string report() const;

  const scenario::Scenario& scenario() const;

 private:
  class Impl;
  explicit MockServer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// By reference to the server, so that gMock prints the report rather than bytes.
void PrintTo(const MockServer& server, std::ostream* stream);  // NOLINT: gMock's name

}  // namespace retrylab::testing
