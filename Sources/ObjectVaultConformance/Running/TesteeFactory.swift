/// A thread-safe factory for the testees that cases are run against.
package struct TesteeFactory: Sendable {
  package typealias Maker = @Sendable () throws -> any Testee

  /// Creates the testee of most cases.
  ///
  /// It is used for many cases, one after another.
  package var shared: Maker
  /// Creates a testee in a separate process, for a case that kills it or needs several.
  package var separate: Maker

  /// Creates a factory from two functions.
  ///
  /// A testee that `shared` creates can run in this process.
  package init(shared: @escaping Maker, separate: @escaping Maker) {
    self.shared = shared
    self.separate = separate
  }

  /// Creates a factory of testees that are always separate processes.
  package init(_ separate: @escaping Maker) {
    self.init(shared: separate, separate: separate)
  }
}

/// The name and engine that a testee reports when a case begins.
package struct TesteeFacts: Sendable, Hashable {
  /// The name of the testee.
  package var name: String
  /// The engine of the testee, such as `SQLCipher 4.6.1 community`.
  package var engine: String
  /// Whether its databases are files, which the runner can examine and change.
  package var hasFiles: Bool

  package init(name: String, engine: String, hasFiles: Bool = true) {
    self.name = name
    self.engine = engine
    self.hasFiles = hasFiles
  }

  /// The major version of SQLCipher; `nil` if the testee does not report it.
  package var engineMajor: Int? {
    guard let version = engine.split(separator: " ").last(where: { $0.first?.isNumber == true })
    else { return nil }
    return Int(version.prefix { $0.isNumber })
  }
}
