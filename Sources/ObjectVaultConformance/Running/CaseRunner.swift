import Foundation
package import ObjectVaultConformanceFormat
import ObjectVaultEngine

/// A runner of cases, one after another.
///
/// It is used by one thread at a time, and uses one testee until that ends.
package final class CaseRunner {
  private let settings: RunSettings
  private var testee: (any Testee)?
  private var giver: (any Testee)?
  /// The name and engine that the testee reported last.
  package private(set) var facts: TesteeFacts?

  package init(_ settings: RunSettings) { self.settings = settings }

  /// Runs one case of a file.
  package func run(_ fixtureCase: FixtureCase, of fixture: Fixture) -> CaseResult {
    let start = ContinuousClock.now
    let verdict = verdict(fixtureCase, fixture)
    let time = ContinuousClock.now - start
    return CaseResult(
      id: fixture.id(of: fixtureCase), covers: fixtureCase.covers, verdict: verdict,
      seconds: Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18)
  }

  private func verdict(_ fixtureCase: FixtureCase, _ fixture: Fixture) -> CaseResult.Verdict {
    do {
      try execute(fixtureCase, fixture)
      return .passed
    } catch CaseEnd.failed(let discrepancies) {
      return .failed(discrepancies)
    } catch CaseEnd.notSupported(let reason) {
      return .notSupported(reason)
    } catch CaseEnd.otherEngine {
      return .otherEngine
    } catch {
      return .failed([
        Discrepancy(
          place: fixtureCase.place, subject: "the case", expected: "a case that can be run",
          actual: "\(error)")
      ])
    }
  }

  private func execute(_ fixtureCase: FixtureCase, _ fixture: Fixture) throws {
    let folder = try CaseFolder(fixtures: settings.folder)
    let isShared = !fixtureCase.needsOwnProcess
    let execution = CaseExecution(
      fixtureCase, of: fixture, in: folder, testees: settings.testees,
      testee: isShared ? testee : nil, cipherFormat: settings.cipherFormat)
    let giving = settings.givenBy.map { make in
      TesteeSession(
        giver, begin: .begin(folder: folder.url.path, classes: fixture.classes), make: make)
    }
    defer {
      if isShared { testee = execution.takeTestee() }
      _ = try? giving?.end()
      giver = giving?.takeTestee()
      facts = execution.facts ?? facts
    }
    let engine = try? Engine.prove()
    try execution.run(givenBy: giving, engineMajor: engine?.cipherMajor)
  }
}

extension Fixture {
  /// Returns the ID of a case, which reports and filters use.
  package func id(of fixtureCase: FixtureCase) -> String { "\(path): \(fixtureCase.name)" }
}
