// SPDX-License-Identifier: MIT
// The same for the tests.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "library.h"
