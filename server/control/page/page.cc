// SPDX-License-Identifier: MIT
#include "server/control/page/page.h"

#include <algorithm>
#include <array>

namespace retrylab::control {
namespace {

struct Embedded {
  std::string_view name;  // without the extension
  std::string_view text;
};

constexpr Embedded kEmbedded[] = {
#include "page.inc"
};

constexpr std::string_view text_of(std::string_view name) {
  for (const auto& [embedded, text] : kEmbedded) {
    if (embedded == name) return text;
  }
  return "";
}

constexpr std::string_view kHtml = "text/html; charset=utf-8";
constexpr std::string_view kCss = "text/css; charset=utf-8";
constexpr std::string_view kScript = "text/javascript; charset=utf-8";
constexpr std::string_view kSvg = "image/svg+xml";

constexpr std::array kFiles{
    PageFile{"/", kHtml, text_of("index")},
    PageFile{"/page/style.css", kCss, text_of("style")},
    PageFile{"/page/icon.svg", kSvg, text_of("icon")},
    PageFile{"/page/api.js", kScript, text_of("api")},
    PageFile{"/page/axis.js", kScript, text_of("axis")},
    PageFile{"/page/journal.js", kScript, text_of("journal")},
    PageFile{"/page/main.js", kScript, text_of("main")},
    PageFile{"/page/overview.js", kScript, text_of("overview")},
    PageFile{"/page/rows.js", kScript, text_of("rows")},
    PageFile{"/page/run_list.js", kScript, text_of("run_list")},
    PageFile{"/page/run_view.js", kScript, text_of("run_view")},
    PageFile{"/page/scenario.js", kScript, text_of("scenario")},
    PageFile{"/page/start.js", kScript, text_of("start")},
    PageFile{"/page/text.js", kScript, text_of("text")},
    PageFile{"/page/timeline.js", kScript, text_of("timeline")},
    PageFile{"/page/verdict.js", kScript, text_of("verdict")},
    PageFile{"/page/windows.js", kScript, text_of("windows")},
    PageFile{"/page/words.js", kScript, text_of("words")},
};
static_assert(std::ranges::none_of(kFiles, [](const PageFile& file) { return file.text.empty(); }));

}  // namespace

std::span<const PageFile> page_files() {
  return kFiles;
}

const PageFile* find_page_file(std::string_view path) {
  const auto file = std::ranges::find(kFiles, path, &PageFile::path);
  return file == kFiles.end() ? nullptr : &*file;
}

}  // namespace retrylab::control
