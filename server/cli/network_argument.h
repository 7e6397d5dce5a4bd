// SPDX-License-Identifier: MIT
// The --network and --loss arguments of `simulate`.
//
//   10ms                 fixed, each way
//   normal:10ms,2ms      mean and standard deviation
//   exponential:10ms     mean
//   loss: 0.01, 1%, 1/100
#pragma once

#include <string>

#include "client_lib/base/result.h"
#include "server/sim/network.h"

namespace retrylab::cli {

// The delay; the loss stays zero.
Result<sim::Network> network_argument(const std::string& text);

// A probability below one, exact to nine digits.
Result<Ratio> loss_argument(const std::string& text);

// "normal 10ms, sd 2ms, each way, 1 of 100 lost"
std::string describe(const sim::Network& network);

}  // namespace retrylab::cli
