/// Makes the testees that cases are run against. It is used by several threads.
package struct TesteeFactory: Sendable {
  package typealias Maker = @Sendable () throws -> any Testee

  /// Makes the testee of most cases; it is used for many, one after another.
  package var shared: Maker
  /// Makes a testee in a process of its own, which a case may kill, or which it needs beside
  /// another.
  package var separate: Maker

  /// - Parameter shared: Makes a testee that may live in this process.
  package init(shared: @escaping Maker, separate: @escaping Maker) {
    self.shared = shared
    self.separate = separate
  }

  /// Testees that are processes of their own anyway.
  package init(_ separate: @escaping Maker) {
    self.init(shared: separate, separate: separate)
  }
}

/// What a testee says of itself when a case begins.
package struct TesteeFacts: Sendable, Hashable {
  /// Its name.
  package var name: String
  /// The engine it uses, such as `SQLCipher 4.6.1 community`.
  package var engine: String

  package init(name: String, engine: String) {
    self.name = name
    self.engine = engine
  }

  /// The major version of SQLCipher; `nil` where the testee does not say.
  package var engineMajor: Int? {
    guard let version = engine.split(separator: " ").last(where: { $0.first?.isNumber == true })
    else { return nil }
    return Int(version.prefix { $0.isNumber })
  }
}
