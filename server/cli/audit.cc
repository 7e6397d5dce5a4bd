// SPDX-License-Identifier: MIT
#include "server/cli/audit.h"

#include <algorithm>
#include <memory>
#include <string>

#include "client_lib/base/duration_text.h"
#include "server/audit/audit_set.h"
#include "server/cli/audit_session.h"
#include "server/cli/flags.h"
#include "server/cli/profile_argument.h"
#include "server/runner/command.h"

namespace retrylab::cli {
namespace {

Result<void> check_flags(const AuditFlags& flags, const Invocation& invocation) {
  if (invocation.client.empty()) {
    return fail(ErrorCode::invalid_argument, "audit",
                "no client: write it after --, such as: retrylab audit -- curl --retry 3 {url}");
  }
  for (const auto& variable : flags.variables) {
    if (auto checked = runner::check_variable(variable); !checked) return checked;
  }
  if (auto profile = profile_argument(flags.profile); !profile) {
    return tl::unexpected(profile.error());
  }
  for (const auto& name : flags.only) {
    if (std::ranges::find(audit::audit_set(), name, &audit::SetEntry::scenario) ==
        audit::audit_set().end()) {
      return fail(ErrorCode::invalid_argument, "--only " + name,
                  "no scenario of the audit has this name");
    }
  }
  return {};
}

ExitCode audit(const AuditFlags& flags, const Invocation& invocation) {
  if (const auto checked = check_flags(flags, invocation); !checked) {
    return give_up(checked.error());
  }
  AuditFlags named = flags;
  named.profile = *profile_argument(flags.profile);
  return run_audit_session(named, invocation);
}

}  // namespace

void add_audit(CLI::App& app, const Invocation& invocation, ExitCode& code) {
  auto* command = add_subcommand(
      app, "audit",
      "Run a client through the scenarios of the audit and print its scorecard.\n"
      "One process is one operation. The client learns the address from RETRYLAB_URL, or from\n"
      "{url} in its arguments, and what to send from RETRYLAB_METHOD, RETRYLAB_PATH and\n"
      "RETRYLAB_BODY, or {method}, {path} and {body}.",
      "  retrylab audit --quick -- curl --retry 3 {url}/items\n"
      "  retrylab audit -- curl --retry 3 -X {method} -d {body} {url}{path}\n");
  auto flags = std::make_shared<AuditFlags>();
  command->add_flag("--quick", flags->quick, "Fewer scenarios and repeats: half a minute");
  command->add_option("--profile", flags->profile, "Judge by this profile (default careful)")
      ->option_text("NAME");
  command->add_option("--jobs", flags->jobs, "At most J clients at a time (default 16)")
      ->option_text("J")
      ->check(whole_number(1U, 1'000U));
  command
      ->add_option_function<std::string>(
          "--timeout",
          [flags](const std::string& text) {
            const auto time = parse_duration(text);
            if (!time) throw CLI::ValidationError("--timeout", time.error().message);
            flags->timeout = *time;
          },
          "Stop a client after this (default 90s, with --quick 20s)")
      ->option_text("TIME");
  command->add_option("--env", flags->variables, "Set a variable for the client; repeatable")
      ->option_text("NAME={url}")
      ->allow_extra_args(false);
  command->add_option("--only", flags->only, "Only this scenario of the audit; repeatable")
      ->option_text("SCENARIO")
      ->allow_extra_args(false);
  add_seed(*command, flags->seed);
  command->add_option("--json", flags->json, "Write the scorecard as JSON to FILE, or - for stdout")
      ->option_text("FILE|-");
  command->add_option("--junit", flags->junit, "The same as JUnit XML")->option_text("FILE|-");
  command->add_option("--html", flags->html, "The same as one HTML file")->option_text("FILE|-");
  command->add_option("--markdown", flags->markdown, "The same as Markdown")->option_text("FILE|-");
  command
      ->add_option("--card", flags->card,
                   "Write the policy card, for `retrylab simulate --policy`, or - for stdout")
      ->option_text("FILE|-");
  command->add_flag("--verbose", flags->verbose, "Show every scenario");
  command->callback([flags, &invocation, &code] { code = audit(*flags, invocation); });
}

}  // namespace retrylab::cli
