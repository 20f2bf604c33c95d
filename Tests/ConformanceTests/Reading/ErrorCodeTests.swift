import Foundation
import ObjectVaultConformance
import ObjectVaultConformanceFormat
import Testing

@Suite("Error codes of fixtures")
struct ErrorCodeTests {
  @Test("are those of the table in the description of the format")
  func documented() throws {
    let readme = try text(of: FixtureFolder.url.appendingPathComponent("README.md"))
    let after = try #require(readme.components(separatedBy: "\n### Errors\n").dropFirst().first)
    let section = try #require(after.components(separatedBy: "\n## ").first)
    let codes = section.split(separator: "\n").filter { $0.hasPrefix("| `") }.flatMap { row in
      row.split(separator: "|")[0].matches(of: #/`(\w+)`/#).map { String($0.1) }
    }
    #expect(codes.sorted() == FixtureErrorCode.all.sorted())
    #expect(Set(codes).count == codes.count)
  }

  @Test("are codes that the library has")
  func ofLibrary() throws {
    let source = FixtureFolder.url.deletingLastPathComponent()
      .appendingPathComponent("Sources/ObjectVaultDriver/Errors/VaultError.swift")
    let constants = try text(of: source)
      .matches(of: #/public static let (\w+) = Self\("(\w+)"\)/#)
    #expect(constants.allSatisfy { $0.1 == $0.2 })
    let codes = Set(constants.map { String($0.2) })
    #expect(codes.count > FixtureErrorCode.all.count)
    #expect(Set(FixtureErrorCode.all).subtracting(codes) == [])
  }

  private func text(of url: URL) throws -> String {
    try String(contentsOf: url, encoding: .utf8)
  }
}
