import ObjectVaultTool

/// The responses to requests: the files of the page, the exchange of the token, and operations.
struct Router: Sendable {
  let session: BrowserSession
  /// The port that the server listens on.
  let port: UInt16
  /// Performs an operation with a body, until the browser closes the connection.
  let perform:
    @Sendable (
      _ operation: String, _ body: [UInt8], _ isAbandoned: @escaping @Sendable () -> Bool
    ) -> InspectionAnswer

  private static let json = "application/json"

  /// Checks a request before its body is read.
  ///
  /// The host must be the address of the server: a name that an attacker resolves to this computer
  /// is another one. A change must come from the page itself.
  ///
  /// - Throws: ``HTTPError``.
  func check(_ request: HTTPRequest) throws(HTTPError) {
    guard request.fields["host"] == host else { throw .misdirectedRequest }
    let site = request.fields["sec-fetch-site"]
    guard request.method == .post else {
      if request.bodyCount > 0 { throw .badRequest }
      return
    }
    guard request.fields["origin"] == "http://\(host)", site == nil || site == "same-origin" else {
      throw .forbidden
    }
    guard request.fields["content-type"] == Self.json else { throw .unsupportedMediaType }
    if request.path == "/session" { return }
    guard request.path.hasPrefix(session.path), session.admits(request) else { throw .forbidden }
  }

  private var host: String { "127.0.0.1:\(port)" }

  /// Returns the response to a checked request.
  ///
  /// - Throws: ``HTTPError``.
  func response(
    to request: HTTPRequest, _ body: [UInt8], isAbandoned: @escaping @Sendable () -> Bool
  ) throws(HTTPError) -> HTTPResponse {
    switch request.method {
    case .get: return try file(request.path)
    case .post where request.path == "/session": return try exchange(body)
    case .post:
      let operation = String(request.path.dropFirst(session.path.count))
      let answer = perform(operation, body, isAbandoned)
      // A mistake in a condition or a value is a result: browsers report other statuses as errors
      // of the page.
      return HTTPResponse(
        Self.json, answer.json, status: answer.status == 422 ? 200 : answer.status)
    }
  }

  /// Returns a file of the page; none contains anything of the vault.
  private func file(_ path: String) throws(HTTPError) -> HTTPResponse {
    if path == "/" || path == session.path {
      return HTTPResponse("text/html; charset=utf-8", PackageResources.inspector_html)
    }
    guard let (type, bytes) = Self.files[path] else { throw .notFound }
    return HTTPResponse(type, bytes)
  }

  private static let files: [String: (type: String, bytes: [UInt8])] = {
    let script = "text/javascript; charset=utf-8"
    return [
      "/inspector.css": ("text/css; charset=utf-8", PackageResources.inspector_css),
      "/icon.svg": ("image/svg+xml", PackageResources.icon_svg),
      "/inspector.js": (script, PackageResources.inspector_js),
      "/page.js": (script, PackageResources.page_js),
      "/schema.js": (script, PackageResources.schema_js),
      "/objects.js": (script, PackageResources.objects_js),
      "/object.js": (script, PackageResources.object_js),
      "/condition.js": (script, PackageResources.condition_js),
    ]
  }()

  /// Exchanges the token for the cookie; the body is the token as a JSON string.
  private func exchange(_ body: [UInt8]) throws(HTTPError) -> HTTPResponse {
    guard body.count > 2, body.first == UInt8(ascii: "\""), body.last == UInt8(ascii: "\""),
      let cookie = session.exchange(Array(body.dropFirst().dropLast()))
    else { throw .forbidden }
    var response = HTTPResponse(Self.json, Array("\"\(session.path)\"".utf8))
    response.cookie = (BrowserSession.cookieName, cookie, session.path)
    return response
  }
}
