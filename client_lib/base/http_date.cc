// SPDX-License-Identifier: MIT
#include "client_lib/base/http_date.h"
