// SPDX-License-Identifier: MIT
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

#include "client_lib/net/body_source.h"

namespace retrylab {
namespace {

class FileBody : public BodySource {
 public:
  FileBody(std::ifstream file, std::uint64_t size) : file_(std::move(file)), size_(size) {}

  std::uint64_t size() const override { return size_; }
  bool can_rewind() const override { return true; }
  bool rewind() override {
    file_.clear();
    file_.seekg(0);
    return file_.good();
  }
  std::size_t read(std::span<char> into) override {
    file_.read(into.data(), static_cast<std::streamsize>(into.size()));
    return static_cast<std::size_t>(file_.gcount());
  }

 private:
  std::ifstream file_;
  std::uint64_t size_;
};

}  // namespace

Result<std::shared_ptr<BodySource>> file_body(const std::string& path) {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  std::ifstream file(path, std::ios::binary);
  if (error || !file) {
    return fail(ErrorCode::invalid_argument, path, "cannot be read as a file");
  }
  return std::make_shared<FileBody>(std::move(file), size);
}

}  // namespace retrylab
