import ObjectVaultTool
import Testing

@testable import InspectorServer

@Suite("Routes of the inspector") struct RouterTests {
  private let session = BrowserSession()
  private var router: Router {
    Router(session: session, port: 4000) { _, _, _ in
      Issue.record("No operation may run.")
      return InspectionAnswer.empty
    }
  }
  private let host = "127.0.0.1:4000"

  private func post(_ path: String, _ changes: [String: String?] = [:]) -> HTTPRequest {
    var fields = [
      "host": host, "origin": "http://\(host)", "content-type": "application/json",
      "sec-fetch-site": "same-origin",
    ]
    for (name, value) in changes { fields[name] = value }
    return HTTPRequest(.post, path, fields)
  }

  private func token(_ text: String) -> [UInt8] { Array("\"\(text)\"".utf8) }

  @Test("The token is exchanged for a cookie once, and a wrong one never")
  func exchange() throws {
    #expect(throws: HTTPError.forbidden) {
      try router.response(to: post("/session"), token(String(repeating: "a", count: 43))) { false }
    }
    let response = try router.response(to: post("/session"), token(session.token)) { false }
    #expect(response.cookie?.path == session.path)
    let head = String(decoding: response.bytes, as: UTF8.self)
    #expect(head.contains("; HttpOnly; SameSite=Strict\r\n"))
    #expect(throws: HTTPError.forbidden) {
      try router.response(to: post("/session"), token(session.token)) { false }
    }
  }

  @Test("Operations need the cookie of the session")
  func cookie() throws {
    let path = session.path + "vault"
    #expect(throws: HTTPError.forbidden) { try router.check(post(path)) }
    let secret = try #require(session.exchange(Array(session.token.utf8)))
    try router.check(post(path, ["cookie": "inspector=\(secret)"]))
    #expect(throws: HTTPError.forbidden) {
      try router.check(post(path, ["cookie": "inspector=\(secret)x"]))
    }
    #expect(throws: HTTPError.forbidden) {
      try router.check(post("/other/vault", ["cookie": "inspector=\(secret)"]))
    }
  }

  @Test("A cookie does not admit before the token was exchanged")
  func early() {
    #expect(!session.admits(HTTPRequest(.post, "/", ["cookie": "inspector="])))
  }

  @Test("A request to another host, from another origin or of another type is rejected")
  func origins() throws {
    try router.check(post("/session"))
    for name in ["localhost:4000", "127.0.0.1", "127.0.0.1:4001", "evil.example", ""] {
      #expect(throws: HTTPError.misdirectedRequest) {
        try router.check(post("/session", ["host": name]))
      }
      #expect(throws: HTTPError.misdirectedRequest) {
        try router.check(HTTPRequest(.get, "/", ["host": name]))
      }
    }
    for origin in ["http://evil.example", "null", "http://127.0.0.1:4001", nil] as [String?] {
      #expect(throws: HTTPError.forbidden) {
        try router.check(post("/session", ["origin": origin]))
      }
    }
    #expect(throws: HTTPError.forbidden) {
      try router.check(post("/session", ["sec-fetch-site": "same-site"]))
    }
    #expect(throws: HTTPError.unsupportedMediaType) {
      try router.check(post("/session", ["content-type": "text/plain"]))
    }
  }

  @Test("The files of the page exist, are not stored and load nothing from elsewhere")
  func files() throws {
    for path in [
      "/", session.path, "/inspector.css", "/inspector.js", "/page.js", "/schema.js", "/objects.js",
      "/object.js", "/condition.js", "/icon.svg",
    ] {
      let response = try router.response(to: HTTPRequest(.get, path), []) { false }
      #expect(response.status == 200)
      let text = String(decoding: response.bytes, as: UTF8.self)
      #expect(text.contains("Cache-Control: no-store\r\n"))
      #expect(text.contains("default-src 'none'; script-src 'self'"))
      let content = String(decoding: response.body, as: UTF8.self)
        .replacing("http://www.w3.org/2000/svg", with: "")
      #expect(!content.isEmpty && !content.contains("://"), "\(path)")
      for sink in ["innerHTML", "eval(", "document.write", "localStorage", "sessionStorage"] {
        #expect(!content.contains(sink), "\(path)")
      }
    }
    #expect(throws: HTTPError.notFound) {
      try router.response(to: HTTPRequest(.get, "/other"), []) { false }
    }
  }
}

extension InspectionAnswer {
  fileprivate static var empty: InspectionAnswer {
    fatalError("A test that reaches this has failed.")
  }
}
