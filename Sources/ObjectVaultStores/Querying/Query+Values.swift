public import ObjectVaultCondition
import ObjectVaultDriver
public import ObjectVaultModel

extension Query {
  /// Returns the values of one property of the objects; the statement reads only this property.
  ///
  /// - Parameters:
  ///   - property: The name of the property, as in Swift, or a path that leads to one value.
  ///   - type: The type to read: the type of the property or one with the same stored form. For a
  ///     property with a converter, the property's type reads converted values, and any other type
  ///     reads the stored values.
  /// - Returns: One value for each object, in order.
  /// - Throws: ``VaultError``: `.noSuchProperty`, `.invalidValue` for a value that is not of the
  ///   type.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func values<V: StorableValue>(
    of property: String, as type: V.Type = V.self
  ) throws -> [V] {
    try read([property]) { $0[0].reader(of: V.self, at: 0) }
  }

  /// Returns some properties of the objects as stored values; nothing else of the objects is read.
  ///
  /// - Parameter properties: The names of the properties, as in Swift; `objectID` for a generated
  ///   objectID. A path that leads to one value, such as `classroom.name`, counts as a property.
  /// - Returns: The values of each object, in the order of the names.
  /// - Throws: ``VaultError``: `.noSuchProperty`; `.invalidArgument` for an empty list of names.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func values(of properties: [String]) throws -> [[StoredValue]] {
    try read(properties) { _ in { row in properties.indices.map(row.storedValue(at:)) } }
  }

  /// Returns some properties of the objects as tuples; nothing else of the objects is read.
  ///
  /// ```swift
  /// for (name, age) in try students.query.values(of: "name", "age", as: String.self, Int.self) {}
  /// ```
  ///
  /// - Parameters:
  ///   - first: The name of a property, or a path that leads to one value.
  ///   - second: The name or path of the second property.
  ///   - others: The names or paths of further properties.
  ///   - firstType: The type to read the first property as.
  ///   - secondType: The type to read the second property as.
  ///   - types: The types to read the other properties as.
  /// - Returns: One tuple for each object, in order.
  /// - Throws: The errors of ``values(of:as:)``; `.invalidArgument` if the number of types differs
  ///   from the number of names.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func values<A: StorableValue, B: StorableValue, each Value: StorableValue>(
    of first: String, _ second: String, _ others: String..., as firstType: A.Type,
    _ secondType: B.Type, _ types: repeat (each Value).Type
  ) throws -> [(A, B, repeat each Value)] {
    try tuples([first, second] + others, A.self, B.self, repeat (each Value).self)
  }

  private func tuples<A: StorableValue, B: StorableValue, each Value: StorableValue>(
    _ names: [String], _ a: A.Type, _ b: B.Type, _ types: repeat (each Value).Type
  ) throws -> [(A, B, repeat each Value)] {
    try read(names) { try ReadColumn.tuple(A.self, B.self, repeat (each Value).self, of: $0) }
  }

  private func read<R>(
    _ properties: [String], _ reader: ([ReadColumn]) throws -> (Row) throws -> R
  ) throws -> [R] {
    let columns = try columns(of: properties)
    let make = try reader(readColumns(properties, columns.map(\.value)))
    return try readRows({ $0.select(columns.map(\.sql).joined(separator: ", ")) }) {
      try naming(properties, $0, make)
    }
  }

  private func readColumns(_ properties: [String], _ values: [ValueShape]) -> [ReadColumn] {
    zip(properties, values).map { ReadColumn($1, store.converter(named: $0)) }
  }

  /// Returns the results of `make` for the rows of a statement of the query.
  func readRows<R>(
    _ text: (QuerySQL) -> String, _ make: (Row) throws -> R
  ) throws -> [R] {
    try store.read { session in
      try QuerySQL.with(self, text, on: session) { try $0.rows(make) }
    }
  }

  /// Returns the result of `make` for a row; its errors name properties instead of positions.
  @inline(__always)
  func naming<R>(_ properties: [String], _ row: Row, _ make: (Row) throws -> R) throws -> R {
    do {
      return try make(row)
    } catch let error as VaultError where error.code == .invalidValue {
      let name = store.classDescription.name
      throw error.naming(properties.count) { "Property '\(properties[$0])' of class '\(name)'" }
    }
  }

  /// Returns the shapes of properties and the SQL expressions that read them.
  ///
  /// - Throws: `.noSuchProperty`; `.invalidArgument` for an empty list of names.
  func columns(of properties: [String]) throws -> [(value: ValueShape, sql: String)] {
    guard !properties.isEmpty else {
      throw VaultError(.invalidArgument, "The query has no property to read. Pass at least one.")
    }
    let sql = store.table.sql
    return try properties.map { path in
      let shape = try store.value(named: path)
      var writer = SQLWriter(sql.queried)
      return (shape, try writer.value(shape))
    }
  }
}

