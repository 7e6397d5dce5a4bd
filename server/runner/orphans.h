// SPDX-License-Identifier: MIT
// Processes that a client leaves behind in process groups of their own, where a signal to the
// client's group does not reach them. Linux: /proc.
#pragma once

#include <cstddef>
#include <set>
#include <string>

#include <sys/types.h>

namespace retrylab::runner {

// From now on processes whose parent has gone become children of this one, so that none gets out
// of reach.
void adopt_orphans();

// Kills every process that has `mark` ("NAME=VALUE") in the environment it began with, and what
// those leave behind in turn. `leader`, the marked process that is over, is not looked for. How
// many there were.
std::size_t end_orphans(pid_t leader, const std::string& mark);

// The processes whose parent is this one.
std::set<pid_t> children();

// Kills and collects every child but those: what a client has left with an environment of its own.
void end_children_except(const std::set<pid_t>& kept);

}  // namespace retrylab::runner
