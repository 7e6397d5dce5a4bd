// SPDX-License-Identifier: MIT
#include "client_lib/net/retry_client.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include "client_lib/net/content_coding.h"
#include "client_lib/net/entropy.h"
#include "client_lib/net/httplib_transport.h"
#include "client_lib/net/redirect.h"
#include "client_lib/net/shared_guards.h"
#include "client_lib/net/system_clock.h"
#include "client_lib/retry/idempotency_key.h"

namespace retrylab {
namespace {

// RFC 9110 §5.6.2.
bool is_token(std::string_view text) {
  constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";
  const auto allowed = [&](char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
           (letter >= '0' && letter <= '9') || kMarks.find(letter) != std::string_view::npos;
  };
  return !text.empty() && std::ranges::all_of(text, allowed);
}

bool is_field_value(std::string_view text) {
  return text.find_first_of(std::string_view("\r\n\0", 3)) == std::string_view::npos;
}

// What makes a request impossible to send, "" for nothing.
std::string problem_of(const Request& request) {
  if (!is_token(request.method)) return "\"" + request.method + "\" is not a method";
  if (request.body_source && !request.body.empty()) return "it has a body and a source of one";
  for (const Header& header : request.headers) {
    if (!is_token(header.name)) return "\"" + header.name + "\" is not a header name";
    if (!is_field_value(header.value)) return "the value of " + header.name + " has a line break";
    if (same_name(header.name, "Content-Length") || same_name(header.name, "Transfer-Encoding")) {
      return header.name + " is the transport's to send";
    }
  }
  return "";
}

void add_unless_there(Headers& headers, std::string_view name, std::string value) {
  if (!find_header(headers, name)) headers.push_back({std::string(name), std::move(value)});
}

void drop(Headers& headers, std::string_view name) {
  std::erase_if(headers, [name](const Header& header) { return same_name(header.name, name); });
}

}  // namespace

class RetryClient::Impl {
 public:
  Impl(ClientOptions options, Transport& transport, Clock& clock)
      : options_(std::move(options)),
        transport_(transport),
        clock_(clock),
        guards_(options_.policy),
        seed_(options_.seed ? *options_.seed : random_seed()) {}

  OperationResult send(Request request, const std::stop_token& stop);

  // Keeps the parts of the usual client alive.
  std::unique_ptr<Transport> own_transport;
  std::unique_ptr<Clock> own_clock;

 private:
  class Operation;

  void prepare(Request& request, OperationResult& result) const;

  ClientOptions options_;
  Transport& transport_;
  Clock& clock_;
  SharedGuards guards_;
  std::uint64_t seed_;
  std::atomic<std::uint64_t> operations_ = 0;
};

// One operation on its way: the request as it stands, and what became of it.
class RetryClient::Impl::Operation {
 public:
  Operation(Impl& client, Request request, Url url, std::stop_token stop)
      : client_(client),
        request_(std::move(request)),
        url_(std::move(url)),
        stop_(std::move(stop)),
        random_(Random::stream(client.seed_, "jitter", client.operations_.fetch_add(1))) {}

  void run(OperationResult& result);

 private:
  Move ask(const Outcome* outcome);
  Move attempt(Duration time, OperationResult& result);
  Move redirect(const WaitUntil& least_wait);
  Move wait(const WaitUntil& wait);
  Move abandon();
  Move end(Reason reason);
  void note(AttemptRecord record, const Move& next, OperationResult& result);

