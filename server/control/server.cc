// SPDX-License-Identifier: MIT
#include "server/control/server.h"

#include <fcntl.h>
#include <httplib.h>
#include <sys/socket.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "server/control/http_request.h"
#include "server/control/problem.h"
#include "server/control/workers.h"
#include "server/net/socket.h"

namespace retrylab::control {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// Each waits with one client that is slow in sending or reading.
constexpr std::size_t kThreads = 1'024;
constexpr int kBacklog = 1'024;
constexpr auto kClientTimeout = seconds(5);
constexpr auto kHeartbeat = seconds(15);
// How soon a follower notices that the process stops.
constexpr auto kBeat = milliseconds(100);
// A follower of a busy run would take a core for itself: small pieces are gathered, large ones sent
// at 8 MB a second.
constexpr auto kGather = milliseconds(10);
constexpr std::size_t kBytesPerMillisecond = 8'000;

// httplib's enqueue() answers with nothing in some versions, whether it took the work in others.
class TaskQueue final : public httplib::TaskQueue {
 public:
  using Enqueued = decltype(std::declval<httplib::TaskQueue&>().enqueue({}));

  explicit TaskQueue(std::shared_ptr<Workers> workers) : workers_(std::move(workers)) {}
  Enqueued enqueue(std::function<void()> work) override {
    workers_->run(std::move(work));
    return static_cast<Enqueued>(true);
  }
  void shutdown() override { workers_->stop(); }

 private:
  std::shared_ptr<Workers> workers_;
};

class HttpServer final : public httplib::Server {
 public:
  // httplib asks for a queue of five: the sixth client at once would wait a second for its SYN to
  // be sent again.
  bool deepen_queue() { return ::listen(svr_sock_, kBacklog) == 0; }
};

void set_socket_options(socket_t socket) {
  const int yes = 1;
  // Not SO_REUSEPORT, httplib's default: two processes would share a port unnoticed.
  ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  ::fcntl(socket, F_SETFD, FD_CLOEXEC);
}

}  // namespace

class Server::Impl : public std::enable_shared_from_this<Server::Impl> {
 public:
  explicit Impl(ServerOptions options) : options_(std::move(options)) {}

  Result<std::string> listen();
  void stop();

 private:
  // Held while the API is at work.
  class Turn {
   public:
    explicit Turn(Impl& impl) : impl_(impl), taken_(impl.enter()) {}
    ~Turn() {
      if (taken_) impl_.leave();
    }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    explicit operator bool() const { return taken_; }

   private:
    Impl& impl_;
    bool taken_;
  };

  bool enter();
  void leave();
  void set_up();
  void handle(const httplib::Request& from, httplib::Response& to,
              const httplib::ContentReader* body);
  void handle_error(const httplib::Request& from, httplib::Response& to);
  void respond(Answer answer, const httplib::Request& from, httplib::Response& to);
  void follow(std::shared_ptr<Stream> stream, const std::string& type, httplib::Response& to);
  bool send_next(Stream& stream, httplib::DataSink& sink,
                 std::chrono::steady_clock::time_point& last_sent);
  bool write(const std::string& bytes, const Stream& stream, httplib::DataSink& sink);

  ServerOptions options_;
  HttpServer http_;
  std::shared_ptr<Workers> workers_;
  std::thread accepting_;
  std::atomic<bool> accepts_{true};
  std::mutex mutex_;
  std::condition_variable left_;
  int inside_ = 0;
  bool stopping_ = false;
};

bool Server::Impl::enter() {
  const std::lock_guard lock(mutex_);
  if (stopping_) return false;
  ++inside_;
  return true;
}

void Server::Impl::leave() {
  const std::lock_guard lock(mutex_);
  if (--inside_ == 0) left_.notify_all();
}

namespace {

Problem not_understood() {
  return {Problem::Type::invalid_request, "the request is not HTTP that this server understands"};
}

}  // namespace

void Server::Impl::handle(const httplib::Request& from, httplib::Response& to,
                          const httplib::ContentReader* body) {
  Request request = to_request(from);
  // httplib would take a form apart by itself.
  if (from.is_multipart_form_data()) {
    const Problem problem{Problem::Type::unsupported_media_type, "send application/json"};
    return respond(to_answer(problem), from, to);
  }
  if (body != nullptr && !read_body(from, *body, request)) {
    if (to.status != 413) return respond(to_answer(not_understood()), from, to);
    request.body_too_large = true;
  }
  const Turn turn(*this);
  respond(turn ? options_.answer(request)
               : to_answer({Problem::Type::stopping, "retrylab is stopping"}),
          from, to);
}

// What httplib has turned down by itself.
void Server::Impl::handle_error(const httplib::Request& from, httplib::Response& to) {
  if (!to.body.empty()) return;
  if (from.method == "TRACE" || from.method == "CONNECT") return handle(from, to, nullptr);
  Problem problem = not_understood();
  if (to.status == 413) problem = {Problem::Type::too_large, "the body is larger than 4 MB"};
  if (to.status == 414) problem = {Problem::Type::too_long, "the path is longer than 8 kB"};
  respond(to_answer(problem), from, to);
}

