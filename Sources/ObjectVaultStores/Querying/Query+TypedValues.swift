// Values of a query by the members of its class, which the compiler checks.

public import ObjectVaultModel

extension Query where T: StoredObject {
  /// Returns the values of one property of the objects; the statement reads only this property.
  ///
  /// ```swift
  /// let names = try students.where { $0.age >= 18 }.values(of: \.name)
  /// ```
  ///
  /// - Throws: ``VaultError`` `.invalidValue` if a member across an association has a non-optional
  ///   type and the association leads to no object.
  public func values<V: StorableValue>(
    of property: KeyPath<T.Properties, Property<V>>
  ) throws -> [V] {
    try values(of: name(of: property), as: V.self)
  }

  /// Returns the values of two properties of the objects as tuples.
  ///
  /// - Throws: The errors of ``values(of:)-(KeyPath<T.Properties,Property<V>>)``.
  public func values<A: StorableValue, B: StorableValue>(
    of first: KeyPath<T.Properties, Property<A>>, _ second: KeyPath<T.Properties, Property<B>>
  ) throws -> [(A, B)] {
    try values(of: name(of: first), name(of: second), as: A.self, B.self)
  }

  /// Returns the values of three properties of the objects as tuples.
  ///
  /// - Throws: The errors of ``values(of:)-(KeyPath<T.Properties,Property<V>>)``.
  public func values<A: StorableValue, B: StorableValue, C: StorableValue>(
    of first: KeyPath<T.Properties, Property<A>>, _ second: KeyPath<T.Properties, Property<B>>,
    _ third: KeyPath<T.Properties, Property<C>>
  ) throws -> [(A, B, C)] {
    try values(
      of: name(of: first), name(of: second), name(of: third), as: A.self, B.self, C.self)
  }

  /// Returns the distinct values of a property of the objects; see ``distinctValues(of:as:)``.
  public func distinctValues<V: StorableValue>(
    of property: KeyPath<T.Properties, Property<V>>
  ) throws -> [V] {
    try distinctValues(of: name(of: property), as: V.self)
  }

  /// Returns the smallest value of a property, or `nil` if no object has a value.
  public func min<V: OrderedValue>(
    of property: KeyPath<T.Properties, Property<V>>
  ) throws -> V.Ordered? where V.Ordered: StorableValue {
    try min(of: name(of: property), as: V.Ordered.self)
  }

  /// Returns the greatest value of a property, or `nil` if no object has a value.
  public func max<V: OrderedValue>(
    of property: KeyPath<T.Properties, Property<V>>
  ) throws -> V.Ordered? where V.Ordered: StorableValue {
    try max(of: name(of: property), as: V.Ordered.self)
  }

  /// Returns the sum of a property's values, ignoring `nil`; see ``sum(of:as:)-(_,V.Type)``.
  public func sum<V: OrderedValue>(
    of property: KeyPath<T.Properties, Property<V>>
  ) throws -> V.Ordered where V.Ordered: StorableValue & AdditiveArithmetic {
    try sum(of: name(of: property), as: V.Ordered.self)
  }

  /// Returns the mean of a property's values, ignoring `nil`, or `nil` without values.
  public func average<V: NumericValue>(
    of property: KeyPath<T.Properties, Property<V>>
  ) throws -> Double? {
    try average(of: name(of: property))
  }

  fileprivate func name<V>(of property: KeyPath<T.Properties, Property<V>>) -> String {
    T.Properties(origin: .object)[keyPath: property].name
  }
}

extension Query where T: StoredObject & Sendable {
  /// Returns the values of one property of the objects without blocking the caller's thread.
  public func values<V: StorableValue & Sendable>(
    of property: KeyPath<T.Properties, Property<V>>
  ) async throws -> [V] {
    try await values(of: name(of: property), as: V.self)
  }

  /// Returns the values of two properties of the objects without blocking the caller's thread.
  public func values<A: StorableValue & Sendable, B: StorableValue & Sendable>(
    of first: KeyPath<T.Properties, Property<A>>, _ second: KeyPath<T.Properties, Property<B>>
  ) async throws -> [(A, B)] {
    try await values(of: name(of: first), name(of: second), as: A.self, B.self)
  }

  /// Returns the values of three properties of the objects without blocking the caller's thread.
  public func values<
    A: StorableValue & Sendable, B: StorableValue & Sendable, C: StorableValue & Sendable
  >(
    of first: KeyPath<T.Properties, Property<A>>, _ second: KeyPath<T.Properties, Property<B>>,
    _ third: KeyPath<T.Properties, Property<C>>
  ) async throws -> [(A, B, C)] {
    try await values(
      of: name(of: first), name(of: second), name(of: third), as: A.self, B.self, C.self)
  }

  /// Returns the distinct values of a property without blocking the caller's thread.
  public func distinctValues<V: StorableValue & Sendable>(
    of property: KeyPath<T.Properties, Property<V>>
  ) async throws -> [V] {
    try await distinctValues(of: name(of: property), as: V.self)
  }

  /// Returns the smallest value of a property without blocking the caller's thread.
  public func min<V: OrderedValue>(
    of property: KeyPath<T.Properties, Property<V>>
  ) async throws -> V.Ordered? where V.Ordered: StorableValue & Sendable {
    try await min(of: name(of: property), as: V.Ordered.self)
  }

  /// Returns the greatest value of a property without blocking the caller's thread.
  public func max<V: OrderedValue>(
    of property: KeyPath<T.Properties, Property<V>>
  ) async throws -> V.Ordered? where V.Ordered: StorableValue & Sendable {
    try await max(of: name(of: property), as: V.Ordered.self)
  }

  /// Returns the sum of a property's values without blocking the caller's thread.
  public func sum<V: OrderedValue>(
    of property: KeyPath<T.Properties, Property<V>>
  ) async throws -> V.Ordered where V.Ordered: StorableValue & AdditiveArithmetic & Sendable {
    try await sum(of: name(of: property), as: V.Ordered.self)
  }

  /// Returns the mean of a property's values without blocking the caller's thread.
  public func average<V: NumericValue>(
    of property: KeyPath<T.Properties, Property<V>>
  ) async throws -> Double? {
    try await average(of: name(of: property))
  }
}
