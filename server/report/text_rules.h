// SPDX-License-Identifier: MIT
// The rules of a text report: what was broken with its evidence, the rest in a line each.
#pragma once

#include "server/report/text_page.h"

namespace retrylab::report {

std::string_view symbol(verify::Status status);
Paint paint_of(verify::Status status);

void write_rules(const Report& report, TextPage& page);

}  // namespace retrylab::report
