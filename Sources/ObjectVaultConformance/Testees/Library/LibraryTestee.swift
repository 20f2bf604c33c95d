import ObjectVaultConformanceFormat
package import ObjectVaultCore
import ObjectVaultEngine

/// This library as a testee.
///
/// It performs every operation through stores of dynamic objects.
///
/// ```swift
/// let testee = LibraryTestee()
/// _ = try testee.answer(.begin(folder: folder, classes: fixture.classes))
/// let answer = try testee.answer(Request(.perform(.open)))
/// ```
package final class LibraryTestee: Testee {
  /// The settings that apply to all cases.
  struct Settings: Sendable {
    var cipherFormat: VaultConfiguration.CipherFormat
    var mayCrash: Bool
    var threadTimeLimit: Double
    var opening: DatabaseOpening?
  }

  private let settings: Settings
  private var current: LibraryCase?

  /// Creates a testee.
  ///
  /// - Parameters:
  ///   - cipherFormat: The format of new files if `open` does not specify one.
  ///   - mayCrash: Whether `crash` ends this process. Otherwise the answer is `unsupported`.
  ///   - threadTimeLimit: The maximum duration in seconds of a step on another thread. A longer
  ///     step waits for something that the first thread holds, which a fixture must not request.
  ///   - opening: The way to open databases that are not files; `nil` for vaults.
  package init(
    cipherFormat: VaultConfiguration.CipherFormat = .native, mayCrash: Bool = false,
    threadTimeLimit: Double = 60, opening: DatabaseOpening? = nil
  ) {
    settings = Settings(
      cipherFormat: cipherFormat, mayCrash: mayCrash, threadTimeLimit: threadTimeLimit,
      opening: opening)
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
        return try Answer { throw RequestProblem("No case has begun. Send 'begin' first.") }
      }
      return try current.answer(request)
    }
  }

  private func begin(_ request: Request) throws -> FixtureValue {
    let arguments = RequestArguments(request.arguments)
    let format = try arguments.requiredInteger("format")
    guard format == 1 else {
      throw RequestProblem("The format of the fixtures is \(format); only 1 is supported.")
    }
    current = try LibraryCase(
      folder: arguments.requiredText("folder"), classes: request.classes,
      settings: settings)
    let engine = try settings.opening?.engine ?? "SQLCipher \(Engine.prove().cipherVersion)"
    let noFiles = settings.opening.map { _ in FixtureValue.Member("files", .bool(false)) }
    return .object(
      [.init("name", .text("ObjectVault")), .init("engine", .text(engine))]
        + [noFiles].compactMap { $0 })
  }

  private func end() {
    current?.end()
    current = nil
  }
}
