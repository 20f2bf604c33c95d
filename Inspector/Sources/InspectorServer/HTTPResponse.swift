/// A response, which is complete in memory and ends its connection.
struct HTTPResponse: Sendable {
  var status: Int
  var type: String
  var body: [UInt8]
  /// The cookie to set: name, value and path.
  var cookie: (name: String, value: String, path: String)?

  init(_ type: String, _ body: [UInt8], status: Int = 200) {
    self.status = status
    self.type = type
    self.body = body
  }

  init(_ error: HTTPError) {
    self.init(
      "text/plain; charset=utf-8", Array("\(error.phrase)\n".utf8), status: error.rawValue)
  }

  /// The rules of the browser for the page: nothing from elsewhere, nothing stored, no frame.
  private static let rules = """
    Cache-Control: no-store\r
    Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'\r
    Cross-Origin-Opener-Policy: same-origin\r
    Cross-Origin-Resource-Policy: same-origin\r
    Permissions-Policy: camera=(), geolocation=(), microphone=(), clipboard-read=()\r
    Referrer-Policy: no-referrer\r
    X-Content-Type-Options: nosniff\r
    X-Frame-Options: DENY\r

    """

  /// The bytes of the response.
  var bytes: [UInt8] {
    var head = """
      HTTP/1.1 \(status) \(HTTPError(rawValue: status)?.phrase ?? (status == 200 ? "OK" : "Error"))\r
      Connection: close\r
      Content-Length: \(body.count)\r
      Content-Type: \(type)\r

      """
    head += Self.rules
    if let cookie {
      head +=
        "Set-Cookie: \(cookie.name)=\(cookie.value); Path=\(cookie.path); HttpOnly; "
        + "SameSite=Strict\r\n"
    }
    return Array("\(head)\r\n".utf8) + body
  }
}
