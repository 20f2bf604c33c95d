import ObjectVaultConformance
import ObjectVaultConformanceFormat
import TestSupport
import Testing

@Suite("Reading fixtures that somebody has damaged")
struct FixtureFuzzTests {
  @Test("Whatever a file becomes, it is a fixture or has errors with their places")
  func mutations() {
    var generator = SeededGenerator(for: "mutations of a fixture")
    var sound = 0
    for _ in 0..<4_000 {
      var text = Array(BadFixture.sound.unicodeScalars)
      for _ in 0...generator.next() % 3 { Self.mutate(&text, &generator) }
      let mutant = String(String.UnicodeScalarView(text))
      let lines = mutant.utf8.count { $0 == 0x0A } + 1
      let (fixture, errors) = FixtureReader.read(mutant, path: "a/b.yaml")
      if errors.isEmpty {
        sound += 1
        #expect(fixture?.cases.isEmpty == false, "\(mutant)")
        #expect(fixture?.cases.contains { $0.steps.isEmpty } == false, "\(mutant)")
      }
      #expect(
        errors.allSatisfy { (1...lines).contains($0.place.line) && !$0.message.isEmpty },
        "\(errors) \(mutant)")
    }
    // A reader that refuses or takes everything would show nothing.
    #expect((40..<3_000).contains(sound))
  }

  private static let parts = [
    "{", "}", "[", "]", ":", ": ", "- ", ",", "#", "&a ", "*a", "!b ", "|\n", ">", "\"", "'", "\\",
    "\n", "\n\n", "  ", "\t", "%", "@", "`", "? ", "~", "<<", "...\n", "---\n", "\0", "\u{7F}",
    "\u{FEFF}", "\u{2028}", "😀", "\r\n", "99999999999999999999", "-", "0", "{nil: true}",
    "{times: 3, of: 1}", "{repeat: a, times: 9223372036854775807}", "{index: 9007199254740992}",
    "{int: \"-9223372036854775808\"}", "{list: [{list: []}]}", "returns", "fails", "steps",
    "class", "crash: {}", "process: a", "none",
  ]

  private static func mutate(_ text: inout [Unicode.Scalar], _ generator: inout SeededGenerator) {
    let start = Int.random(in: 0..<text.count, using: &generator)
    let end = min(start + Int.random(in: 0...12, using: &generator), text.count)
    switch generator.next() % 5 {
    case 0: text.removeSubrange(start..<end)
    case 1: text.insert(contentsOf: generator.pick(parts).unicodeScalars, at: start)
    case 2: text.replaceSubrange(start..<end, with: generator.pick(parts).unicodeScalars)
    case 3:
      let target = Int.random(in: 0..<text.count, using: &generator)
      text.insert(contentsOf: Array(text[start..<end]), at: target)
    default:
      guard end < text.count else { return }
      text.swapAt(start, end)
    }
    if text.isEmpty { text = ["a"] }
  }
}
