import ObjectVaultCondition
import ObjectVaultDriver
import ObjectVaultModel

/// A value computed from the objects of a group: a count, minimum, maximum, sum or mean.
///
/// `nil` values are ignored.
///
/// ```swift
/// let rows = try students.query.grouped(by: "grade")
///   .aggregating(.count(as: "pupils"), .average(of: "age", as: "mean"))
///   .rows()
/// ```
public struct Aggregation: Sendable, Hashable {
  let function: Aggregate
  /// The name of a property, or a path that leads to one value; `nil` counts objects.
  let property: String?
  /// The name of the result in conditions on groups and in their order.
  public var name: String

  /// Returns an aggregation that counts the objects of a group.
  public static func count(as name: String) -> Aggregation {
    Aggregation(function: .count, property: nil, name: name)
  }

  /// Returns an aggregation that counts the objects with a value of the property.
  public static func count(of property: String, as name: String) -> Aggregation {
    Aggregation(function: .count, property: property, name: name)
  }

  /// Returns an aggregation for the smallest value; `nil` for a group without values.
  public static func min(of property: String, as name: String) -> Aggregation {
    Aggregation(function: .min, property: property, name: name)
  }

  /// Returns an aggregation for the greatest value; `nil` for a group without values.
  public static func max(of property: String, as name: String) -> Aggregation {
    Aggregation(function: .max, property: property, name: name)
  }

  /// Returns an aggregation for the sum of numbers; 0 for a group without values.
  ///
  /// The sum is exact, whatever the order of the numbers. Reading a sum of integers beyond 64 bits
  /// throws `.overflow`.
  public static func sum(of property: String, as name: String) -> Aggregation {
    Aggregation(function: .sum, property: property, name: name)
  }

  /// Returns an aggregation for the mean of integers or floating-point numbers.
  ///
  /// The mean is the exact sum divided by the number of values; `nil` for a group without values.
  public static func average(of property: String, as name: String) -> Aggregation {
    Aggregation(function: .avg, property: property, name: name)
  }

  /// Returns the type of the result over values of `type`, and whether the result can be `nil`.
  ///
  /// - Throws: `.invalidArgument` if the type has no order, no sum or no exact mean.
  func result(over type: PropertyType) throws(VaultError) -> (PropertyType, isOptional: Bool) {
    do {
      return try function.result(over: type)
    } catch {
      let reason =
        switch error {
        case .noOrder:
          "which has no order, so it has no least or greatest value. Use another property."
        case .noExactMean:
          "and the mean of Decimals is not an exact Decimal. Query the sum and the count."
        case .noNumber: "which is not a number. Only numbers have sums and means."
        }
      throw VaultError(.invalidArgument, "'\(property ?? "")' has type \(type.rawValue), \(reason)")
    }
  }
}

/// One column of the rows of a grouped query: a key or an aggregate.
struct GroupColumn: Sendable {
  /// The column as conditions on groups see it.
  let shape: PropertyShape
  /// The value that the column reads from each object; `nil` if objects are counted.
  let source: ValueShape?
  /// The aggregate over the values; `nil` for a key.
  let function: Aggregate?
  /// The converter of the property's values, if it has one.
  let converter: ValueConverter?

  /// Whether the column is a sum of integers, which can exceed 64 bits.
  var isSumOfIntegers: Bool { function == .sum && shape.type == .int64 }

  /// Returns the SQL expression of the column over the rows of a group.
  ///
  /// - Parameters:
  ///   - value: The name of the value in the inner query.
  ///   - dialect: The SQL of the engine.
  /// - Returns: A call of an aggregate function, or `value` for a key.
  /// - Throws: `.invalidCondition` if the engine lacks the function.
  func sql(of value: String, _ dialect: any Dialect) throws(VaultError) -> String {
    guard let function else { return value }
    return try dialect.required(
      dialect.aggregate(function, of: source.map { _ in value }, as: shape.type), .aggregates)
  }
}
