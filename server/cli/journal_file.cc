// SPDX-License-Identifier: MIT
#include "server/cli/journal_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace retrylab::cli {

Result<std::unique_ptr<JournalFile>> JournalFile::create(const std::string& path) {
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0644);
  if (fd < 0) {
    return fail(ErrorCode::machine, path,
                fmt::format("cannot write the journal: {}", std::strerror(errno)));
  }
  return std::unique_ptr<JournalFile>(new JournalFile(path, fd));
}

JournalFile::~JournalFile() {
  close(fd_);
}

void JournalFile::append(std::string_view line) {
  const std::lock_guard lock(mutex_);
  gathered_ += line;
}

void JournalFile::write_out() {
  const std::lock_guard lock(mutex_);
  std::string_view rest = gathered_;
  while (!rest.empty()) {
    const ssize_t written = write(fd_, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      error_ = errno;
      break;
    }
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
  gathered_.clear();
}

void JournalFile::truncate() {
  const std::lock_guard lock(mutex_);
  gathered_.clear();
  if (ftruncate(fd_, 0) != 0) error_ = errno;
}

Result<void> JournalFile::check() const {
  if (const int error = error_; error != 0) {
    return fail(ErrorCode::machine, path_,
                fmt::format("the journal is not whole: {}", std::strerror(error)));
  }
  return {};
}

namespace {

tl::unexpected<Error> in_file(const std::string& path, Error error) {
  error.where = path + (error.where.empty() ? "" : ", ") + error.where;
  return tl::unexpected(std::move(error));
}

}  // namespace

Result<journal::NdjsonJournal> read_journal(const std::string& path,
                                            const std::string& scenario_hash) {
  std::ifstream file(path, std::ios::binary);
  journal::NdjsonReader reader(scenario_hash);
  std::vector<char> piece(1 << 20);
  while (file) {
    file.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    const auto fed = reader.feed({piece.data(), static_cast<std::size_t>(file.gcount())});
    if (!fed) return in_file(path, fed.error());
  }
  if (!file.eof()) {
    return fail(ErrorCode::machine, path, fmt::format("cannot read: {}", std::strerror(errno)));
  }
  auto journal = reader.finish();
  if (!journal) return in_file(path, journal.error());
  return journal;
}

}  // namespace retrylab::cli
