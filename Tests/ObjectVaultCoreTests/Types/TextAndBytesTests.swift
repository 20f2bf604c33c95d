import Foundation
import ObjectVaultCore
import TestSupport
import Testing

@Suite("Text and bytes") struct TextAndBytesTests {
  static let texts = [
    "", " ", "a", "\0", "a\0b", "\0\0", "'", "''", "\"", "\\", "%@ _ % ; --", "line\nbreak\r\n\t",
    "日本語", "😀👨‍👩‍👧‍👦🏴󠁧󠁢󠁥󠁮󠁧󠁿", "e\u{301}", "\u{e9}", "\u{301}", "\u{301}\u{302}", "\u{200D}", "\u{FEFF}bom",
    "\u{7F}\u{80}\u{85}\u{A0}", "\u{FFFD}\u{FFFE}\u{FFFF}", "\u{D7FF}\u{E000}",
    "\u{10000}\u{1FFFF}", "\u{20000}\u{2FFFF}", "\u{E0001}\u{EFFFF}", "\u{F0000}\u{10FFFF}",
    String(repeating: "long ", count: 20_000), "exactly15bytes!", "exactly16 bytes!",
  ]

  @Test("text comes back scalar for scalar", arguments: texts)
  func textComesBackScalarForScalar(text: String) throws {
    #expect(try Array(roundTrip(text).unicodeScalars) == Array(text.unicodeScalars))
    #expect(try roundTrip(String?.some(text))?.utf8.elementsEqual(text.utf8) == true)
    let part = ("<" + text + ">").dropFirst().dropLast()
    if part.utf8.elementsEqual(text.utf8) {
      #expect(try roundTrip(part).utf8.elementsEqual(text.utf8))
    }
  }

  @Test("one scalar of every plane comes back", .covers("X8", "A34"))
  func oneScalarOfEveryPlaneComes() throws {
    for plane in UInt32(0)...16 {
      for offset in [0x0041, 0x0301, 0x1234, 0xFFFD] as [UInt32] {
        let scalar = try #require(Unicode.Scalar(plane << 16 | offset))
        let text = String(Character(scalar))
        #expect(try Array(roundTrip(text).unicodeScalars) == [scalar])
      }
    }
  }

  @Test("empty text, nil and empty bytes are three things", .covers("A28"))
  func emptyTextNilAndEmptyBytes() throws {
    let cell = try OneCell("TEXT")
    try cell.write { try String?.some("").bind(to: $0, at: 0) }
    #expect(try cell.stored() == "text ''")
    #expect(try cell.read { try String?.read(from: $0, at: 0) } == "")
    try cell.write { try String?.none.bind(to: $0, at: 0) }
    #expect(try cell.stored() == "null NULL")
    #expect(try cell.read { try String?.read(from: $0, at: 0) } == nil)
    let bytes = try OneCell("BLOB")
    try bytes.write { try Data?.some(Data()).bind(to: $0, at: 0) }
    #expect(try bytes.stored() == "blob X''")
    #expect(try bytes.read { try Data?.read(from: $0, at: 0) } == Data())
    #expect(try bytes.read { try [UInt8]?.read(from: $0, at: 0) } == [])
    try bytes.write { try Data?.none.bind(to: $0, at: 0) }
    #expect(try bytes.stored() == "null NULL")
    #expect(try bytes.read { try Data?.read(from: $0, at: 0) } == nil)
    #expect(try bytes.read { try [UInt8]?.read(from: $0, at: 0) } == nil)
  }

  @Test(
    "all 256 bytes come back, as Data and as an array, whole and in part", .covers("X11", "A34"))
  func all256BytesComeBack() throws {
    let bytes = (0...255).map { UInt8($0) }
    #expect(try roundTrip(bytes) == bytes)
    #expect(try roundTrip(Data(bytes)) == Data(bytes))
    let slice = Data(bytes)[100..<164]
    #expect(try roundTrip(slice) == slice)
    let large = [UInt8](repeating: 0xA5, count: 3_000_000)
    #expect(try roundTrip(large) == large)
    #expect(try roundTrip([UInt8]()) == [])
  }

  @Test("text is not taken for bytes") func textIsNotTakenForBytes() throws {
    let cell = try OneCell("BLOB")
    try cell.set(sql: "'text'")
    #expect(invalidValue { _ = try cell.read { try Data.read(from: $0, at: 0) } } != nil)
    #expect(invalidValue { _ = try cell.read { try [UInt8].read(from: $0, at: 0) } } != nil)
    #expect(invalidValue { _ = try cell.read { try Data?.read(from: $0, at: 0) } } != nil)
  }

  @Test(
    "a character comes back",
    arguments: ["a", "é", "e\u{301}", "👨‍👩‍👧‍👦", "\0", "\r\n", "\u{301}"] as [Character])
  func aCharacterComesBack(character: Character) throws {
    #expect(
      try Array(roundTrip(character).unicodeScalars) == Array(character.unicodeScalars))
  }

  @Test("text of none or several characters is no character", arguments: ["''", "'ab'", "'a '"])
  func textOfNoneOrSeveralCharacters(content: String) throws {
    let cell = try OneCell("TEXT")
    try cell.set(sql: content)
    #expect(invalidValue { _ = try cell.read { try Character.read(from: $0, at: 0) } } != nil)
  }
}
