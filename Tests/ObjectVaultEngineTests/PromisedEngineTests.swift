import Foundation
import ObjectVaultEngine
import Testing

/// The version that whoever started the tests promised: the scripts run one test program on
/// several engines, and a preload that did not happen would otherwise go unnoticed.
private let promisedVersion = ProcessInfo.processInfo.environment["OBJECTVAULT_EXPECT_ENGINE"]

@Suite("The engine under test") struct PromisedEngineTests {
  @Test(
    "is the one that was promised",
    .enabled(if: promisedVersion != nil, "OBJECTVAULT_EXPECT_ENGINE names no version"))
  func isThePromisedOne() throws {
    let version = try Engine.prove().cipherVersion
    #expect(version.split(separator: " ").first.map(String.init) == promisedVersion)
  }
}
