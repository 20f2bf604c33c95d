import Foundation
import ObjectVaultCore
@testable import ObjectVaultTool
import TestSupport
import Testing

/// Any bytes as import data give objects or an error, never a trap, and an error changes nothing.
@Suite("Import data of any kind") struct ImportFuzzTests {
  private static let seeds: [(name: String, text: String)] = [
    ("f.json", #"[{"a":1,"b":"x","c":[1,2],"d":true,"e":null},{"a":2.5,"b":"y\u0000","c":{}}]"#),
    ("f.json", #"{"list":[{"a":"1","objectID":5},{"a":"2","objectID":6}]}"#),
    ("f.jsonl", "{\"a\":1}\n{\"a\":-9223372036854775808,\"b\":\"é\"}\n\n{\"a\":0}\n"),
    ("f.csv", "a,b,c\r\n1,\"x, \"\"y\"\"\",\r\n-2.5e3,\"\",true\r\n"),
    ("f.csv", "objectID,a\n3,x\n4,\n"), ("f.csv", "a;b\n1;2,5\n"), ("f.tsv", "a\tb\n1\t\"x\"\n"),
    ("f.data", "{\"a\":1}\n{\"a\":2}"),
  ]
  private static let spice: [UInt8] =
    Array("\"',:[]{}\\\n\r\0\t 09-+.eE\u{FEFF}é".utf8) + [0xFF, 0x80]

  private func mutated(_ text: String, _ random: inout SeededGenerator) -> [UInt8] {
    var bytes = Array(text.utf8)
    for _ in 0..<Int.random(in: 0...6, using: &random) {
      let place = Int.random(in: 0...bytes.count, using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0: bytes.insert(random.pick(Self.spice), at: place)
      case 1 where place < bytes.count: bytes.remove(at: place)
      case 2 where place < bytes.count: bytes[place] = random.pick(Self.spice)
      case 3: bytes.removeSubrange(place...)
      default:
        let other = random.pick(Self.seeds).text.utf8.prefix(place)
        bytes.insert(contentsOf: other, at: place)
      }
    }
    return bytes
  }

  @Test("500 mutated files give objects or an error, and an error leaves the vault as it was")
  func fuzz() throws {
    var random = SeededGenerator(for: "import fuzz")
    let folder = try TemporaryFolder()
    let vault = try Vault(
      at: folder.file("v"), key: .raw([UInt8](repeating: 1, count: 32)))
    let existing = try vault.store(
      of: ClassDescription(
        "Old",
        properties: [
          PropertyDescription("a", type: .int, isOptional: true),
          PropertyDescription("b", type: .string, isOptional: true),
        ]))
    var successes = 0
    var failures = 0
    for round in 0..<500 {
      let seed = random.pick(Self.seeds)
      let bytes = mutated(seed.text, &random)
      let isNew = random.oneIn(2)
      let className = isNew ? "New\(round)" : "Old"
      let before = try existing.count()
      do {
        let input = ByteInput(bytes: bytes, name: "fuzz")
        let format: ImportFormat? = random.oneIn(3) ? random.pick(ImportFormat.allCases) : nil
        let source = try RecordSources.open(
          input, path: seed.name, format: format, delimiter: nil)
        var importer = Importer(vault: vault, className: className)
        if random.oneIn(4) { importer.objectID = ["a"] }
        let result = try importer.run(source, input: "fuzz")
        successes += 1
        if !isNew { #expect(try existing.count() == before + result.count) }
      } catch {
        failures += 1
        #expect(error is ToolError || error is VaultError, "\(error)")
        #expect(try existing.count() == before)
        if isNew { #expect(try !vault.classes().contains { $0.name == className }) }
      }
    }
    #expect(successes >= 25 && failures >= 100, "\(successes) good, \(failures) bad")
    vault.close()
  }
}