  Impl& client_;
  Request request_;
  Url url_;
  std::stop_token stop_;
  Random random_;
  Progress progress_;
  Outcome last_;
};

Move RetryClient::Impl::Operation::ask(const Outcome* outcome) {
  const Now now = client_.clock_.now();
  return client_.guards_.with(url_.origin(), [&](Guards guards) {
    return next_move(client_.options_.policy, progress_, outcome, {now, random_, guards});
  });
}

Move RetryClient::Impl::Operation::abandon() {
  const Outcome cancelled{.failure = Failure::cancelled};
  return ask(&cancelled);
}

// Ends what the decision would have gone on with.
Move RetryClient::Impl::Operation::end(Reason reason) {
  abandon();
  return Finish{reason};
}

Move RetryClient::Impl::Operation::attempt(Duration time, OperationResult& result) {
  BodySource* source = request_.body_source.get();
  const bool again = !result.attempts.empty();
  if (again && source != nullptr && !source->rewind()) return end(Reason::body_not_repeatable);
  AttemptRecord record{
      .number = progress_.attempts, .method = request_.method, .url = request_.url};
  record.started = client_.clock_.now().at;
  last_ = client_.transport_.send({.method = request_.method,
                                   .url = url_,
                                   .headers = request_.headers,
                                   .body = request_.body,
                                   .body_source = source},
                                  time, stop_);
  if (client_.options_.decode_gzip) decode_content(last_, client_.options_.body_bytes_max);
  record.ended = client_.clock_.now().at;
  record.failure = last_.failure;
  record.status = last_.answered() ? last_.response.status : 0;
  record.detail = last_.detail;
  Move next = ask(&last_);
  note(std::move(record), next, result);
  return next;
}

void RetryClient::Impl::Operation::note(AttemptRecord record, const Move& next,
                                        OperationResult& result) {
  const auto* wait = std::get_if<WaitUntil>(&next);
  if (const auto* follow = std::get_if<FollowRedirect>(&next)) wait = &follow->wait;
  if (wait != nullptr) {
    record.wait = wait->wait;
    record.wait_cause = wait->cause;
  }
  if (client_.options_.on_attempt) client_.options_.on_attempt(record);
  result.attempts.push_back(std::move(record));
}

Move RetryClient::Impl::Operation::redirect(const WaitUntil& least_wait) {
  const std::string method = request_.method;
  if (!follow_redirect(last_.response, request_, url_)) return end(Reason::redirect_refused);
  if (request_.method != method) drop(request_.headers, client_.options_.key_header);
  progress_.facts.method = request_.method;
  progress_.facts.has_key = find_header(request_.headers, client_.options_.key_header).has_value();
  return wait(least_wait);
}

Move RetryClient::Impl::Operation::wait(const WaitUntil& wait) {
  return client_.clock_.sleep_until(wait.at, stop_) ? ask(nullptr) : abandon();
}

void RetryClient::Impl::Operation::run(OperationResult& result) {
  progress_ =
      begin({.method = request_.method,
             .has_key = find_header(request_.headers, client_.options_.key_header).has_value(),
             .repeatable_body = !request_.body_source || request_.body_source->can_rewind()});
  Move next = ask(nullptr);
  while (!std::holds_alternative<Finish>(next)) {
    if (const auto* now = std::get_if<AttemptNow>(&next)) {
      next = attempt(now->time, result);
    } else if (const auto* follow = std::get_if<FollowRedirect>(&next)) {
      next = redirect(follow->wait);
    } else {
      next = wait(std::get<WaitUntil>(next));
    }
  }
  result.reason = std::get<Finish>(next).reason;
  if (!result.attempts.empty()) result.outcome = std::move(last_);
}

void RetryClient::Impl::prepare(Request& request, OperationResult& result) const {
  if (request.make_key && !find_header(request.headers, options_.key_header)) {
    const std::string key = uuid_v4(random_bytes());
    request.headers.push_back({options_.key_header, options_.quoted_keys ? quoted_key(key) : key});
  }
  if (options_.decode_gzip) add_unless_there(request.headers, "Accept-Encoding", "gzip");
  result.key = find_header(request.headers, options_.key_header).value_or("");
}

OperationResult RetryClient::Impl::send(Request request, const std::stop_token& stop) {
  OperationResult result{.reason = Reason::invalid_request, .problem = problem_of(request)};
  if (!result.problem.empty()) return result;
  Result<Url> url = parse_url(request.url);
  if (!url) {
    result.problem = url.error().message;
    return result;
  }
  prepare(request, result);
  Operation(*this, std::move(request), std::move(*url), stop).run(result);
  return result;
}

RetryClient::RetryClient(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

RetryClient::~RetryClient() = default;

Result<std::unique_ptr<RetryClient>> RetryClient::make(ClientOptions options, Transport& transport,
                                                       Clock& clock) {
  const Result<Policy> policy = checked(options.policy);
  if (!policy) return tl::unexpected(policy.error());
  auto impl = std::make_unique<Impl>(std::move(options), transport, clock);
  return std::unique_ptr<RetryClient>(new RetryClient(std::move(impl)));
}

Result<std::unique_ptr<RetryClient>> RetryClient::make(ClientOptions options) {
  auto transport = std::make_unique<HttplibTransport>(
      TransportOptions{.body_bytes_max = options.body_bytes_max});
  auto clock = std::make_unique<SystemClock>();
  auto client = make(std::move(options), *transport, *clock);
  if (client) {
    (*client)->impl_->own_transport = std::move(transport);
    (*client)->impl_->own_clock = std::move(clock);
  }
  return client;
}

OperationResult RetryClient::send(Request request, std::stop_token stop) {
  return impl_->send(std::move(request), stop);
}

}  // namespace retrylab
