// SPDX-License-Identifier: MIT
// Every rule, one file each.
#pragma once

#include "server/verify/rules/rule.h"

namespace retrylab::verify::rules {

extern const Rule kCls1;
extern const Rule kCls2;
extern const Rule kCls3;
extern const Rule kCls4;
extern const Rule kCls5;
extern const Rule kCls6;
extern const Rule kCls7;
extern const Rule kCls8;
extern const Rule kCls9;
extern const Rule kCls10;
extern const Rule kRa1;
extern const Rule kRa2;
extern const Rule kRa3;
extern const Rule kRa4;
extern const Rule kRa5;
extern const Rule kRa6;
extern const Rule kRa7;
extern const Rule kRa8;
extern const Rule kRa9;
extern const Rule kRa10;
extern const Rule kRa11;
extern const Rule kRa12;
extern const Rule kRa13;
extern const Rule kRa14;
extern const Rule kBo1;
extern const Rule kBo2;
extern const Rule kBo3;
extern const Rule kBo4;
extern const Rule kBo5;
extern const Rule kBo6;
extern const Rule kBo7;
extern const Rule kBo8;
extern const Rule kBo9;
extern const Rule kBo10;
extern const Rule kAt1;
extern const Rule kAt2;
extern const Rule kAt3;
extern const Rule kAt4;
extern const Rule kAt5;
extern const Rule kAt6;
extern const Rule kAt7;
extern const Rule kAt8;
extern const Rule kId1;
extern const Rule kId2;
extern const Rule kId3;
extern const Rule kId4;
extern const Rule kId5;
extern const Rule kId6;
extern const Rule kId7;
extern const Rule kId8;
extern const Rule kId9;
extern const Rule kId10;
extern const Rule kConn1;
extern const Rule kBu1;
extern const Rule kBu2;
extern const Rule kBu3;
extern const Rule kBu4;
extern const Rule kCb1;
extern const Rule kCb2;
extern const Rule kCb3;
extern const Rule kCb4;
extern const Rule kCb5;
extern const Rule kCb6;
extern const Rule kTh1;
extern const Rule kHerd1;
extern const Rule kHerd2;
extern const Rule kHerd3;
extern const Rule kHerd4;

// Plain expectations.
extern const Rule kAttempts;
extern const Rule kOperations;
extern const Rule kCreated;
extern const Rule kTotalTime;
extern const Rule kLastStatus;
extern const Rule kRetryAfter;
extern const Rule kNeverRetry;
extern const Rule kIdempotencyKey;
extern const Rule kRoutes;
extern const Rule kRequests;
extern const Rule kClient;
extern const Rule kConnections;
extern const Rule kConcurrency;
extern const Rule kUnmatched;
extern const Rule kTraffic;

}  // namespace retrylab::verify::rules