// Values of a query by the members of its class, which the compiler checks.

extension Query where T: StoredObject {
  /// Returns the values of one property of the objects; the statement reads only this property.
  ///
  /// ```swift
  /// let names = try students.where { $0.age >= 18 }.values(of: \.name)
  /// ```
  ///
  /// - Throws: ``VaultError`` `.invalidValue` if a member across an association has a non-optional
  ///   type and the association leads to no object.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func values<V: StorableValue>(
    of property: KeyPath<T.Properties, Property<V>>
  ) throws -> [V] {
    try values(of: name(of: property), as: V.self)
  }

  /// Returns the values of two properties of the objects as tuples.
  ///
  /// - Throws: The errors of ``values(of:)-(KeyPath<T.Properties,Property<V>>)``.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func values<A: StorableValue, B: StorableValue>(
    of first: KeyPath<T.Properties, Property<A>>, _ second: KeyPath<T.Properties, Property<B>>
  ) throws -> [(A, B)] {
    try values(of: name(of: first), name(of: second), as: A.self, B.self)
  }

  /// Returns the values of three properties of the objects as tuples.
  ///
  /// - Throws: The errors of ``values(of:)-(KeyPath<T.Properties,Property<V>>)``.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func values<A: StorableValue, B: StorableValue, C: StorableValue>(
    of first: KeyPath<T.Properties, Property<A>>, _ second: KeyPath<T.Properties, Property<B>>,
    _ third: KeyPath<T.Properties, Property<C>>
  ) throws -> [(A, B, C)] {
    try values(
      of: name(of: first), name(of: second), name(of: third), as: A.self, B.self, C.self)
  }

  /// Returns the distinct values of a property of the objects; see ``distinctValues(of:as:)``.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func distinctValues<V: StorableValue>(
    of property: KeyPath<T.Properties, Property<V>>
  ) throws -> [V] {
    try distinctValues(of: name(of: property), as: V.self)
  }

  /// Returns the smallest value of a property, or `nil` if no object has a value.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func min<V: OrderedValue>(
    of property: KeyPath<T.Properties, Property<V>>
  ) throws -> V.Ordered? where V.Ordered: StorableValue {
    try min(of: name(of: property), as: V.Ordered.self)
  }

  /// Returns the greatest value of a property, or `nil` if no object has a value.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func max<V: OrderedValue>(
    of property: KeyPath<T.Properties, Property<V>>
  ) throws -> V.Ordered? where V.Ordered: StorableValue {
    try max(of: name(of: property), as: V.Ordered.self)
  }

  /// Returns the sum of a property's values, ignoring `nil`; see ``sum(of:as:)-(_,V.Type)``.
  ///
  /// The sum has the type of the property.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func sum<V: OrderedValue>(
    of property: KeyPath<T.Properties, Property<V>>
  ) throws -> V.Ordered where V.Ordered: StorableValue & AdditiveArithmetic {
    try sum(of: name(of: property), as: V.Ordered.self)
  }

  /// Returns the mean of a property's values, ignoring `nil`, or `nil` without values.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func average<V: NumericValue>(
    of property: KeyPath<T.Properties, Property<V>>
  ) throws -> Double? {
    try average(of: name(of: property))
  }

  fileprivate func name<V>(of property: KeyPath<T.Properties, Property<V>>) -> String {
    T.Properties(origin: .object)[keyPath: property].name
  }
}

// Values of properties with converters, by the members of their class. Minimum and maximum compare
// the stored values.

