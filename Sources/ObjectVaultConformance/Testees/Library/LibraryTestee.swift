package import ObjectVaultCore
import ObjectVaultEngine

/// This library as a testee: it does every operation through stores of dynamic objects.
///
/// ```swift
/// let testee = LibraryTestee()
/// _ = try testee.answer(.begin(folder: folder, classes: fixture.classes))
/// let answer = try testee.answer(Request(.perform(.open)))
/// ```
package final class LibraryTestee: Testee {
  /// What of it is not the case's.
  struct Settings: Sendable {
    var cipherFormat: VaultConfiguration.CipherFormat
    var mayCrash: Bool
    var threadTimeLimit: Double
  }

  private let settings: Settings
  private var current: LibraryCase?

  /// - Parameters:
  ///   - cipherFormat: The format of new files where `open` does not say one.
  ///   - mayCrash: Whether `crash` ends this process; else it is answered with `unsupported`.
  ///   - threadTimeLimit: How many seconds a step may take that another thread does. Longer means
  ///     that it waits for what the first thread holds, which the fixture must not ask for.
  package init(
    cipherFormat: VaultConfiguration.CipherFormat = .native, mayCrash: Bool = false,
    threadTimeLimit: Double = 60
  ) {
    settings = Settings(
      cipherFormat: cipherFormat, mayCrash: mayCrash, threadTimeLimit: threadTimeLimit)
  }

  deinit { current?.end() }

  package func answer(_ request: Request) throws -> Answer {
    switch request.operation {
    case .begin:
      end()
      return try Answer { try begin(request) }
    case .end:
      end()
      return .returns(nil)
    case .perform:
      guard let current else {
        return try Answer { throw RequestProblem("No case has begun: 'begin' comes first.") }
      }
      return try current.answer(request)
    }
  }

  private func begin(_ request: Request) throws -> FixtureValue {
    let arguments = RequestArguments(request.arguments)
    let format = try arguments.requiredInteger("format")
    guard format == 1 else {
      throw RequestProblem("The format of the fixtures is \(format); only 1 is known.")
    }
    current = try LibraryCase(
      folder: arguments.requiredText("folder"), classes: request.classes,
      settings: settings)
    return .object([
      .init("name", .text("ObjectVault")),
      .init("engine", .text("SQLCipher \(try Engine.prove().cipherVersion)")),
    ])
  }

  private func end() {
    current?.end()
    current = nil
  }
}
