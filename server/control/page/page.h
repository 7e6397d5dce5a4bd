// SPDX-License-Identifier: MIT
// The page for people, embedded: plain HTML, CSS and JavaScript modules of this folder. To add a
// file, add it here and to page.cc's list.
#pragma once

#include <span>
#include <string_view>

namespace retrylab::control {

struct PageFile {
  std::string_view path;  // "/" or "/page/main.js"
  std::string_view content_type;
  std::string_view text;
};

std::span<const PageFile> page_files();

// Null when the page has no such file.
const PageFile* find_page_file(std::string_view path);

// What the page may do: its own files and its own server, no inline script or style, no frame
// around it, and no text that becomes markup. A value for Content-Security-Policy.
inline constexpr std::string_view kPagePolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'";

}  // namespace retrylab::control