extension Query where T: StoredObject {
  /// Returns the values of one property of the objects; the statement reads only this property.
  ///
  /// - Throws: The errors of ``values(of:as:)``.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func values<C: PropertyConverter>(
    of property: KeyPath<T.Properties, ConvertedProperty<C, C.Value>>
  ) throws -> [C.Value] {
    try values(of: name(of: property), as: Converted<C>.self).map(\.value)
  }

  /// Returns the values of one optional property of the objects; the statement reads only this
  /// property.
  ///
  /// - Throws: The errors of ``values(of:as:)``.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func values<C: PropertyConverter>(
    of property: KeyPath<T.Properties, ConvertedProperty<C, C.Value?>>
  ) throws -> [C.Value?] {
    try values(of: name(of: property), as: Converted<C>?.self).map { $0?.value }
  }

  /// Returns the distinct values of a property of the objects; see ``distinctValues(of:as:)``.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func distinctValues<C: PropertyConverter>(
    of property: KeyPath<T.Properties, ConvertedProperty<C, C.Value>>
  ) throws -> [C.Value] {
    try distinctValues(of: name(of: property), as: Converted<C>.self).map(\.value)
  }

  /// Returns the distinct values of an optional property of the objects.
  ///
  /// See ``distinctValues(of:as:)``.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func distinctValues<C: PropertyConverter>(
    of property: KeyPath<T.Properties, ConvertedProperty<C, C.Value?>>
  ) throws -> [C.Value?] {
    try distinctValues(of: name(of: property), as: Converted<C>?.self).map { $0?.value }
  }

  /// Returns the value with the smallest stored form, or `nil` if no object has a value.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func min<C: PropertyConverter, Value>(
    of property: KeyPath<T.Properties, ConvertedProperty<C, Value>>
  ) throws -> C.Value? where C.Stored: OrderedValue {
    try min(of: name(of: property), as: Converted<C>.self)?.value
  }

  /// Returns the value with the greatest stored form, or `nil` if no object has a value.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func max<C: PropertyConverter, Value>(
    of property: KeyPath<T.Properties, ConvertedProperty<C, Value>>
  ) throws -> C.Value? where C.Stored: OrderedValue {
    try max(of: name(of: property), as: Converted<C>.self)?.value
  }

  fileprivate func name<C, Value>(
    of property: KeyPath<T.Properties, ConvertedProperty<C, Value>>
  ) -> String {
    T.Properties(origin: .object)[keyPath: property].name
  }
}

extension Query {
  /// Returns the distinct values of a property of the objects; the statement reads only this
  /// property.
  ///
  /// The values are in ascending order with `nil` first, or in the order of the query if it sorts
  /// by the property. A range counts values.
  ///
  /// - Parameters:
  ///   - property: The name of the property, as in Swift, or a path that leads to one value.
  ///   - type: The type to read: the type of the property or one with the same stored form.
  /// - Returns: The distinct values.
  /// - Throws: ``VaultError``: `.noSuchProperty`; `.invalidValue` for a value that is not of the
  ///   type; `.invalidArgument` if the query sorts by another property, because a value of several
  ///   objects has no single position in that order.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func distinctValues<V: StorableValue>(
    of property: String, as type: V.Type = V.self
  ) throws -> [V] {
    try readDistinct([property]) { $0[0].reader(of: V.self, at: 0) }
  }

  /// Returns the distinct combinations of values of some properties as stored values.
  ///
  /// - Throws: The errors of ``distinctValues(of:as:)``.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func distinctValues(of properties: [String]) throws -> [[StoredValue]] {
    try readDistinct(properties) { _ in { row in properties.indices.map(row.storedValue(at:)) } }
  }

  /// Returns the distinct combinations of values of some properties as tuples.
  ///
  /// - Throws: The errors of ``distinctValues(of:as:)``; `.invalidArgument` if the number of types
  ///   differs from the number of names.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func distinctValues<A: StorableValue, B: StorableValue, each Value: StorableValue>(
    of first: String, _ second: String, _ others: String..., as firstType: A.Type,
    _ secondType: B.Type, _ types: repeat (each Value).Type
  ) throws -> [(A, B, repeat each Value)] {
    try distinctTuples([first, second] + others, A.self, B.self, repeat (each Value).self)
  }

  private func distinctTuples<A: StorableValue, B: StorableValue, each Value: StorableValue>(
    _ names: [String], _ a: A.Type, _ b: B.Type, _ types: repeat (each Value).Type
  ) throws -> [(A, B, repeat each Value)] {
    try readDistinct(names) {
      try ReadColumn.tuple(A.self, B.self, repeat (each Value).self, of: $0)
    }
  }

  private func readDistinct<R>(
    _ properties: [String], _ reader: ([ReadColumn]) throws -> (Row) throws -> R
  ) throws -> [R] {
    let columns = try columns(of: properties)
    let shapes = columns.map(\.value)
    let make = try reader(readColumns(properties, shapes))
    guard order.allSatisfy({ shapes.contains($0.value) }) else {
      throw VaultError(
        .invalidArgument,
        "The query is sorted by a property that is not among the distinct values, so a value of "
          + "several objects has no single position. Sort by the requested properties.")
    }
    let ties = shapes.map { SortKey($0, ascending: !reversesTies) }
    let sql = store.table.sql
    let keys = try (order + ties).map { try $0.sql(of: sql.queried) }
    return try readRows({ $0.distinct(columns.map(\.sql), order: keys) }) {
      try naming(properties, $0, make)
    }
  }
}

extension Query {
  /// Groups the objects that are equal in all of these properties.
  ///
  /// A range selects the objects before they are grouped. An order has no effect.
  ///
  /// - Parameter properties: The names of the properties, or paths that lead to one value. Without
  ///   properties, all objects form one group, even if there are no objects.
  /// - Returns: A grouped query with the properties as its keys. Its terminal methods throw
  ///   ``VaultError``: `.noSuchProperty`; `.invalidArgument` for a property named twice.
  public func grouped(by properties: String...) -> GroupedQuery<T> {
    grouped(by: properties)
  }

