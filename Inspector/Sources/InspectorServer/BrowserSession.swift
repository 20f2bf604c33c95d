import Synchronization

/// The session of one browser: a token that is exchanged once for a cookie.
///
/// The cookie is limited to a random path, because browsers send cookies to every port of a host:
/// other programs on this computer cannot make the browser send it to them.
final class BrowserSession: Sendable {
  /// The token in the printed address.
  let token = BrowserSession.random()
  /// The path of the page, with a slash at both ends.
  let path = "/\(BrowserSession.random().prefix(22))/"
  static let cookieName = "inspector"

  private let secret = BrowserSession.random()
  private let isExchanged = Mutex(false)

  /// Returns the value of the cookie for the token, once; `nil` for a wrong or used one.
  func exchange(_ candidate: [UInt8]) -> String? {
    guard Self.isEqual(candidate, Array(token.utf8)) else { return nil }
    return isExchanged.withLock { isExchanged in
      defer { isExchanged = true }
      return isExchanged ? nil : secret
    }
  }

  /// Returns whether a request has the cookie of the session.
  func admits(_ request: HTTPRequest) -> Bool {
    guard isExchanged.withLock(\.self), let cookie = request.cookie(Self.cookieName) else {
      return false
    }
    return Self.isEqual(Array(cookie.utf8), Array(secret.utf8))
  }

  /// Compares in a time that depends on the lengths only.
  private static func isEqual(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    a.count == b.count && zip(a, b).reduce(0) { $0 | $1.0 ^ $1.1 } == 0
  }

  /// Returns 256 random bits as 43 letters and digits of a URL.
  private static func random() -> String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    // The generator of the system is suitable for cryptography.
    var generator = SystemRandomNumberGenerator()
    return String(
      decoding: (0..<43).map { _ in letters[Int(generator.next() & 63)] }, as: UTF8.self)
  }
}
