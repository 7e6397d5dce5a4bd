// SPDX-License-Identifier: MIT
// Secrets do not enter a journal: the values of headers that carry them are replaced by a
// fingerprint before the attempt is recorded, so that no journal, report or page can show them.
// Equal values have equal fingerprints, which is all that a rule asks of such a header.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace retrylab::journal {

class Redaction {
 public:
  // Authorization, Proxy-Authorization, Cookie and `more`; names regardless of case. With a secret
  // `key` nobody can find a short password by trying; without one the fingerprint is the same in
  // every process.
  explicit Redaction(std::vector<std::string> more = {}, std::string key = {});
  static Redaction none();

  // Replaces the values within a raw head, request line to blank line or the beginning of one:
  // "redacted:" and 16 hexadecimal digits. Other bytes stay as they are.
  void apply(std::string& head) const;
  // No: apply() changes nothing. Yes: there is such a header, perhaps without a value.
  bool finds_any(std::string_view head) const;

 private:
  bool hides(std::string_view line) const;
  void replace_value(std::string& head, std::size_t from, std::size_t until) const;

  std::vector<std::string> names_;
  std::uint32_t initials_ = 0;  // a bit for each first letter of a name
  std::string key_;
};

}  // namespace retrylab::journal
