import ObjectVaultKeys
package import Testing

/// Makes the slots that the tests of a suite create as cheap as a file may have them.
///
/// This includes the slots that the tool creates when a test starts it.
package struct CheapSlots: SuiteTrait, TestTrait, TestScoping {
  package var isRecursive: Bool { true }

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await ScryptCost.$replacement.withValue(.minimum, operation: function)
  }
}

extension Trait where Self == CheapSlots {
  /// Makes new slots cheap, see ``CheapSlots``.
  package static var cheapSlots: Self { CheapSlots() }
}
