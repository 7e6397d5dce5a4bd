// SPDX-License-Identifier: MIT
// A client's retry policy from the attempts of an audit. One file per property beside this one.
#pragma once

#include <span>

#include "server/audit/case.h"
#include "server/audit/infer/findings.h"

namespace retrylab::audit {

Findings infer(std::span<const Case> cases);

}  // namespace retrylab::audit