  /// Groups the objects that are equal in all of these properties.
  ///
  /// - Returns: A grouped query, with the errors of ``grouped(by:)-(String...)``.
  public func grouped(by properties: [String]) -> GroupedQuery<T> {
    GroupedQuery(self).grouped(by: properties)
  }
}

// Aggregates of all objects of a query, each in one statement. A range selects the objects first.

extension Query {
  /// Returns the smallest value of a property, or `nil` if no object has a value.
  ///
  /// - Parameters:
  ///   - property: The name of the property, or a path that leads to one value.
  ///   - type: The type to read: the type of the property or one with the same stored form.
  /// - Returns: The smallest value.
  /// - Throws: ``VaultError``: `.noSuchProperty`; `.invalidArgument` if the values have no order;
  ///   `.invalidValue` if the value is not of the type.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func min<V: StorableValue>(of property: String, as type: V.Type = V.self) throws -> V? {
    try value(.min(of: property, as: property))
  }

  /// Returns the greatest value of a property, or `nil` if no object has a value.
  ///
  /// - Throws: The errors of ``min(of:as:)-(_,V.Type)``.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func max<V: StorableValue>(of property: String, as type: V.Type = V.self) throws -> V? {
    try value(.max(of: property, as: property))
  }

  /// Returns the sum of a property's values, ignoring `nil`; 0 without values.
  ///
  /// The sum is exact: it does not depend on the order of the objects, and a floating-point sum is
  /// rounded once, at the end.
  ///
  /// - Throws: The errors of ``min(of:as:)-(_,V.Type)``; `.invalidArgument` for values that are not
  ///   numbers, `.overflow` for a sum of integers beyond 64 bits or the range of the type,
  ///   `.invalidValue` for a sum of both infinities.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func sum<V: StorableValue & AdditiveArithmetic>(
    of property: String, as type: V.Type = V.self
  ) throws -> V {
    if let converter = store.converter(named: property), converter.reader(of: V.self) != nil {
      throw VaultError(
        .invalidArgument,
        "'\(property)' has converter '\(converter.name)', and a sum has the type of the stored "
          + "values. Request the sum as that type, or sum the objects.")
    }
    if let integer = V.self as? any FixedWidthInteger.Type {
      return try sum(of: property, exactly: integer)
    }
    let sum: V?
    do {
      sum = try value(.sum(of: property, as: property))
    } catch let error as VaultError where error.code == .invalidValue {
      throw VaultError(
        .overflow,
        "\(V.self) has no such value as the sum of '\(property)', which is too large or has too many "
          + "digits. Request it as another type, such as that of the property, or sum fewer objects.",
        underlying: error)
    }
    guard let sum else { throw noSum(of: property) }
    return sum
  }

  private func noSum(of property: String) -> VaultError {
    VaultError(
      .invalidValue,
      "'\(property)' has both infinity and minus infinity among its values, so it has no sum. "
        + "Exclude one of them by a condition.")
  }

  /// Returns a sum of integers as `V`, which is the type `integer`.
  private func sum<V: StorableValue & AdditiveArithmetic>(
    of property: String, exactly integer: any FixedWidthInteger.Type
  ) throws -> V {
    guard let sum: Int64 = try value(.sum(of: property, as: property)) else {
      throw noSum(of: property)
    }
    guard let exact = integer.init(exactly: sum) as? V else {
      throw VaultError(
        .overflow,
        "The sum of '\(property)' exceeds the range of \(V.self). Request it as a wider type, such as "
          + "'sum(of: \"\(property)\", as: Int.self)'.")
    }
    return exact
  }

  /// Returns the mean of a property's values, ignoring `nil`, or `nil` without values.
  ///
  /// The mean is the exact sum divided by the number of values.
  ///
  /// - Throws: The errors of ``sum(of:as:)-(_,V.Type)``; `.invalidArgument` for decimals, because
  ///   their mean can be inexact.
  @available(*, noasync, message: "Use 'try await vault.read { … }'.")
  public func average(of property: String) throws -> Double? {
    try value(.average(of: property, as: property))
  }

  private func value<V: StorableValue>(_ aggregation: Aggregation) throws -> V? {
    let grouped = grouped(by: []).aggregating(aggregation)
    try grouped.query.checkSteps()
    let make = ReadColumn(grouped.columns[0]).reader(of: V.self, at: 0)
    return try grouped.read { row -> V? in
      row.isNull(at: 0) ? nil : try naming([aggregation.name], row, make)
    }.first ?? nil
  }
}
