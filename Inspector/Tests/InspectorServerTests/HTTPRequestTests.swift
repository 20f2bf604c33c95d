import Testing

@testable import InspectorServer

@Suite("Heads of HTTP requests") struct HTTPRequestTests {
  private func read(_ lines: String...) throws -> HTTPRequest {
    try HTTPRequest(head: Array(lines.joined(separator: "\r\n").utf8))
  }

  @Test("A head of a browser is read")
  func plain() throws {
    let request = try read(
      "POST /x/objects HTTP/1.1", "Host: 127.0.0.1:80", "Content-Length: 12",
      "Cookie: a=1; inspector=s3; b=2")
    #expect(request.method == .post)
    #expect(request.path == "/x/objects")
    #expect(request.fields["host"] == "127.0.0.1:80")
    #expect(request.bodyCount == 12)
    #expect(request.cookie("inspector") == "s3")
    #expect(request.cookie("insp") == nil)
  }

  @Test(
    "A head that programs could read differently is rejected",
    arguments: [
      ["GET / HTTP/1.1", "Host: a", "Host: b"],
      ["GET / HTTP/1.1", "Content-Length: 1", "content-length: 1"],
      ["POST / HTTP/1.1", "Transfer-Encoding: chunked"],
      ["POST / HTTP/1.1", "Content-Length: +1"], ["POST / HTTP/1.1", "Content-Length: "],
      ["GET / HTTP/1.1", "Host : a"], ["GET / HTTP/1.1", " folded: a"],
      ["GET / HTTP/1.1", "no colon"], ["GET / HTTP/1.1", "a: b\nHost: c"],
      ["GET / HTTP/1.1", "a: b\rHost: c"], ["GET / HTTP/1.1", "a: \u{e9}"],
      ["GET / HTTP/1.0"], ["GET  / HTTP/1.1"], ["GET /"], [""],
    ])
  func ambiguous(lines: [String]) {
    #expect(throws: HTTPError.badRequest) {
      try HTTPRequest(head: Array(lines.joined(separator: "\r\n").utf8))
    }
  }

  @Test("A path has no query, no escapes and no host, and other methods do not exist")
  func paths() {
    for path in ["/?q=1", "/#a", "/%2e", "http://127.0.0.1/", "*"] {
      #expect(throws: HTTPError.notFound) { try read("GET \(path) HTTP/1.1") }
    }
    #expect(throws: HTTPError.methodNotAllowed) { try read("OPTIONS / HTTP/1.1") }
  }

  @Test("A body above the limit is rejected before it is read")
  func bodyLimit() throws {
    let limit = HTTPRequest.bodyLimit
    #expect(try read("POST / HTTP/1.1", "Content-Length: \(limit)").bodyCount == limit)
    for length in ["\(limit + 1)", "99999999999999999999999"] {
      #expect(throws: HTTPError.contentTooLarge) {
        try read("POST / HTTP/1.1", "Content-Length: \(length)")
      }
    }
  }

  @Test("A cookie that occurs twice is not used")
  func twoCookies() throws {
    let request = try read("GET / HTTP/1.1", "Cookie: inspector=a; inspector=b")
    #expect(request.cookie("inspector") == nil)
  }
}
