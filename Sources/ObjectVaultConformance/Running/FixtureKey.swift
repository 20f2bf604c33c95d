import ObjectVaultConformanceFormat
import ObjectVaultKeys

/// A key in the notation of a fixture.
struct FixtureKey {
  private let value: FixtureValue

  /// The raw key 0x01, 0x02, … 0x20, which is used if a fixture specifies no key.
  static let standard = FixtureValue.object([
    .init("raw", .text((1...32).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()))
  ])

  init(_ value: FixtureValue) { self.value = value }

  /// Returns the resolved key, for recognising the format of a file.
  func resolved() throws -> ResolvedKey { try form().resolve() }

  /// Returns the key in the form that every program passes to the engine.
  ///
  /// It is the bytes of a passphrase, from which the engine derives the key itself, or `x'…'`.
  func engineForm() throws -> [UInt8] {
    switch value.members?.first?.value {
    case .text(let digits)? where isRaw: Array("x'\(digits)'".utf8)
    case .text(let text)? where isPassphrase: Array(text.utf8)
    case .data(let bytes)? where isPassphrase: bytes
    default: throw malformed
    }
  }

  private func form() throws(RunnerError) -> VaultKey {
    switch value.members?.first?.value {
    case .text(let digits)? where isRaw: .raw(hex: digits)
    case .text(let text)? where isPassphrase: .passphrase(text)
    case .data(let bytes)? where isPassphrase: .passphrase(bytes: bytes)
    default: throw malformed
    }
  }

  private var isRaw: Bool { value.members?.count == 1 && value["raw"] != nil }
  private var isPassphrase: Bool { value.members?.count == 1 && value["passphrase"] != nil }

  private var malformed: RunnerError {
    RunnerError(
      "the key of a file must be {raw: HEX}, {passphrase: TEXT} or {passphrase: {data: BASE64}}")
  }
}
