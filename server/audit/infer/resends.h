// SPDX-License-Identifier: MIT
// Whether the client's HTTP stack sends a request again by itself when its kept-alive connection is
// cut: behind the back of whoever decides about retries.
#pragma once

#include "server/audit/infer/findings.h"
#include "server/audit/infer/observed.h"

namespace retrylab::audit {

ResendsFound infer_resends(const Observed& observed);

}  // namespace retrylab::audit
