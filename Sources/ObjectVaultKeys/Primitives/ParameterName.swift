/// The name of one of OpenSSL's parameters.
///
/// OpenSSL keeps the pointer it is given, so it must lead to memory that stays: a Swift string
/// passed as a C string lives no longer than the call.
struct ParameterName: ExpressibleByStringLiteral {
  private let text: StaticString

  init(stringLiteral text: StaticString) { self.text = text }

  /// The name with a NUL behind it.
  var pointer: UnsafePointer<CChar> {
    UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
  }

  static let digest: ParameterName = "digest"
  static let key: ParameterName = "key"
  static let info: ParameterName = "info"
  static let salt: ParameterName = "salt"
}
