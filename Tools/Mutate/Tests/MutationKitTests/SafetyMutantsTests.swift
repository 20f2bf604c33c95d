import Foundation
import Testing

@testable import MutationKit

@Suite("Tests/SafetyMutants.yaml") struct SafetyMutantsTests {
  private static let repository = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().appendingPathComponent("../../../..").standardized.path
  private let workshop = Workshop(repository: repository)

  private func entries() throws -> [SafetyMutants.Entry] {
    try SafetyMutants(yaml: workshop.source("Tests/SafetyMutants.yaml")).entries
  }

  @Test("The code of each entry is in its declaration exactly once")
  func placed() throws {
    let entries = try entries()
    #expect(entries.count >= 20)
    for entry in entries {
      #expect(throws: Never.self) {
        try SafetyMutants.mutant(entry, in: workshop.source(entry.file))
      }
    }
  }

  @Test("No two entries change the same code, and each changes something")
  func separate() throws {
    let mutants = try entries().map {
      try SafetyMutants.mutant($0, in: workshop.source($0.file))
    }
    for (index, mutant) in mutants.enumerated() {
      #expect(mutant.original != mutant.replacement)
      #expect(
        !mutants[..<index].contains {
          $0.file == mutant.file && $0.range.overlaps(mutant.range)
        }, "\(mutant.file):\(mutant.line)")
    }
  }
}
