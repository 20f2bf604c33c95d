/// The name of an OpenSSL parameter.
///
/// OpenSSL retains the pointer, so it must refer to static memory. A Swift string passed as a C
/// string is valid only during the call.
struct ParameterName: ExpressibleByStringLiteral {
  private let text: StaticString

  init(stringLiteral text: StaticString) { self.text = text }

  /// The name, terminated by NUL.
  var pointer: UnsafePointer<CChar> {
    UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
  }

  static let digest: ParameterName = "digest"
  static let mode: ParameterName = "mode"
  static let key: ParameterName = "key"
  static let info: ParameterName = "info"
  static let salt: ParameterName = "salt"
}
