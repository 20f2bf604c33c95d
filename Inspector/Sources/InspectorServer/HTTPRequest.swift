/// The head of an HTTP/1.1 request, in the strict form that browsers send.
struct HTTPRequest: Sendable, Equatable {
  /// The methods that the server supports.
  enum Method: String { case get = "GET", post = "POST" }

  var method: Method
  /// The path, which begins with a slash and has no query.
  var path: String
  /// The values of the header fields by name, in lower case.
  private(set) var fields: [String: String] = [:]
  /// The number of bytes of the body.
  private(set) var bodyCount = 0

  /// The maximum size of a head in bytes.
  static let headLimit = 16 << 10
  /// The maximum size of a body in bytes.
  static let bodyLimit = 256 << 10

  init(_ method: Method, _ path: String, _ fields: [String: String] = [:]) {
    self.method = method
    self.path = path
    self.fields = fields
  }

  /// Reads a head without the empty line at its end.
  ///
  /// Everything that two programs could read differently is rejected: repeated fields, a transfer
  /// encoding, a bare line feed, folded lines.
  ///
  /// - Throws: ``HTTPError``.
  init(head: [UInt8]) throws(HTTPError) {
    guard head.allSatisfy({ (0x20...0x7E).contains($0) || $0 == 0x0D || $0 == 0x0A }) else {
      throw .badRequest
    }
    var lines: [Substring] = []
    // A carriage return with a line feed is one character.
    for line in String(decoding: head, as: UTF8.self).split(
      separator: "\r\n", omittingEmptySubsequences: false)
    {
      guard !line.unicodeScalars.contains(where: { $0 == "\r" || $0 == "\n" }) else {
        throw .badRequest
      }
      lines.append(line)
    }
    let words = lines.removeFirst().split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 3, words[2] == "HTTP/1.1" else { throw .badRequest }
    guard let method = Method(rawValue: String(words[0])) else { throw .methodNotAllowed }
    // A query could contain values, and the server uses none.
    guard words[1].hasPrefix("/"), !words[1].contains(where: { "?#%".contains($0) }) else {
      throw .notFound
    }
    self.init(method, String(words[1]))
    for line in lines { try add(line) }
    try readBodyCount()
  }

  private mutating func add(_ line: Substring) throws(HTTPError) {
    guard let colon = line.firstIndex(of: ":") else { throw .badRequest }
    let name = line[..<colon].lowercased()
    guard !name.isEmpty, name.allSatisfy(Self.isNamePart), fields[name] == nil else {
      throw .badRequest
    }
    var value = line[line.index(after: colon)...]
    while value.first == " " { value.removeFirst() }
    while value.last == " " { value.removeLast() }
    fields[name] = String(value)
  }

  private static func isNamePart(_ character: Character) -> Bool {
    character.isASCII && (character.isLetter || character.isNumber || "-_".contains(character))
  }

  private mutating func readBodyCount() throws(HTTPError) {
    guard fields["transfer-encoding"] == nil else { throw .badRequest }
    guard let text = fields["content-length"] else { return }
    guard !text.isEmpty, text.allSatisfy({ ("0"..."9").contains($0) }) else { throw .badRequest }
    guard let count = Int(text), count <= Self.bodyLimit else { throw .contentTooLarge }
    bodyCount = count
  }

  /// Returns the value of a cookie, or `nil` if it is missing or occurs twice.
  func cookie(_ name: String) -> String? {
    let found = (fields["cookie"] ?? "").split(separator: ";")
      .map { $0.drop { $0 == " " } }
      .filter { $0.hasPrefix("\(name)=") }
    return found.count == 1 ? String(found[0].dropFirst(name.count + 1)) : nil
  }
}

/// A rejected request, as its HTTP status.
enum HTTPError: Int, Error {
  case badRequest = 400
  case forbidden = 403
  case notFound = 404
  case methodNotAllowed = 405
  case requestTimeout = 408
  case contentTooLarge = 413
  case misdirectedRequest = 421
  case unsupportedMediaType = 415
  case headTooLarge = 431
  case unavailable = 503

  /// The name of the status.
  var phrase: String {
    switch self {
    case .badRequest: "Bad Request"
    case .forbidden: "Forbidden"
    case .notFound: "Not Found"
    case .methodNotAllowed: "Method Not Allowed"
    case .requestTimeout: "Request Timeout"
    case .contentTooLarge: "Content Too Large"
    case .misdirectedRequest: "Misdirected Request"
    case .unsupportedMediaType: "Unsupported Media Type"
    case .headTooLarge: "Request Header Fields Too Large"
    case .unavailable: "Service Unavailable"
    }
  }
}
