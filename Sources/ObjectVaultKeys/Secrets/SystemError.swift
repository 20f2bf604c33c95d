internal import ObjectVaultPlatform

/// Returns the operating system's text for an error number.
func systemErrorText(_ number: Int32) -> String {
  var text = [CChar](repeating: 0, count: 256)
  _ = strerror_r(number, &text, text.count - 1)
  return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
