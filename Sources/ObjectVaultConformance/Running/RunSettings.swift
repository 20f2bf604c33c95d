package import Foundation

/// The settings of a run.
package struct RunSettings: Sendable {
  /// The folder of fixtures.
  ///
  /// Cases copy files from its `databases` folder.
  package var folder: URL
  /// The factory for the tested testees.
  package var testees: TesteeFactory
  /// The factory for the testees that store the given objects of cases; `nil` for the tested ones.
  package var givenBy: TesteeFactory.Maker?
  /// The cipher format of given vaults that do not specify one: `portable` or `native`.
  package var cipherFormat: String?
  /// The number of cases that run at the same time.
  package var workers: Int
  /// Returns whether to begin no further case.
  package var isStopped: @Sendable () -> Bool = { false }

  /// Creates the settings.
  ///
  /// By default, there are as many workers as active processor cores.
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
