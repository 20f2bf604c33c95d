import ObjectVaultCore

extension VaultInspection {
  /// Inserts an object and returns its number.
  func insert(_ request: InspectionRequest) throws -> JSONValue {
    let store = try store(request)
    var object = try DynamicObject(of: store.classDescription)
    for (name, text) in try request.values("values") {
      try object.set(name, to: Self.stored(text, name, store.classDescription))
    }
    let inserted = try store.insert(object)
    return .object([
      .init("object", handles.number(of: inserted).map { .integer($0) } ?? .null)
    ])
  }

  /// Changes properties of an object.
  ///
  /// The request contains the former texts (`before`), so that a change of another program in the
  /// meantime is not overwritten.
  func update(_ request: InspectionRequest) throws -> JSONValue {
    let values = try request.values("values")
    let before = try request.values("before")
    return try vault.transaction {
      var (store, object) = try found(request)
      let description = store.classDescription
      for (name, text) in before {
        let property = try Self.property(name, description)
        let present = ExchangedValue.plain(try object.value(of: name), property.type)
        guard present == text else {
          throw InspectionFailure(
            409, "'\(name)' was changed in the meantime. Review its new value and try again.")
        }
      }
      for (name, text) in values {
        try object.set(name, to: Self.stored(text, name, description))
      }
      try store.update(object, only: values.map(\.name))
      return .object([])
    }
  }

  /// Returns the effects of the removal of an object, without removing it.
  func plan(_ request: InspectionRequest) throws -> JSONValue {
    let (store, object) = try found(request)
    return try store.deletionPlan(of: object).json
  }

  /// Removes an object.
  func remove(_ request: InspectionRequest) throws -> JSONValue {
    try vault.transaction {
      let (store, object) = try found(request)
      try store.remove(object)
      return .object([])
    }
  }

  private static func property(
    _ name: String, _ description: ClassDescription
  ) throws -> PropertyDescription {
    guard let property = description.properties.first(where: { $0.name == name }) else {
      throw description.noSuchProperty(name)
    }
    return property
  }

  /// Returns the stored form of a text for a property.
  private static func stored(
    _ text: String?, _ name: String, _ description: ClassDescription
  ) throws -> StoredValue {
    let property = try property(name, description)
    guard let text else { return .null }
    do {
      return try ExchangedValue.stored(text: text, as: property.type)
    } catch let refusal as ExchangedValue.Refusal {
      throw InspectionFailure(
        422,
        "'\(name)' has type \(property.type.rawValue)\(property.isOptional ? "?" : ""), but "
          + "\(refusal.reason). Correct the value.")
    }
  }
}
