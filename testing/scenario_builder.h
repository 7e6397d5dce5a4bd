// SPDX-License-Identifier: MIT
// A scenario built in C++. It says the words of the file and becomes the same values: what is
// built goes through the decoder, so the same mistakes are refused.
//
//   auto scenario = ScenarioBuilder("charge-once")
//                       .route("POST /v1/payments").creates("payment").keeps_keys()
//                       .answers(429).retry_after(2s)
//                       .answers(201).fault("reset", "response_start")
//                       .answers(201)
//                       .expects_attempts(3).expects_created("payment", 1)
//                       .build();
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "client_lib/base/result.h"
#include "client_lib/base/time.h"
#include "server/scenario/scenario.h"

namespace retrylab::testing {

class ScenarioBuilder {
 public:
  explicit ScenarioBuilder(std::string_view name);
  ~ScenarioBuilder();
  ScenarioBuilder(ScenarioBuilder&&) noexcept;
  ScenarioBuilder& operator=(ScenarioBuilder&&) noexcept;

  // ---- Routes: what follows belongs to the last one.
  ScenarioBuilder& route(std::string_view method_and_path);
  ScenarioBuilder& creates(std::string_view kind);
  ScenarioBuilder& keeps_keys(std::string_view header = "Idempotency-Key", bool required = true);
  ScenarioBuilder& after_script(std::string_view what);  // repeat_last, cycle, fail

  // ---- Steps: what follows belongs to the last one.
  ScenarioBuilder& answers(int status);
  ScenarioBuilder& times(std::uint32_t count);
  ScenarioBuilder& header(std::string_view name, std::string_view value);
  ScenarioBuilder& body(std::string_view text);
  ScenarioBuilder& json(std::string_view text);
  ScenarioBuilder& retry_after(Duration wait);
  ScenarioBuilder& delay(Duration time);
  ScenarioBuilder& fault(std::string_view effect, std::string_view moment);
  ScenarioBuilder& fault_at_byte(std::string_view effect, std::string_view moment,
                                 std::uint64_t byte);
  ScenarioBuilder& executes(bool whether);

  // ---- Expectations.
  ScenarioBuilder& expects_attempts(std::uint64_t count);
  ScenarioBuilder& expects_created(std::string_view kind, std::uint64_t count);
  ScenarioBuilder& expects_profile(std::string_view profile);
  ScenarioBuilder& expects_client(std::string_view outcome);  // succeeds, fails, any
  // Any other member of `expect`, as JSON text.
  ScenarioBuilder& expects(std::string_view member, std::string_view json_text);

  // The scenario file.
  std::string text() const;

  // The values, or every mistake, one line each.
  Result<scenario::Scenario> build() const;

 private:
  class Document;
  std::unique_ptr<Document> document_;
};

}  // namespace retrylab::testing
