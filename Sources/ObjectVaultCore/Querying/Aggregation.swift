import ObjectVaultCondition

/// What is made of the objects of a group: how many they are, or one value of all their values of a
/// property. `nil` values do not count.
public struct Aggregation: Sendable, Hashable {
  let function: Aggregate
  /// The property, or a path that leads to one value; `nil` counts objects.
  let property: String?
  /// What the result is called in the conditions and orders of groups.
  public var name: String

  /// How many objects there are.
  public static func count(as name: String) -> Aggregation {
    Aggregation(function: .count, property: nil, name: name)
  }

  /// How many objects have a value of the property.
  public static func count(of property: String, as name: String) -> Aggregation {
    Aggregation(function: .count, property: property, name: name)
  }

  /// The least value; `nil` of none.
  public static func min(of property: String, as name: String) -> Aggregation {
    Aggregation(function: .min, property: property, name: name)
  }

  /// The greatest value; `nil` of none.
  public static func max(of property: String, as name: String) -> Aggregation {
    Aggregation(function: .max, property: property, name: name)
  }

  /// The sum of numbers, exact whatever their order; 0 of none. A sum of integers beyond 64 bits is
  /// an error when it is read.
  public static func sum(of property: String, as name: String) -> Aggregation {
    Aggregation(function: .sum, property: property, name: name)
  }

  /// The mean of integers or floating-point numbers: their exact sum divided; `nil` of none.
  public static func average(of property: String, as name: String) -> Aggregation {
    Aggregation(function: .avg, property: property, name: name)
  }

  /// The type of the result over values of a type, and whether it may be `nil`.
  ///
  /// - Throws: `.invalidArgument` where the type has no order, or no sum.
  func result(over type: PropertyType) throws(VaultError) -> (PropertyType, isOptional: Bool) {
    do {
      return try function.result(over: type)
    } catch {
      let reason =
        switch error {
        case .noOrder: "which has no order, so that there is no least or greatest value."
        case .noExactMean: "whose mean is no exact Decimal. Ask for the sum and the count."
        case .noNumber: "which is no number. Only numbers have sums and means."
        }
      throw VaultError(.invalidArgument, "'\(property ?? "")' is \(type.rawValue), \(reason)")
    }
  }
}

/// One column of the rows that grouping gives: a key, or what is made of the group's objects.
struct GroupColumn: Sendable {
  /// The column as conditions on groups know it.
  let shape: PropertyShape
  /// The value of an object that it is made of; `nil` where objects are counted.
  let source: ValueShape?
  /// What is made of the values; `nil` for a key.
  let function: Aggregate?
  /// What stores the values in it, where a converter does.
  let converter: ValueConverter?

  /// Whether it is a sum of integers, which may be beyond the numbers there are.
  var isSumOfIntegers: Bool { function == .sum && shape.type == .int64 }

  /// The SQL that makes it of the rows of a group.
  ///
  /// - Parameter value: The name of the value it is made of.
  func sql(of value: String) -> String {
    function?.sql(of: source.map { _ in value }, as: shape.type) ?? value
  }
}
