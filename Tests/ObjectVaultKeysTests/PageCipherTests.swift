import ObjectVaultKeys
import Testing

@Suite("Decrypted pages")
struct PageCipherTests {
  private func page(
    _ number: Int, of bytes: [UInt8], size: Int
  ) -> [UInt8] { Array(bytes[(number - 1) * size..<number * size]) }

  @Test("of a file that another program wrote hold its texts", arguments: CipherFormat.allCases)
  func texts(format: CipherFormat) throws {
    let (bytes, pageSize) = try FrozenDatabase.bytes(format)
    var recogniser = FormatRecogniser(formats: [format])
    let file = try recogniser.recognise(bytes)
    let plaintext = try file.rawKey.withSecret { rawKey throws -> [UInt8] in
      let cipher = try PageCipher(scheme: file.scheme, pageSize: pageSize, rawKey: rawKey)
      return try (1...bytes.count / pageSize).flatMap { number in
        let page = page(number, of: bytes, size: pageSize)
        return try #require(
          page.withUnsafeBytes { cipher.decrypt($0, number: UInt32(number)) })
      }
    }
    #expect(plaintext.count == bytes.count)
    #expect(CipherFormat.isPlain(plaintext))
    let text = String(decoding: plaintext, as: UTF8.self)
    #expect(text.contains("CREATE TABLE pet"))
    #expect((1...40).allSatisfy { text.contains("note number \($0) of the fixture") })
    // What a page reserves at its end reads as zeros.
    let end = plaintext[pageSize - format.reservedCount..<pageSize]
    #expect(end.allSatisfy { $0 == 0 })
  }

  @Test("cannot be had of fewer bytes than a page has")
  func tooShort() throws {
    let cipher = try PageCipher(
      scheme: CipherScheme(.format4), pageSize: 1024,
      rawKey: Secret(copying: [UInt8](repeating: 1, count: 32)))
    let bytes = [UInt8](repeating: 0, count: 1023)
    #expect(bytes.withUnsafeBytes { cipher.decrypt($0, number: 1) } == nil)
  }
}
