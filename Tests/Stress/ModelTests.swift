import TestSupport
import Testing

@Suite("Random operations") struct ModelTests {
  @Test(
    "leave in a vault what they leave in a model: associations, owned objects, transactions, migrations, search",
    .covers("J58", "X5"))
  func operations() async throws {
    let seed = SeededGenerator(for: "model").seed
    let report = try await onOwnThread {
      ModelReport.run(operations: randomRounds(3_000), seed: seed)
    }
    print(report.line)
    #expect(report.difference == nil, "\(report.difference ?? "")")
  }
}
