import KeyProviderProgram
import Testing

@testable import RecoveryShares

@Suite("Shares of a recovery code")
struct RecoverySharesTests {
  // Computed by another program from the bytes (73 i + 41) mod 256.
  private let code = "55SBP7-12DJV9-FJGWDA-T0D69B-BQH7E1-2WG4JJ-WMVMKX-6ZE01S"

  private func texts(_ total: Int, _ needed: Int, code: String? = nil) throws -> [String] {
    var texts: [String] = []
    try RecoveryShares.split(
      ProtectedBytes(copying: (code ?? self.code).utf8), total: total, needed: needed
    ) { share in
      texts.append(
        share.text(vault: "school\n.vault").withUnsafeBytes { String(decoding: $0, as: UTF8.self) })
    }
    return texts
  }

  private func combine(_ texts: [String]) throws -> String {
    var shares = ShareSet()
    for (index, text) in texts.enumerated() {
      try shares.add(
        RecoveryShare.read(ProtectedBytes(copying: text.utf8), name: "share \(index + 1)"))
    }
    return try RecoveryShares.combine(shares).withUnsafeBytes {
      String(decoding: $0, as: UTF8.self)
    }
  }

  /// Returns the code of a printed share, as people type it.
  private func typed(_ text: String) -> String {
    let code = text.split(separator: "Code:").last ?? ""
    return code.filter { !$0.isWhitespace && $0 != "-" }.lowercased()
      .replacing("0", with: "o").replacing("1", with: "l")
  }

  private func error(_ texts: [String]) -> String {
    do {
      return "no error: \(try combine(texts))"
    } catch {
      return "\(error)"
    }
  }

  @Test("A printed share names its number, the vault, the set and the shares needed")
  func text() throws {
    let text = try texts(5, 3)[1]
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == 8)
    #expect(lines[0] == "ObjectVault recovery share 2 of 5")
    #expect(lines[1] == "Vault:   school.vault")
    #expect(lines[2].wholeMatch(of: #/Set:     [0-9A-HJKMNP-TV-Z]{8}/#) != nil)
    #expect(lines[3] == "Needed:  3 shares of this set")
    #expect(lines[4].hasPrefix("Code:    "))
    for line in lines[4...6] {
      #expect(line.dropFirst(9).wholeMatch(of: #/([0-9A-HJKMNP-TV-Z]{6}-?){4}/#) != nil)
    }
    #expect(lines[7].isEmpty)
  }

  @Test("Printed and typed shares restore the code")
  func roundTrip() throws {
    let shares = try texts(5, 3)
    #expect(try combine([shares[4], shares[0], shares[2]]) == code)
    #expect(try combine(shares) == code)
    #expect(try combine([typed(shares[1]), shares[3], typed(shares[4])]) == code)
  }

  @Test("A mistyped recovery code is not divided, and its group is named")
  func mistypedCode() throws {
    let mistyped = code.replacing("FJGWDA", with: "FJGWDB")
    #expect(throws: SharesError.self) { try texts(2, 2, code: mistyped) }
    #expect(
      try #require(throws: SharesError.self) { try texts(2, 2, code: mistyped) }.description
        .hasPrefix("Group 3 of 8 of the recovery code is mistyped."))
  }

  @Test("Each wrong character and each swap of neighbours is detected, and its group is named")
  func mistyped() throws {
    let shares = try texts(3, 2)
    let characters = Array(typed(shares[0]).uppercased().replacing("O", with: "0"))
    for place in characters.indices {
      var wrong = characters
      wrong[place] = wrong[place] == "7" ? "8" : "7"
      #expect(
        error([String(wrong), shares[1]])
          .hasPrefix("Group \(place / 6 + 1) of 12 of the share 1 is mistyped."))
      guard place % 6 < 5, characters[place] != characters[place + 1] else { continue }
      var swapped = characters
      swapped.swapAt(place, place + 1)
      #expect(error([String(swapped), shares[1]]).contains("is mistyped."))
    }
  }

  @Test("Swapped groups and errors that a group does not detect are detected")
  func swappedGroups() throws {
    let shares = try texts(3, 2)
    let code = Array(typed(shares[0]))
    let groups = (0..<12).map { String(code[($0 * 6)..<($0 * 6 + 6)]) }
    for first in 0..<11 where groups[first] != groups[first + 1] {
      var swapped = groups
      swapped.swapAt(first, first + 1)
      #expect(error([swapped.joined(), shares[1]]).contains("is mistyped"))
    }
    // A group of another share fits its place.
    var mixed = groups
    let other = Array(typed(shares[2]))
    mixed[6] = String(other[36..<42])
    #expect(error([mixed.joined(), shares[1]]).contains("is mistyped in more than one place"))
  }

  @Test("Too few, repeated and foreign shares are errors")
  func wrongShares() throws {
    let (shares, others) = (try texts(5, 3), try texts(5, 3))
    #expect(error([]).hasPrefix("2 more shares are needed"))
    #expect(error([shares[0], shares[1]]).hasPrefix("1 more share is needed: 2 are given."))
    #expect(
      error([shares[0], shares[1], shares[0]]) == "The share 1 is entered twice. Use "
        + "different shares of the set.")
    #expect(error([shares[0], others[1]]).contains("Use shares of one set."))
    #expect(error([String(shares[0].dropLast(3))]).contains("has 70 characters instead of 72"))
    #expect(error(["é" + typed(shares[0])]).contains("a character that codes do not use"))
  }

  @Test("Lines before the code that differ from the code are an error")
  func differingLines() throws {
    let shares = try texts(3, 2)
    for (line, other) in [
      ("share 1 of 3", "share 2 of 3"), ("Needed:  2", "Needed:  3"), ("Set:     ", "Set:     0"),
    ] {
      #expect(
        error([shares[0].replacing(line, with: other), shares[1]]).contains("differs from its code")
      )
    }
    #expect(try combine([shares[0].replacing("school", with: "other"), shares[1]]) == code)
  }

  @Test("Only 2 to 16 shares can be created, of which 2 to all are needed")
  func numbers() throws {
    for (total, needed) in [(1, 1), (2, 1), (3, 4), (17, 2), (0, 0), (-1, 2)] {
      #expect(throws: SharesError.self) { try texts(total, needed) }
    }
    #expect(try texts(16, 16).count == 16)
  }

  @Test("Shares are read from lines with and without empty lines between them")
  func blocks() throws {
    let shares = try texts(3, 2)
    for separator in ["", "\n", "\n \r\n\n"] {
      for forms in [shares, shares.map { typed($0) + "\n" }] {
        var read = ShareSet()
        var block = ShareBlock()
        for line in forms.joined(separator: separator).split(
          separator: "\n", omittingEmptySubsequences: false)
        {
          let bytes = ProtectedBytes(copying: line.utf8)
          if block.add(bytes), !block.isComplete { continue }
          try read.add(block.share(name: "share"))
          block = ShareBlock()
        }
        #expect(read.numbers == [1, 2, 3])
      }
    }
  }
}
