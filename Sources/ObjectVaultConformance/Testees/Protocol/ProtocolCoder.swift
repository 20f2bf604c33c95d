import ObjectVaultCore

/// Reads and writes the lines that a runner and a testee exchange; the fixtures' description pins
/// them.
package enum ProtocolCoder {
  /// A line that is no request, or no answer to what was asked.
  package struct Problem: Error, Sendable {
    package var message: String
    /// The number of the request, where the line has one.
    package var id: Int?
  }

  static let reader = ValueReader(path: "line", source: .exchange)

  /// Reads a line as JSON.
  static func node(_ line: [UInt8]) throws(Problem) -> FixtureNode {
    do throws(FixtureError) {
      return try FixtureNode(json: line, name: "line")
    } catch {
      throw Problem(message: error.message)
    }
  }

  /// Runs what reads values, and gives its errors the form of the protocol's.
  static func reading<R>(
    _ id: Int?, _ body: () throws(FixtureError) -> R
  ) throws(Problem) -> R {
    do throws(FixtureError) {
      return try body()
    } catch {
      throw Problem(message: error.message, id: id)
    }
  }

  /// The number of a request or answer, if it has one.
  static func id(_ node: FixtureNode) -> Int? {
    guard case .scalar(let digits, isPlain: true)? = node["id"]?.content else { return nil }
    return Int(digits)
  }
}

extension Request {
  /// The name of what is asked for.
  package var name: String {
    switch operation {
    case .begin: "begin"
    case .end: "end"
    case .perform(let operation): operation.rawValue
    }
  }
}