void Server::Impl::respond(Answer answer, const httplib::Request& from, httplib::Response& to) {
  to.status = answer.status;
  for (const Header& header : answer.headers) to.set_header(header.name.c_str(), header.value);
  to.set_header("Cache-Control", "no-store");
  to.set_header("X-Content-Type-Options", "nosniff");
  if (answer.stream == nullptr || from.method == "HEAD") {
    if (!answer.content_type.empty()) to.set_content(answer.body, answer.content_type.c_str());
    return;
  }
  follow(std::move(answer.stream), answer.content_type, to);
}

void Server::Impl::follow(std::shared_ptr<Stream> stream, const std::string& type,
                          httplib::Response& to) {
  const auto last_sent =
      std::make_shared<std::chrono::steady_clock::time_point>(std::chrono::steady_clock::now());
  to.set_chunked_content_provider(
      type.c_str(), [self = shared_from_this(), stream, last_sent](std::size_t, auto& sink) {
        return self->send_next(*stream, sink, *last_sent);
      });
}

// False: the client is lost.
bool Server::Impl::send_next(Stream& stream, httplib::DataSink& sink,
                             std::chrono::steady_clock::time_point& last_sent) {
  std::optional<std::string> bytes;
  {
    const Turn turn(*this);
    if (turn) bytes = stream.next(kBeat);
  }
  if (!bytes) {
    sink.done();
    return true;
  }
  const auto now = std::chrono::steady_clock::now();
  if (bytes->empty() && now - last_sent >= kHeartbeat) bytes = stream.heartbeat();
  if (bytes->empty()) return sink.is_writable();
  last_sent = now;
  if (!write(*bytes, stream, sink)) return false;
  std::this_thread::sleep_for(
      std::max(kGather, milliseconds(bytes->size() / kBytesPerMillisecond)));
  return true;
}

bool Server::Impl::write(const std::string& bytes, const Stream& stream, httplib::DataSink& sink) {
  const auto before = std::chrono::steady_clock::now();
  if (sink.write(bytes.data(), bytes.size())) return true;
  const Turn turn(*this);
  // Else it has left.
  const bool slow = std::chrono::steady_clock::now() - before >= kClientTimeout;
  if (turn && slow && options_.dropped) options_.dropped(stream.describe());
  return false;
}

void Server::Impl::set_up() {
  const auto bare = [this](const httplib::Request& from, httplib::Response& to) {
    handle(from, to, nullptr);
  };
  const auto with_body = [this](const httplib::Request& from, httplib::Response& to,
                                const httplib::ContentReader& body) { handle(from, to, &body); };
  http_.Get(".*", bare);
  http_.Options(".*", bare);
  http_.Post(".*", with_body);
  http_.Put(".*", with_body);
  http_.Patch(".*", with_body);
  http_.Delete(".*", with_body);
  http_.set_error_handler(httplib::Server::Handler(
      [this](const httplib::Request& from, httplib::Response& to) { handle_error(from, to); }));
  http_.set_exception_handler(
      [this](const httplib::Request& from, httplib::Response& to, const std::exception_ptr&) {
        respond(to_answer({Problem::Type::internal, "the request could not be handled"}), from, to);
      });
  http_.set_socket_options(set_socket_options);
  http_.set_tcp_nodelay(true);
  http_.set_keep_alive_max_count(1);
  http_.set_read_timeout(kClientTimeout);
  http_.set_write_timeout(kClientTimeout);
  http_.set_payload_max_length(kBodyDrainedMax);
}

Result<std::string> Server::Impl::listen() {
  set_up();
  const int wanted = options_.port;
  errno = 0;
  const int port = wanted == 0 ? http_.bind_to_any_port(options_.listen)
                   : http_.bind_to_port(options_.listen, wanted) ? wanted
                                                                 : -1;
  if (port <= 0 || !http_.deepen_queue()) {
    return fail(ErrorCode::machine,
                net::authority(options_.listen, static_cast<std::uint16_t>(wanted)),
                errno == 0 ? "the admin cannot listen here"
                           : fmt::format("the admin cannot listen here: {}", std::strerror(errno)));
  }
  workers_ = std::make_shared<Workers>(kThreads, shared_from_this());
  http_.new_task_queue = [this] { return new TaskQueue(workers_); };
  accepting_ = std::thread([this] {
    http_.listen_after_bind();
    accepts_ = false;
  });
  return "http://" + net::authority(options_.listen, static_cast<std::uint16_t>(port));
}

void Server::Impl::stop() {
  {
    std::unique_lock lock(mutex_);
    stopping_ = true;
    left_.wait(lock, [&] { return inside_ == 0; });
  }
  if (!accepting_.joinable()) return;
  workers_->stop();
  // httplib's stop() does nothing before its loop runs.
  while (accepts_ && !http_.is_running()) std::this_thread::sleep_for(milliseconds(1));
  http_.stop();
  accepting_.join();
  workers_.reset();  // which keeps this
}

Server::Server(std::shared_ptr<Impl> impl, std::string url)
    : impl_(std::move(impl)), url_(std::move(url)) {}

Server::~Server() {
  stop();
}

Result<std::unique_ptr<Server>> Server::start(ServerOptions options) {
  auto impl = std::make_shared<Impl>(std::move(options));
  auto url = impl->listen();
  if (!url) return tl::unexpected(url.error());
  return std::unique_ptr<Server>(new Server(std::move(impl), std::move(*url)));
}

void Server::stop() {
  impl_->stop();
}

}  // namespace retrylab::control
