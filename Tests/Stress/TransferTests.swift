import TestSupport
import Testing

@Suite("Transfers of two processes") struct TransferTests {
  @Test(
    "lose nothing that was committed while writers, readers and observers are killed",
    .covers("X5"))
  func transfers() async throws {
    let seed = SeededGenerator(for: "transfers").seed
    let report = try await onOwnThread {
      let folder = try TemporaryFolder()
      return try TransferScenario(folder: folder.path, seconds: 3, seed: seed).run()
    }
    print(report.line)
    #expect(report.violations.isEmpty, "\(report.violations.joined(separator: "\n"))")
  }
}
