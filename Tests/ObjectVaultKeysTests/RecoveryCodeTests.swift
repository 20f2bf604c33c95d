import ObjectVaultKeys
import Testing

@Suite("Recovery codes")
struct RecoveryCodeTests {
  private func text(_ bytes: [UInt8]) -> String {
    RecoveryCode.text(of: Secret(copying: bytes)).withUnsafeBytes {
      String(decoding: $0, as: UTF8.self)
    }
  }

  private func bytes(_ text: String) throws -> [UInt8] {
    try RecoveryCode.bytes(of: Secret(utf8: text)).withUnsafeBytes { Array($0) }
  }

  private let sample = (0..<25).map { UInt8(($0 * 73 + 41) & 255) }

  @Test("are eight groups of six characters and read back as the same bytes")
  func roundTrip() throws {
    for bytes in [sample, .init(repeating: 0, count: 25), .init(repeating: 255, count: 25)] {
      let text = text(bytes)
      #expect(text.split(separator: "-").map(\.count) == Array(repeating: 6, count: 8))
      #expect(try self.bytes(text) == bytes)
    }
  }

  @Test("are read as people type them: in lower case, with spaces, O for 0 and I for 1")
  func typedForms() throws {
    let text = text(sample)
    let typed = String(
      text.lowercased().map { character -> Character in
        switch character {
        case "0": "o"
        case "1": "l"
        case "-": " "
        default: character
        }
      })
    #expect(try bytes(typed + "\n") == sample)
    #expect(try bytes(text.filter { $0 != "-" }) == sample)
  }

  @Test("show every single wrong character, and in which group it stands")
  func substitutions() throws {
    let right = Array(text(sample))
    for index in right.indices where right[index] != "-" {
      for other in "0123456789ABCDEFGHJKMNPQRSTVWXYZ" where other != right[index] {
        var wrong = right
        wrong[index] = other
        let error = #expect(throws: KeyError.self) { try bytes(String(wrong)) }
        #expect(error?.code == .recoveryCodeMistyped)
        #expect(error?.message.contains("Group \(index / 7 + 1) of 8") == true)
      }
    }
  }

  @Test("show any two characters of a group that changed places")
  func transpositions() throws {
    let right = Array(text(sample))
    for group in 0..<8 {
      for a in 0..<6 {
        for b in (a + 1)..<6 where right[group * 7 + a] != right[group * 7 + b] {
          var wrong = right
          wrong.swapAt(group * 7 + a, group * 7 + b)
          #expect(throws: KeyError.self) { try bytes(String(wrong)) }
        }
      }
    }
  }

  @Test("show any two groups that changed places")
  func swappedGroups() throws {
    let groups = text(sample).split(separator: "-")
    for a in 0..<8 {
      for b in (a + 1)..<8 {
        var wrong = groups
        wrong.swapAt(a, b)
        #expect(throws: KeyError.self) { try bytes(wrong.joined(separator: "-")) }
      }
    }
  }

  @Test("of a wrong length or with other characters are refused, and none at all is no key")
  func wrongForms() throws {
    let right = text(sample)
    for (typed, code) in [
      ("", KeyError.Code.noKey), ("   ", .noKey), (String(right.dropLast()), .recoveryCodeMistyped),
      (right + "0", .recoveryCodeMistyped), ("\u{E9}" + right.dropFirst(), .recoveryCodeMistyped),
      (String(repeating: "\u{1F511}", count: 100), .recoveryCodeMistyped),
    ] {
      let error = #expect(throws: KeyError.self) { try bytes(typed) }
      #expect(error?.code == code)
    }
    let error = #expect(throws: KeyError.self) { try bytes(right + "\u{E9}") }
    #expect(error?.message.contains("Group 8 of 8") == true)
  }

  @Test("are never the same twice")
  func random() throws {
    let first = try RecoveryCode.random()
    let second = try RecoveryCode.random()
    let areEqual = first.isEqual(to: second)
    #expect(!areEqual)
  }
}
