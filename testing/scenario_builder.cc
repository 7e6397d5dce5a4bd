// SPDX-License-Identifier: MIT
#include "testing/scenario_builder.h"

#include <utility>

#include <nlohmann/json.hpp>

#include "client_lib/base/check.h"
#include "client_lib/base/duration_text.h"
#include "server/scenario/load.h"

namespace retrylab::testing {

using Json = nlohmann::ordered_json;

// The JSON as it grows. Saying something of a step before there is one is a bug of the test.
class ScenarioBuilder::Document {
 public:
  explicit Document(std::string_view name) : root{{"name", name}, {"routes", Json::array()}} {}

  Json& route() {
    CHECK(!root["routes"].empty());
    return root["routes"].back();
  }
  Json& step() {
    CHECK(!route()["script"].empty());
    return route()["script"].back();
  }
  Json& expect() { return root["expect"]; }

  void add_fault(Json fault) {
    Json& faults = step()["fault"];
    if (faults.is_null()) faults = Json::array();
    faults.push_back(std::move(fault));
  }

  Json root;
};

ScenarioBuilder::ScenarioBuilder(std::string_view name)
    : document_(std::make_unique<Document>(name)) {}

ScenarioBuilder::~ScenarioBuilder() = default;
ScenarioBuilder::ScenarioBuilder(ScenarioBuilder&&) noexcept = default;
ScenarioBuilder& ScenarioBuilder::operator=(ScenarioBuilder&&) noexcept = default;

ScenarioBuilder& ScenarioBuilder::route(std::string_view method_and_path) {
  document_->root["routes"].push_back({{"on", method_and_path}, {"script", Json::array()}});
  return *this;
}

ScenarioBuilder& ScenarioBuilder::creates(std::string_view kind) {
  document_->route()["creates"] = kind;
  return *this;
}

ScenarioBuilder& ScenarioBuilder::keeps_keys(std::string_view header, bool required) {
  document_->route()["idempotency"] = {{"header", header}, {"required", required}};
  return *this;
}

ScenarioBuilder& ScenarioBuilder::after_script(std::string_view what) {
  document_->route()["after_script"] = what;
  return *this;
}

ScenarioBuilder& ScenarioBuilder::answers(int status) {
  document_->route()["script"].push_back({{"status", status}});
  return *this;
}

ScenarioBuilder& ScenarioBuilder::times(std::uint32_t count) {
  document_->step()["times"] = count;
  return *this;
}

ScenarioBuilder& ScenarioBuilder::header(std::string_view name, std::string_view value) {
  document_->step()["headers"].push_back(Json::array({name, value}));
  return *this;
}

ScenarioBuilder& ScenarioBuilder::body(std::string_view text) {
  document_->step()["body"] = text;
  return *this;
}

// Text that is no JSON becomes a discarded value, which the decoder then refuses.
ScenarioBuilder& ScenarioBuilder::json(std::string_view text) {
  document_->step()["json"] = Json::parse(text, nullptr, false);
  return *this;
}

ScenarioBuilder& ScenarioBuilder::retry_after(Duration wait) {
  document_->step()["retry_after"] = format_duration(wait);
  return *this;
}

ScenarioBuilder& ScenarioBuilder::delay(Duration time) {
  document_->step()["delay"] = format_duration(time);
  return *this;
}

ScenarioBuilder& ScenarioBuilder::fault(std::string_view effect, std::string_view moment) {
  document_->add_fault({{"do", effect}, {"at", moment}});
  return *this;
}

ScenarioBuilder& ScenarioBuilder::fault_at_byte(std::string_view effect, std::string_view moment,
                                                std::uint64_t byte) {
  document_->add_fault({{"do", effect}, {"at", {{moment, byte}}}});
  return *this;
}

ScenarioBuilder& ScenarioBuilder::executes(bool whether) {
  document_->step()["executes"] = whether;
  return *this;
}

ScenarioBuilder& ScenarioBuilder::expects_attempts(std::uint64_t count) {
  document_->expect()["attempts"] = count;
  return *this;
}

ScenarioBuilder& ScenarioBuilder::expects_created(std::string_view kind, std::uint64_t count) {
  document_->expect()["created"][std::string(kind)] = count;
  return *this;
}

ScenarioBuilder& ScenarioBuilder::expects_profile(std::string_view profile) {
  document_->expect()["profile"] = profile;
  return *this;
}

ScenarioBuilder& ScenarioBuilder::expects_client(std::string_view outcome) {
  document_->expect()["client"] = outcome;
  return *this;
}

ScenarioBuilder& ScenarioBuilder::expects(std::string_view member, std::string_view json_text) {
  document_->expect()[std::string(member)] = Json::parse(json_text, nullptr, false);
  return *this;
}

std::string ScenarioBuilder::text() const {
  return document_->root.dump(2) + "\n";
}

Result<scenario::Scenario> ScenarioBuilder::build() const {
  const auto nothing_to_read = [](const std::string& path) -> Result<std::string> {
    return fail(ErrorCode::machine, path, "a built scenario has no folder to read from");
  };
  auto loaded = scenario::load(text(), nothing_to_read);
  if (loaded) return std::move(*loaded);
  std::string all;
  for (const scenario::Mistake& mistake : loaded.error()) {
    all += (all.empty() ? "" : "\n") + scenario::describe("built scenario", mistake);
  }
  return fail(ErrorCode::invalid_scenario, "", all);
}

}  // namespace retrylab::testing
