// SPDX-License-Identifier: MIT
// The members of an attempt's lines in a journal file.
#pragma once

#include "server/journal/ndjson_members.h"
#include "server/journal/record.h"

namespace retrylab::journal {

// Each throws Wrong. What a line does not have stays as it is.
void read_begun(const Members& members, Attempt& attempt);
// What may have changed since it began.
void read_progress(const Members& members, Attempt& attempt);
void read_delivered(const Members& members, Delivered& delivered);

}  // namespace retrylab::journal
