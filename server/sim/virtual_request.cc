// SPDX-License-Identifier: MIT
#include "server/sim/virtual_request.h"

namespace retrylab::sim {
namespace {

bool wants_length(const Send& send) {
  return !send.body.empty() || send.method == "POST" || send.method == "PUT" ||
         send.method == "PATCH";
}

}  // namespace

VirtualRequest::VirtualRequest(const Send& send)
    : method_(send.method), target_(send.target), body_(send.body), attempt_(send.attempt) {
  if (!find_header(send.headers, "Host")) headers_.push_back({"Host", "localhost"});
  headers_.insert(headers_.end(), send.headers.begin(), send.headers.end());
  if (wants_length(send)) headers_.push_back({"Content-Length", std::to_string(body_.size())});
  raw_ = method_ + " " + target_ + " HTTP/1.1\r\n";
  for (const Header& header : headers_) {
    raw_.append(header.name).append(": ").append(header.value).append("\r\n");
    views_.push_back({header.name, header.value});
  }
  raw_ += "\r\n";
}

wire::RequestHead VirtualRequest::head() const {
  wire::RequestHead head;
  head.method = method_;
  head.target = target_;
  head.headers = views_;
  head.raw = raw_;
  if (count_header(headers_, "Content-Length") > 0) head.content_length = body_.size();
  head.keep_alive = !same_name(find_header(headers_, "Connection").value_or(""), "close");
  head.expects_continue = same_name(find_header(headers_, "Expect").value_or(""), "100-continue");
  return head;
}

}  // namespace retrylab::sim
