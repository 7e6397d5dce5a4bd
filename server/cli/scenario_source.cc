// SPDX-License-Identifier: MIT
#include "server/cli/scenario_source.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>

#include <fmt/format.h>

#include "scenarios/catalogue.h"
#include "server/cli/print.h"
#include "server/scenario/json/nearest.h"
#include "server/scenario/load.h"

namespace retrylab::cli {
namespace {

// Where the text came from, and how the files it names are found.
struct Source {
  std::string shown;  // before the mistakes
  std::string text;
  std::filesystem::path folder;
};

bool looks_like_file(const std::string& name) {
  return name.find_first_of("./") != std::string::npos;
}

// The end of a sentence that says a name is unknown.
std::string advice(const std::string& name) {
  std::vector<std::string_view> names;
  for (const auto& entry : scenario::catalogue()) names.push_back(entry.name);
  const auto near = scenario::json::nearest(name, names);
  return near.empty() ? std::string("`retrylab list` names them all")
                      : fmt::format("did you mean {}?", near);
}

Result<Source> find_source(const std::string& name) {
  if (!looks_like_file(name)) {
    if (const auto* entry = scenario::find_entry(name))
      return Source{name, std::string(entry->text), {}};
    if (!std::filesystem::exists(name)) {
      return fail(ErrorCode::invalid_argument, name,
                  "neither a file nor a scenario of the catalogue; " + advice(name));
    }
  }
  auto text = read_file(name);
  if (!text) return tl::unexpected(text.error());
  return Source{name, std::move(*text), std::filesystem::path(name).parent_path()};
}

// A file named by a scenario lies in the scenario's folder, or below it.
Result<std::string> read_beside(const std::filesystem::path& folder, const std::string& path) {
  std::error_code error;
  const auto home = std::filesystem::canonical(folder.empty() ? "." : folder, error);
  const auto file = std::filesystem::weakly_canonical(home / path, error);
  const auto [left, rest] = std::mismatch(home.begin(), home.end(), file.begin(), file.end());
  if (left != home.end()) {
    return fail(ErrorCode::invalid_scenario, path, "lies outside of the scenario's folder");
  }
  return read_file(file);
}

}  // namespace

tl::expected<LoadedScenario, ExitCode> load_scenario_and_text(const std::string& name) {
  auto source = find_source(name);
  if (!source) return tl::unexpected(give_up(source.error()));
  const auto read = [&](const std::string& path) { return read_beside(source->folder, path); };
  auto loaded = scenario::load(source->text, read);
  if (loaded) {
    const bool is_entry = !looks_like_file(name) && scenario::find_entry(name) != nullptr;
    return LoadedScenario{std::move(*loaded), std::move(source->text), is_entry ? name : ""};
  }
  for (const auto& mistake : loaded.error()) {
    print(stderr, "{}\n", scenario::describe(source->shown, mistake));
  }
  return tl::unexpected(ExitCode::invalid_scenario);
}

bool is_file(const std::string& name) {
  return looks_like_file(name) || scenario::find_entry(name) == nullptr;
}

tl::expected<scenario::Scenario, ExitCode> load_scenario(const std::string& name) {
  return load_scenario_and_text(name).map(
      [](LoadedScenario&& loaded) { return std::move(loaded.scenario); });
}

Result<std::string> read_file(const std::string& path) {
  if (std::filesystem::is_directory(path)) {
    return fail(ErrorCode::machine, path, "is a folder, not a file");
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    return fail(ErrorCode::machine, path, fmt::format("cannot read: {}", std::strerror(errno)));
  }
  return std::string(std::istreambuf_iterator<char>(file), {});
}

Result<std::string> catalogue_text(const std::string& name) {
  if (const auto* entry = scenario::find_entry(name)) return std::string(entry->text);
  return fail(ErrorCode::invalid_argument, name,
              "no scenario of the catalogue has this name; " + advice(name));
}

}  // namespace retrylab::cli
