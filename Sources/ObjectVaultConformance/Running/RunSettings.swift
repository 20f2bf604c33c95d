package import Foundation

/// How cases are run.
package struct RunSettings: Sendable {
  /// The folder of fixtures, whose `databases` cases copy.
  package var folder: URL
  /// Who is tested.
  package var testees: TesteeFactory
  /// Who stores the given objects of cases; `nil` for the testee itself.
  package var givenBy: TesteeFactory.Maker?
  /// The cipher format that given vaults have where they name none: `portable`, or `native`.
  package var cipherFormat: String?
  /// How many cases run at the same time.
  package var workers: Int

  /// - Parameter workers: By default as many as there are cores.
  package init(
    folder: URL, testees: TesteeFactory, givenBy: TesteeFactory.Maker? = nil,
    cipherFormat: String? = nil, workers: Int = ProcessInfo.processInfo.activeProcessorCount
  ) {
    self.folder = folder
    self.testees = testees
    self.givenBy = givenBy
    self.cipherFormat = cipherFormat
    self.workers = workers
  }
}
