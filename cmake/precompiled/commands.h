// SPDX-License-Identifier: MIT
// The same for the programs' command lines.
#include <CLI/CLI.hpp>

#include "library.h"
