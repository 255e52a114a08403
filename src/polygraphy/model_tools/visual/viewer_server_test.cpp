#include "polygraphy/model_tools/visual/viewer_server.h"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "polygraphy/model_tools/visual/http_request.h"

namespace polygraphy {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

VisualModel small_model() {
  return {.title = "small", .graphs = {{.title = "g", .nodes = {{.id = "node_0", .op = "Relu"}}}}};
}

class Client {
 public:
  explicit Client(int port) : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<uint16_t>(port));
    EXPECT_EQ(::connect(fd_, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
  }
  ~Client() { ::close(fd_); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  void send(std::string_view text) const {
    EXPECT_EQ(::send(fd_, text.data(), text.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(text.size()));
  }
  // Until the server closes.
  std::string receive() const {
    std::string all;
    char block[4096];
    for (ssize_t n; (n = ::recv(fd_, block, sizeof(block), 0)) > 0;) {
      all.append(block, static_cast<size_t>(n));
    }
    return all;
  }

 private:
  int fd_;
};

class ViewerServerTest : public testing::Test {
 protected:
  ViewerServerTest() : thread_([this] { server_.serve(cancel_); }) {}
  ~ViewerServerTest() override {
    cancel_ = true;
    thread_.join();
  }
  std::string answer(const std::string& request) const {
    const Client client(server_.port());
    client.send(request);
    return client.receive();
  }
  std::string get(const std::string& path) const {
    return answer("GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1:8000\r\n\r\n");
  }

  // A later line of the head has precedence.
  std::string post(const std::string& body, const std::string& head = {}) const {
    return answer("POST /extract HTTP/1.1\r\nContent-Type: application/json; charset=utf-8\r\n" +
                  ("Content-Length: " + std::to_string(body.size())) + "\r\n" + head + "\r\n" +
                  body);
  }

  static std::string extract(const PartOfModel& part) {
    if (part.outputs.front() == "none") throw Error("no tensor none");
    return (part.inputs.empty() ? "" : part.inputs.front()) + " to " + part.outputs.front();
  }

  std::atomic<bool> cancel_ = false;
  ViewerServer server_{small_model(), 0, extract};
  std::thread thread_;
};

TEST_F(ViewerServerTest, ServesThePage) {
  const std::string page = get("/");
  EXPECT_THAT(page, StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_THAT(page, HasSubstr("<title>small</title>"));
  EXPECT_EQ(server_.url(), "http://127.0.0.1:" + std::to_string(server_.port()) + "/");
}

TEST_F(ViewerServerTest, AnswersHeartbeatsAndNodes) {
  EXPECT_THAT(get("/heartbeat"), StartsWith("HTTP/1.1 204 "));
  EXPECT_THAT(get("/node/node%5F0?x"), HasSubstr("\"op_type\": \"Relu\""));
  EXPECT_THAT(get("/node/node_1"), StartsWith("HTTP/1.1 404 "));
  EXPECT_THAT(get("/../etc/passwd"), StartsWith("HTTP/1.1 404 "));
}

TEST_F(ViewerServerTest, TakesReadingRequestsOnly) {
  const std::string head = answer("HEAD / HTTP/1.1\r\n\r\n");
  EXPECT_THAT(head, StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_THAT(head, Not(HasSubstr("<title>")));
  EXPECT_THAT(answer("POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}"),
              StartsWith("HTTP/1.1 405 "));
}

TEST_F(ViewerServerTest, ExtractsPartsOfTheModel) {
  EXPECT_THAT(post(R"({"inputs": ["a"], "outputs": ["b", "c"]})"),
              AllOf(StartsWith("HTTP/1.1 200 OK\r\n"), HasSubstr("\r\n\r\na to b")));
  EXPECT_THAT(post(R"({"outputs": ["none"]})"),
              AllOf(StartsWith("HTTP/1.1 400 "), HasSubstr("no tensor none")));
  EXPECT_THAT(post("{}"), AllOf(StartsWith("HTTP/1.1 400 "), HasSubstr("no outputs")));
  EXPECT_THAT(post("["), StartsWith("HTTP/1.1 400 "));
}

// A form of another site can send texts, but no JSON.
TEST_F(ViewerServerTest, PartsForOtherSitesAreRefused) {
  EXPECT_THAT(post("{}", "Content-Type: text/plain\r\n"), StartsWith("HTTP/1.1 415 "));
  EXPECT_THAT(post("{}", "Host: site.example\r\n"), StartsWith("HTTP/1.1 421 "));
}

TEST_F(ViewerServerTest, ABodyMayComeInPieces) {
  const Client client(server_.port());
  client.send("POST /extract HTTP/1.1\r\nContent-Type: application/json\r\n");
  client.send("Content-Length: 18\r\n\r\n{\"outputs");
  EXPECT_THAT(get("/heartbeat"), StartsWith("HTTP/1.1 204 "));
  client.send("\": [\"x\"]}");
  EXPECT_THAT(client.receive(), HasSubstr("\r\n\r\n to x"));
  EXPECT_THAT(post("", "Content-Length: " + std::to_string(kMaxBodyBytes + 1) + "\r\n"),
              StartsWith("HTTP/1.1 413 "));
  EXPECT_THAT(post("", "Content-Length: -1\r\n"), StartsWith("HTTP/1.1 400 "));
}

TEST_F(ViewerServerTest, OtherNamesThanThisMachinesAreRefused) {
  EXPECT_THAT(answer("GET / HTTP/1.1\r\nHost: site.example\r\n\r\n"), StartsWith("HTTP/1.1 421 "));
  EXPECT_THAT(answer("GET / HTTP/1.1\r\nHost: site.example\r\nHost: localhost\r\n\r\n"),
              StartsWith("HTTP/1.1 400 "));
  EXPECT_THAT(answer("GET / HTTP/1.1\r\nHOST: LocalHost:1\r\n\r\n"), StartsWith("HTTP/1.1 200 "));
}

TEST_F(ViewerServerTest, WhatIsNoRequestIsRefused) {
  EXPECT_THAT(answer("hello\r\n\r\n"), StartsWith("HTTP/1.1 400 "));
  EXPECT_THAT(answer("GET / HTTP/1.1\r\nX: " + std::string(kMaxRequestBytes, 'x')),
              StartsWith("HTTP/1.1 431 "));
}

// A browser opens connections ahead, on which it asks nothing.
TEST_F(ViewerServerTest, SilentConnectionsDoNotStopOthers) {
  const Client silent(server_.port());
  const Client slow(server_.port());
  slow.send("GET / HT");
  EXPECT_THAT(get("/heartbeat"), StartsWith("HTTP/1.1 204 "));
  slow.send("TP/1.1\r\n\r\n");
  EXPECT_THAT(slow.receive(), StartsWith("HTTP/1.1 200 OK\r\n"));
}

TEST_F(ViewerServerTest, APortThatIsTakenIsAnError) {
  try {
    ViewerServer(small_model(), server_.port());
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), kPortNotAvailable);
    EXPECT_EQ(std::string(error.what()),
              "cannot listen on 127.0.0.1:" + std::to_string(server_.port()) +
                  ": Address already in use");
  }
  EXPECT_THROW(ViewerServer(small_model(), 65536), Error);
  EXPECT_THROW(ViewerServer(small_model(), -1), Error);
}

}  // namespace
}  // namespace polygraphy
