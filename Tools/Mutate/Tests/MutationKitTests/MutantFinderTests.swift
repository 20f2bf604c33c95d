import Testing

@testable import MutationKit

@Suite("Finding and writing mutants") struct MutantFinderTests {
  private func mutants(_ source: String) -> [Mutant] {
    MutantFinder.mutants(in: source, file: "File.swift")
  }

  private func broken(_ source: String) -> [String] {
    mutants(source).map { MutatedSource.text(of: source, with: [1: $0]) }
  }

  @Test("A comparison is written with its alternative, and the rest of the text stays")
  func comparison() {
    #expect(
      broken("func isOld(_ age: Int) -> Bool { age >= limit }") == [
        "func isOld(_ age: Int) -> Bool { (mutantIsActive(1) ? (age > limit) : (age >= limit)) }"
      ])
  }

  @Test("Precedence decides what a junction holds")
  func precedence() {
    let found = mutants("let x = a == b && c || d").map { "\($0.kind) \($0.summary)" }
    #expect(
      found == [
        "junction a == b && c || d  ->  a == b && c && d",
        "junction a == b && c  ->  a == b || c",
        "comparison a == b  ->  a != b",
      ])
  }

  @Test("A call whose result is not used can be left out, the value of a function cannot")
  func calls() {
    #expect(
      broken("func run() throws { try check(file); _ = write() }") == [
        "func run() throws { if !mutantIsActive(1) { try check(file) }; _ = write() }",
        "func run() throws { try check(file); if !mutantIsActive(1) { _ = write() } }",
      ])
    #expect(broken("func value() -> Int { make() }").isEmpty)
    #expect(broken("let values = list.map { make($0) }").isEmpty)
  }

  @Test("A sum with a text or list as a term cannot become a difference")
  func sums() {
    #expect(mutants("let x = name + \"-wal\" + y; let z = [a] + b").isEmpty)
    #expect(mutants("let x = n + m").map(\.summary) == ["n + m  ->  n - m"])
  }

  @Test("The function that switches mutants is usable in inlinable code")
  func switchFunction() {
    #expect(
      MutatedSource.switchText.contains(
        "@usableFromInline\nfunc mutantIsActive(_ number: Int) -> Bool {"))
  }

  @Test("A deferred block keeps its place and loses its content")
  func deferred() {
    #expect(
      broken("func run() { defer { lock.unlock(); count += n }; work() }").contains(
        "func run() { defer { if !mutantIsActive(1) { lock.unlock(); count += n } }; work() }"))
  }

  @Test("Conditional compilation, attributes and imports are left alone")
  func leftAlone() {
    #expect(
      broken(
        """
        import Foundation
        #if swift(>=6.2)
          let a = 1 < 2
        #endif
        @available(macOS 15, *) struct S {}
        """
      ).isEmpty)
  }

  @Test("A mutant names the declarations around it and its line")
  func place() throws {
    let found = mutants("extension Vault {\n  func open() {\n    if !isOpen { start() }\n  }\n}")
    let first = try #require(found.first)
    #expect(first.declaration == "Vault.open")
    #expect(first.line == 3)
  }

  @Test("The same seed chooses the same mutants, and none overlaps another")
  func selection() {
    let candidates = mutants("let x = a < b && c < d || !e && f == 1 || g != 2 && h > 3 + i - 4")
    let one = MutantSelection.choose(from: candidates, count: 6, seed: 7)
    let two = MutantSelection.choose(from: candidates, count: 6, seed: 7)
    #expect(one.map(\.range) == two.map(\.range))
    #expect(!one.isEmpty)
    for (index, mutant) in one.enumerated() {
      #expect(!one[..<index].contains { $0.range.overlaps(mutant.range) })
    }
  }

  @Test("A third of the choice at most is of one kind, and another seed makes another choice")
  func kinds() {
    let lines = (0..<30).map { "let a\($0) = b\($0) < c\($0); let d\($0) = true; go(7)" }
    let candidates = mutants("func run() {\n\(lines.joined(separator: "\n"))\n}")
    let chosen = MutantSelection.choose(from: candidates, count: 12, seed: 1)
    #expect(chosen.count == 12)
    for group in Dictionary(grouping: chosen, by: \.kind).values { #expect(group.count <= 4) }
    let other = MutantSelection.choose(from: candidates, count: 12, seed: 2)
    #expect(chosen.map(\.range) != other.map(\.range))
  }

  @Test("A diff without context gives the lines it adds")
  func changedLines() {
    let diff = """
      --- a/Sources/A.swift
      +++ b/Sources/A.swift
      @@ -3,0 +4,2 @@ func a
      +one
      +two
      @@ -9 +12 @@ func b
      -old
      +new
      @@ -20,2 +22,0 @@ func c
      """
    #expect(ChangedLines.parse(diff) == ["Sources/A.swift": [4...5, 12...12]])
  }

  @Test("A safety mutant is found by its declaration and code, whatever the white space")
  func safety() throws {
    let entry = try #require(
      try SafetyMutants(
        yaml: """
          - breaks: The folder is flushed before the rename.
            file: File.swift
            declaration: Replacement.run
            code: try  flush(folder)
            replacement: ""
          """
      ).entries.first)
    let source = "struct Replacement {\n  func run() throws {\n    try flush(folder)\n  }\n}"
    let mutant = try SafetyMutants.mutant(entry, in: source)
    #expect(
      MutatedSource.text(of: source, with: [3: mutant]).contains(
        "if !mutantIsActive(3) { try flush(folder) }"))
    #expect(throws: SafetyMutants.Misplaced.self) {
      try SafetyMutants.mutant(entry, in: "struct Replacement { func run() {} }")
    }
  }
}
