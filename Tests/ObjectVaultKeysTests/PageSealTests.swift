import ObjectVaultKeys
import ObjectVaultPrimitives
import Testing

@Suite("Page seals")
struct PageSealTests {
  static let sealed = [CipherFormat.format2, .format3, .format4]

  /// A frozen database and its pages' seal.
  private func database(_ format: CipherFormat) throws -> (bytes: [UInt8], key: RecognisedFile) {
    let bytes = try FrozenDatabase.bytes(format).bytes
    var recogniser = FormatRecogniser(formats: [format])
    return (bytes, try recogniser.recognise(bytes))
  }

  private func seal(_ file: RecognisedFile) throws -> PageSeal {
    try file.rawKey.withSecret { rawKey throws(KeyError) in
      try PageSeal(
        scheme: file.scheme, pageSize: file.pageSize, rawKey: rawKey, salt: file.salt)
    }
  }

  @Test("fit every page of a file that another program wrote", arguments: sealed)
  func fitEveryPage(format: CipherFormat) throws {
    let (bytes, file) = try database(format)
    let seal = try seal(file)
    let pageCount = bytes.count / file.pageSize
    #expect(pageCount >= 4)
    for number in 1...pageCount {
      let page = bytes[((number - 1) * file.pageSize)..<(number * file.pageSize)]
      let verdict = Array(page).withUnsafeBytes { seal.check($0, number: UInt32(number)) }
      #expect(verdict == .authentic, "page \(number)")
    }
  }

  @Test(
    "notice a change in any byte of page 2, the padding after the seal aside", arguments: sealed)
  func noticeEveryByte(format: CipherFormat) throws {
    let (bytes, file) = try database(format)
    let seal = try seal(file)
    let page = Array(bytes[file.pageSize..<(2 * file.pageSize)])
    let end = file.pageSize - format.reservedCount + 16 + format.hash.count
    let unnoticed = page.indices.filter { offset in
      page.flipping(offset).withUnsafeBytes { seal.verify($0, number: 2) }
    }
    #expect(unnoticed == Array(end..<file.pageSize))
  }

  @Test("of page 1 leave out the salt and nothing else before the padding", arguments: sealed)
  func leaveOutTheSalt(format: CipherFormat) throws {
    let (bytes, file) = try database(format)
    let seal = try seal(file)
    let page = Array(bytes[..<file.pageSize])
    let end = file.pageSize - format.reservedCount + 16 + format.hash.count
    let unnoticed = page.indices.filter { offset in
      page.flipping(offset).withUnsafeBytes { seal.verify($0, number: 1) }
    }
    #expect(unnoticed == Array(0..<16) + Array(end..<file.pageSize))
  }

  @Test("fit a page only at its own number", arguments: sealed)
  func fitOnlyTheNumber(format: CipherFormat) throws {
    let (bytes, file) = try database(format)
    let seal = try seal(file)
    let page = Array(bytes[file.pageSize..<(2 * file.pageSize)])
    for number: UInt32 in [1, 3, 0x0200_0000, .max] {
      #expect(page.withUnsafeBytes { seal.check($0, number: number) } == .broken, "\(number)")
    }
  }

  @Test("do not fit under another key or salt", arguments: sealed)
  func needTheKey(format: CipherFormat) throws {
    let (bytes, file) = try database(format)
    let page = Array(bytes[file.pageSize..<(2 * file.pageSize)])
    let otherKey = try PageSeal(
      scheme: file.scheme, pageSize: file.pageSize, rawKey: .random(count: 32), salt: file.salt)
    #expect(page.withUnsafeBytes { otherKey.check($0, number: 2) } == .broken)
    let otherSalt = try FileSalt.random()
    let isBroken = try file.rawKey.withSecret { rawKey throws(KeyError) in
      let seal = try PageSeal(
        scheme: file.scheme, pageSize: file.pageSize, rawKey: rawKey, salt: otherSalt)
      return page.withUnsafeBytes { seal.check($0, number: 2) } == .broken
    }
    #expect(isBroken)
  }

  @Test("know pages of zeros, the lock bytes' page, and bytes that are no whole page")
  func knowSpecialPages() throws {
    let (bytes, file) = try database(.format3)
    let seal = try seal(file)
    let zeros = [UInt8](repeating: 0, count: 1024)
    #expect(zeros.withUnsafeBytes { seal.check($0, number: 9) } == .zero)
    #expect(zeros.flipping(1023).withUnsafeBytes { seal.check($0, number: 9) } == .broken)
    #expect(zeros.withUnsafeBytes { seal.check($0, number: 1_048_577) } == .lockBytes)
    #expect(CipherFormat.lockBytePage(pageSize: 4096) == 262_145)
    for count in [0, 16, 1023, 1025] {
      let part = Array(bytes.prefix(count))
      #expect(part.withUnsafeBytes { seal.check($0, number: 1) } == .broken, "\(count) bytes")
      let fewZeros = [UInt8](repeating: 0, count: count)
      #expect(fewZeros.withUnsafeBytes { seal.check($0, number: 9) } == .broken, "\(count) zeros")
    }
  }

  @Test("are not there in format 1")
  func format1HasNone() throws {
    let (bytes, file) = try database(.format1)
    let seal = try seal(file)
    let page = Array(bytes[file.pageSize..<(2 * file.pageSize)])
    #expect(page.withUnsafeBytes { seal.check($0, number: 2) } == .notSealed)
    #expect(!page.withUnsafeBytes { seal.verify($0, number: 2) })
  }
}
