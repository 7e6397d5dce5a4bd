// SPDX-License-Identifier: MIT
// What most files read, precompiled (see cmake/Precompiled.cmake). Each file still includes what
// it uses; the preset clang, which has none of this, shows a missing line.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>
