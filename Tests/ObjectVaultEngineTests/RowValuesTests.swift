import ObjectVaultCondition
import ObjectVaultDriver
import ObjectVaultEngine
import TestSupport
import Testing

@Suite struct `Rows of values` {
  static let values: [StoredValue] = [
    .null, .integer(0), .integer(-7), .integer(.max), .integer(.min), .real(0), .real(2.5),
    .real(-2.5), .real(1e300), .real(-1e300), .real(.infinity), .text(""), .text("naïve"),
    .blob([]), .blob([0, 1, 255]),
  ]

  @Test("a value is read as from a statement that returns it", arguments: values)
  func likeAStatement(value: StoredValue) throws {
    let connection = try Connection.inMemory()
    let statement = try connection.prepare("SELECT ?")
    value.bind(to: statement.binder, at: 0)
    #expect(try statement.step())
    let expected = statement.row
    Row.withValues([value]) { row in
      #expect(row.columnCount == 1)
      #expect(row.storedValue(at: 0) == value)
      #expect(row.storageClass(at: 0) == expected.storageClass(at: 0))
      #expect(row.isNull(at: 0) == expected.isNull(at: 0))
      #expect(row.integer(at: 0) == expected.integer(at: 0))
      #expect(row.real(at: 0) == expected.real(at: 0))
      // How a real number is written as text is the engine's own.
      if case .real = value { return }
      let bytes = row.withBytes(at: 0) { Array($0) }
      #expect(bytes == expected.withBytes(at: 0) { Array($0) })
      if case .blob = value { return }
      #expect(row.text(at: 0) == expected.text(at: 0))
      #expect(row.validText(at: 0) == expected.validText(at: 0))
    }
  }

  @Test("text is not read as a number")
  func textIsNoNumber() {
    Row.withValues([.text("12")]) { row in
      #expect(row.integer(at: 0) == 0)
      #expect(row.real(at: 0) == 0)
    }
  }

  @Test("a position beyond the values is NULL, as is one before them")
  func beyondTheValues() {
    Row.withValues([.integer(1)]) { row in
      for position in [-1, 1, 64] {
        #expect(row.isNull(at: position))
        #expect(row.text(at: position) == nil)
        #expect(row.storedValue(at: position) == .null)
      }
    }
  }

  @Test("the layout comes with the values, and an error of the reader is thrown")
  func layoutAndErrors() {
    final class Layout {}
    struct Failure: Error {}
    let layout = Layout()
    #expect(Row.withValues([], layout: layout) { $0.layout === layout })
    #expect(Row.withValues([]) { $0.layout == nil && $0.columnCount == 0 })
    #expect(throws: Failure.self) {
      try Row.withValues([.blob([1])]) { row throws in
        try row.withBytes(at: 0) { _ in throw Failure() }
      }
    }
  }
}
