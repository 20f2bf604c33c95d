import ObjectVaultCondition
import ObjectVaultDriver
import ObjectVaultSession

/// The names of objects in error messages, which must not contain stored values.
///
/// An object is named by its generated number, or else by its position in insertion order.
package struct ObjectNames {
  let table: PresentTable
  /// Whether the object IDs are numbers that the vault generated.
  let areGenerated: Bool
  let session: Session

  /// The maximum number of objects named.
  private static let limit = 3

  /// Returns the names of the first objects that match a condition, or `nil` if none match.
  ///
  /// - Parameters:
  ///   - condition: An SQL condition in which the table is named `o`.
  ///   - values: The values of its parameters.
  /// - Returns: Text such as "object 3" or "the 1st and 2nd objects by insertion".
  /// - Throws: ``DriverError`` if the query fails.
  func first(where condition: String, values: [StoredValue] = []) throws -> String? {
    let order = table.order("o")
    let (outer, inner) = (order.joined(separator: ", "), table.order("n").joined(separator: ", "))
    // If the key has several columns, both sides in parentheses are row values.
    let number =
      areGenerated
      ? outer
      : "(SELECT COUNT(*) FROM \(SQL.quoted(table.name)) AS n WHERE (\(inner)) <= (\(outer)))"
    let sql = """
      SELECT \(order.isEmpty ? "NULL" : number) FROM \(SQL.quoted(table.name)) AS o \
      WHERE \(condition)\(order.isEmpty ? "" : " ORDER BY \(outer)") LIMIT \(Self.limit + 1)
      """
    let statement = try session.connection.prepare(sql, persistent: false)
    let binder = statement.binder
    for (position, value) in values.enumerated() { value.bind(to: binder, at: position) }
    var numbers: [Int64?] = []
    while try statement.step() {
      numbers.append(statement.row.isNull(at: 0) ? nil : statement.row.integer(at: 0))
    }
    return numbers.isEmpty ? nil : text(numbers)
  }

  /// Returns the name of the object that follows a number of objects in insertion order, or `nil`
  /// if the table has no such order.
  func name(after count: Int64) throws -> String? {
    let order = table.order("o").joined(separator: ", ")
    if order.isEmpty { return nil }
    guard areGenerated else { return text([count + 1]) }
    return try session.with(
      "SELECT \(order) FROM \(SQL.quoted(table.name)) AS o ORDER BY \(order) LIMIT 1 OFFSET ?1"
    ) { statement in
      statement.binder.bind(integer: count, at: 0)
      return try statement.step() ? text([statement.row.integer(at: 0)]) : nil
    }
  }

  private func text(_ numbers: [Int64?]) -> String {
    let named = numbers.prefix(Self.limit).compactMap { $0 }
    guard !named.isEmpty else { return "objects of it" }
    let names = named.map { areGenerated ? String($0) : Self.ordinal($0) }
    let noun = names.count == 1 ? "object" : "objects"
    var list = names.formattedList
    if numbers.count > Self.limit { list = names.joined(separator: ", ") + " and more" }
    return areGenerated ? "\(noun) \(list)" : "the \(list) \(noun) by insertion"
  }

  private static func ordinal(_ number: Int64) -> String {
    let ending =
      switch (number % 10, number % 100) {
      case (_, 11...13): "th"
      case (1, _): "st"
      case (2, _): "nd"
      case (3, _): "rd"
      default: "th"
      }
    return "\(number)\(ending)"
  }
}

extension [String] {
  /// The elements as an enumeration: `a`, `a and b`, `a, b and c`.
  var formattedList: String {
    guard count > 1, let last else { return first ?? "" }
    return dropLast().joined(separator: ", ") + " and " + last
  }
}
