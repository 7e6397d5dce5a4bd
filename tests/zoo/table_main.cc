// SPDX-License-Identifier: MIT
// Prints docs/zoo.md.
#include <iostream>

#include "tests/zoo/table.h"

int main() {
  std::cout << retrylab::zoo::table_page();
  return 0;
}
