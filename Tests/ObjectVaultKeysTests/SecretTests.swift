import ObjectVaultKeys
import Testing

@Suite("A secret")
struct SecretTests {
  @Test("starts as zeros and can be filled in place")
  func fillsInPlace() {
    var secret = Secret(count: 3)
    #expect(secret.withUnsafeBytes { Array($0) } == [0, 0, 0])
    secret.withUnsafeMutableBytes { $0[1] = 7 }
    #expect(secret.withUnsafeBytes { Array($0) } == [0, 7, 0])
  }

  @Test(
    "holds any number of bytes, also none and more than a page", arguments: [0, 1, 4096, 70_000])
  func holdsAnyCount(count: Int) {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let secret = Secret(copying: bytes)
    #expect(secret.count == count)
    #expect(secret.withUnsafeBytes { Array($0) } == bytes)
  }

  @Test("made of a text holds its UTF-8 bytes, NUL and combining marks unchanged")
  func keepsUTF8() {
    let secret = Secret(utf8: "e\u{301}\u{0}\u{1F600}")
    #expect(
      secret.withUnsafeBytes { Array($0) } == [0x65, 0xcc, 0x81, 0, 0xf0, 0x9f, 0x98, 0x80])
  }

  @Test("equals another only when length and every byte are the same")
  func comparesWholly() {
    let secret = Secret(utf8: "abcd")
    for (text, expected) in [
      ("abcd", true), ("abce", false), ("bbcd", false), ("abc", false), ("abcde", false),
      ("", false),
    ] {
      let isEqual = secret.isEqual(to: Secret(utf8: text))
      #expect(isEqual == expected, "\(text)")
    }
    let areEmptyEqual = Secret(count: 0).isEqual(to: Secret(count: 0))
    #expect(areEmptyEqual)
  }

  @Test("made at random differs from the next one and is not zeros")
  func randomBytesDiffer() throws {
    let first = try Secret.random(count: 32)
    let second = try Secret.random(count: 32)
    let areEqual = first.isEqual(to: second)
    let isZero = first.isEqual(to: Secret(count: 32))
    #expect(!areEqual && !isZero)
  }

  @Test("becomes hexadecimal digits, every byte value as two lower-case ones")
  func writesHexadecimal() {
    let bytes = Array(UInt8.min...UInt8.max)
    let digits = Secret(copying: bytes).hexadecimal()
    let text = digits.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    let expected = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    #expect(text == expected)
  }

  @Test("is read from hexadecimal digits of either case")
  func readsHexadecimal() {
    let secret = Secret(utf8: "00fFAbc9").decodedHexadecimal()
    let bytes = secret?.withUnsafeBytes { Array($0) }
    #expect(bytes == [0, 0xff, 0xab, 0xc9])
  }

  @Test(
    "is not read from what is not hexadecimal",
    arguments: ["0", "0g", "g0", "0x", " 0", "/0", ":0", "@0", "`0"])
  func refusesOtherDigits(text: String) {
    let isRefused = Secret(utf8: text).decodedHexadecimal() == nil
    #expect(isRefused)
  }
}
