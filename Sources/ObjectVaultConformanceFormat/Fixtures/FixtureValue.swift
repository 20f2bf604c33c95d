import ObjectVaultDriver

/// A value in a fixture, in a request to a testee, or in its answer.
///
/// Texts are compared by their UTF-8 bytes and doubles by their bits, as `Fixtures/README.md`
/// requires. Swift's `==` treats canonically equivalent strings as equal.
package indirect enum FixtureValue: Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  case double(Double)
  case text(String)
  case data([UInt8])
  /// The seconds since 1970-01-01 00:00 UTC.
  case date(Double)
  case decimal(String)
  case uuid(String)
  case url(String)
  /// A composite, as JSON text.
  case json(String)
  case list([FixtureValue])
  /// An object of a class, or another mapping of names to values, in source order.
  case object([Member])

  /// One name and value of an object.
  package struct Member: Sendable {
    package var name: String
    package var value: FixtureValue

    package init(_ name: String, _ value: FixtureValue) {
      self.name = name
      self.value = value
    }
  }
}

extension FixtureValue: Equatable {
  package static func == (a: FixtureValue, b: FixtureValue) -> Bool {
    switch (a, b) {
    case (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.integer(let a), .integer(let b)): a == b
    case (.double(let a), .double(let b)), (.date(let a), .date(let b)):
      a.bitPattern == b.bitPattern
    case (.data(let a), .data(let b)): a == b
    case (.text(let a), .text(let b)), (.decimal(let a), .decimal(let b)),
      (.uuid(let a), .uuid(let b)), (.url(let a), .url(let b)), (.json(let a), .json(let b)):
      a.hasSameBytes(as: b)
    case (.list(let a), .list(let b)): a == b
    case (.object(let a), .object(let b)):
      a.count == b.count
        && a.allSatisfy { member in
          b.contains {
            $0.name.hasSameBytes(as: member.name) && $0.value == member.value
          }
        }
    default: false
    }
  }
}

extension FixtureValue {
  /// Returns the value of an object's member.
  package subscript(name: String) -> FixtureValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name.hasSameBytes(as: name) }?.value
  }
}
