// SPDX-License-Identifier: MIT
// The --sweep argument of `simulate`: one parameter and its values.
//
//   clients=10..1000       10, 20, 40 ... 1000: doubled each time
//   clients=10..200:10     by steps of ten
//   rate=100,200,400       those
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "client_lib/base/result.h"

namespace retrylab::cli {

struct Sweep {
  std::string parameter;  // clients, rate, operations; "" for none
  std::vector<std::uint32_t> values;
};

Result<Sweep> sweep_argument(const std::string& text);

}  // namespace retrylab::cli
