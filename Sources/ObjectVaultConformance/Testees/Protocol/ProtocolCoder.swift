import ObjectVaultConformanceFormat
import ObjectVaultCore

/// The encoder and decoder of protocol lines, as defined in `Fixtures/README.md`.
package enum ProtocolCoder {
  /// An error in a line: it is not a request, or not an answer to the request.
  package struct Problem: Error, Sendable {
    package var message: String
    /// The number of the request, if the line has one.
    package var id: Int?
  }

  static let reader = ValueReader(path: "line", source: .exchange)

  /// Returns the JSON tree of a line.
  static func node(_ line: [UInt8]) throws(Problem) -> FixtureNode {
    do throws(FixtureError) {
      return try FixtureNode(json: line, name: "line")
    } catch {
      throw Problem(message: error.message)
    }
  }

  /// Returns the result of `body`, with its errors converted to protocol errors.
  static func reading<R>(
    _ id: Int?, _ body: () throws(FixtureError) -> R
  ) throws(Problem) -> R {
    do throws(FixtureError) {
      return try body()
    } catch {
      throw Problem(message: error.message, id: id)
    }
  }

  /// Returns the number of a request or answer, if it has one.
  static func id(_ node: FixtureNode) -> Int? {
    guard case .scalar(let digits, isPlain: true)? = node["id"]?.content else { return nil }
    return Int(digits)
  }
}

extension Request {
  /// The name of the operation.
  package var name: String {
    switch operation {
    case .begin: "begin"
    case .end: "end"
    case .perform(let operation): operation.rawValue
    }
  }
}
