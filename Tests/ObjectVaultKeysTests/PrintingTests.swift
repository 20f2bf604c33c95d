import ObjectVaultKeys
import Testing

@Suite("No print, dump or mirror shows a key")
struct PrintingTests {
  private static let marker = "correct horse battery"

  private func renderings<Value>(_ value: Value) -> [String] {
    var dumped = ""
    dump(value, to: &dumped)
    return ["\(value)", String(reflecting: value), dumped]
  }

  @Test("what would show it does: the control")
  func control() {
    struct Open { var text: String }
    #expect(renderings(Open(text: Self.marker)).allSatisfy { $0.contains(Self.marker) })
  }

  @Test("a vault key prints as <secret>")
  func vaultKey() {
    let key = VaultKey.passphrase(Self.marker)
    #expect("\(key)" == "<secret>")
    #expect(Mirror(reflecting: key).children.isEmpty)
    for text in renderings(key) + renderings([key]) + renderings(Optional(key)) {
      #expect(text.contains("<secret>") && !text.contains("horse"))
    }
  }

  @Test("a shared secret and a resolved key print as <secret>")
  func resolvedKey() throws {
    let key = try VaultKey.passphrase(Self.marker).resolve()
    #expect("\(key.secret)" == "<secret>")
    #expect(Mirror(reflecting: key.secret).children.isEmpty)
    for text in renderings(key) + renderings(key.secret) {
      #expect(text.contains("<secret>") && !text.contains("horse"))
    }
    let secret = Secret(utf8: Self.marker)
    #expect(secret.description == "<secret>")
  }

  @Test("a source prints where it reads, not what")
  func source() {
    let source = KeySource.closure { Secret(utf8: Self.marker) }
    #expect("\(source)" == "key from a closure")
    #expect("\(KeySource.file("/k"))" == "key from the file '/k'")
    #expect("\(KeySource.environment("K"))" == "key from the environment variable 'K'")
    #expect("\(KeySource.descriptor(5))" == "key from the file descriptor 5")
    #expect(Mirror(reflecting: source).children.isEmpty)
  }

  @Test("a recognised file prints its format and no key")
  func recognisedFile() throws {
    var recogniser = FormatRecogniser(formats: [.format1])
    let found = try recogniser.recognise(FrozenDatabase.bytes("format1-512.db"))
    let hexadecimal = found.rawKey.withUnsafeBytes { $0.map { String($0) }.joined(separator: ", ") }
    for text in renderings(found) {
      #expect(text.contains("<secret>") && !text.contains(hexadecimal))
    }
  }
}
