/// A path resolved from a class: the associations it crosses, and the property at its end.
struct PathResolution {
  let path: PropertyPath
  private let place: TextPlace
  private let text: String?
  private var crossed: [AssociationShape] = []
  /// The object at which values begin, and the number of associations that lead to it.
  private let start: (origin: ValueShape.Origin, steps: Int)
  /// The property at the end, or `nil` if the path ends at associated objects.
  var end: PropertyShape?
  /// The names of the members of the property at the end, which is stored as JSON.
  var keys: [String] = []
  /// Whether the value is the length of the text at the end.
  var isLength = false

  /// Creates the resolution of a path.
  ///
  /// - Parameters:
  ///   - path: The path to resolve.
  ///   - schema: The class at the start of the path.
  ///   - start: The object at which values begin, and the number of associations of the path that
  ///     lead to it.
  ///   - place: The position of the path in the text.
  ///   - text: The source text of the condition, or `nil`.
  /// - Throws: ``ConditionError`` for an unknown name, for a name that is not an association, and
  ///   for too many steps; errors of loading a class.
  init(
    _ path: PropertyPath, from schema: any ConditionSchema,
    start: (origin: ValueShape.Origin, steps: Int) = (.object, 0), place: TextPlace,
    in text: String?
  ) throws {
    self.path = path
    self.start = start
    self.place = place
    self.text = text
    var schema = schema
    for (position, name) in path.names.enumerated() {
      let property = schema.property(named: name)
      // A reference stored in one property has the property's name. Only `@count` needs the
      // objects.
      if let property, position == path.names.count - 1,
        path.aggregate != .count || property.type == .json
      {
        end = property
        return
      }
      guard let association = try schema.association(named: name) else {
        if let property, property.type == .json {
          (end, keys) = (property, Array(path.names[(position + 1)...]))
          try checkKeys()
          return
        }
        if let property, lastName(after: position) == "length" {
          try checkLength(property, at: position)
          (end, isLength) = (property, true)
          return
        }
        if let property { throw notAnAssociation(property, at: position) }
        throw schema.unknownProperty(name, at: offset(of: position), in: text)
      }
      guard crossed.count < PropertyPath.maximumSteps else {
        throw error(
          .limit,
          "The path crosses more than \(PropertyPath.maximumSteps) associations. Shorten it.",
          at: position)
      }
      crossed.append(association)
      schema = association.target
    }
  }

  // MARK: Values

  /// Returns the one value at the end of the path.
  func value() throws(ConditionError) -> ValueShape {
    if let aggregate = path.aggregate {
      if let count = try count(aggregate) { return count }
      return try value(of: aggregate)
    }
    guard !leadsToMany else {
      throw error(
        .manyObjects,
        "'\(path.spelling)' leads to many objects. Query them with ANY, ALL or NONE on the left of "
          + "a comparison, or query one value of all of them, such as "
          + "'\(associations(upTo: crossed.count)).@count'.")
    }
    return measured(try value(origin: origin))
  }

  /// Returns the objects of a quantifier or subquery, and the value of one of them.
  ///
  /// - Parameters:
  ///   - word: The quantifier, for error messages.
  ///   - level: The level of the iteration.
  /// - Returns: The iteration, and the value.
  /// - Throws: ``ConditionError`` if the path does not lead to many objects.
  func elements(
    _ word: String, level: Int
  ) throws(ConditionError) -> (iteration: Iteration, value: ValueShape) {
    if let aggregate = path.aggregate {
      // A path that an aggregate cannot end has a more specific error.
      _ = try value(of: aggregate)
      throw error(
        .notAnAssociation,
        "'\(path.spelling)' is one value of all objects. Remove \(word).")
    }
    guard leadsToMany else {
      if steps.isEmpty, let end {
        throw error(
          .notAnAssociation,
          "'\(end.name)' is one value of type \(end.type.rawValue) and not an association. Use "
            + "\(word) with a path across an association.")
      }
      throw error(
        .notAnAssociation,
        "'\(path.spelling)' leads to at most one object. Remove \(word).")
    }
    let end = steps.endOfElements
    var value = try value(origin: .element(level))
    value.steps.removeFirst(end)
    return (Iteration(origin: start.origin, steps: Array(steps[..<end])), measured(value))
  }

  /// The object at which values begin.
  var origin: ValueShape.Origin { start.origin }

  /// The steps from the object at which values begin.
  private var steps: [AssociationStep] { crossed.dropFirst(start.steps).map(\.step) }

  /// The number of the first names of the path that lead to the objects of an iteration.
  var namesOfElements: Int { start.steps + steps.endOfElements }

  var leadsToMany: Bool { steps.contains { $0.isMany } }

  func value(origin: ValueShape.Origin) throws(ConditionError) -> ValueShape {
    let end = try ending()
    var value = ValueShape(end)
    value.name = path.spelling
    value.origin = origin
    value.steps = steps
    // A reference stores the object ID of the object it leads to. A part of a composite reference
    // may have a value although another one is nil, which leads to no object.
    while !value.steps.isEmpty, let last = crossed[..<(start.steps + value.steps.count)].last,
      last.isReference, last.step.pairs.count == 1 || !last.isOptional,
      let pair = last.step.pairs.first(where: { $0.far == value.position })
    {
      value.steps.removeLast()
      value.position = pair.near
      value.isOptional = last.isOptional
    }
    // A reference may lead to no object; the objects of a quantifier always exist.
    let direct = origin == .object ? 0 : value.steps.endOfElements
    if value.steps.count > direct { value.isOptional = true }
    return value
  }

  /// Returns the property at the end; for objects, the property that is their object ID.
  private func ending() throws(ConditionError) -> PropertyShape {
    if let end { return end }
    let parts = crossed.last?.target.objectID ?? []
    if parts.count == 1 { return parts[0] }
    let paths = parts.map { "'\(path.spelling).\($0.name)'" }.joined(separator: ", ")
    throw error(
      .typeMismatch,
      "The object ID of '\(path.spelling)' has several parts. Query each part: \(paths).")
  }

  // MARK: Aggregates

  private func value(of aggregate: Aggregate) throws(ConditionError) -> ValueShape {
    let word = aggregate.rawValue
    guard leadsToMany else {
      if steps.isEmpty, let end {
        throw error(
          .notAnAssociation,
          "'\(end.name)' has type \(end.type.rawValue) and is not an association. Use '\(word)' "
            + "with an association.")
      }
      throw error(
        .notAnAssociation,
        "'\(associations(upTo: crossed.count))' leads to at most one object. Use '\(word)' with a "
          + "path to many objects.")
    }
    if aggregate == .count {
      var value = ValueShape(PropertyShape("", at: 0, type: .int64, isOptional: false))
      value.name = path.spelling
      value.origin = start.origin
      value.steps = steps
      value.aggregate = .count
      return value
    }
    guard end != nil else {
      throw error(
        .notAnAssociation,
        "'\(word)' needs a property of the objects. Write "
          + "'\(path.spelling).\(crossed.last?.target.propertyNames.first ?? "name")', for example."
      )
    }
    var value = try value(origin: origin)
    value.aggregate = aggregate
    (value.type, value.isOptional) = try result(of: aggregate, over: value.type)
    return value
  }

  /// Returns the type of an aggregate's result over values of a type, and whether it may be nil.
  private func result(
    of aggregate: Aggregate, over type: PropertyType
  ) throws(ConditionError) -> (PropertyType, isOptional: Bool) {
    do {
      return try aggregate.result(over: type)
    } catch {
      let reason =
        switch error {
        case .noOrder: "needs an order, which \(type.rawValue) does not have. Use another property."
        case .noExactMean:
          "is the mean of Decimals, which is not an exact Decimal. Compare their @sum."
        case .noNumber:
          "calculates with values of type \(type.rawValue), but only numbers have sums and means. "
            + "Use another property."
        }
      throw self.error(.unsupportedOperator, "'\(path.spelling)' \(reason)")
    }
  }

  // MARK: Errors

  private func associations(upTo count: Int) -> String {
    path.names.prefix(count).joined(separator: ".")
  }

  private func offset(of name: Int) -> Int? {
    name < path.places.count ? path.places[name].offset : place.offset
  }

  func error(
    _ code: ConditionError.Code, _ message: String, at name: Int = 0
  ) -> ConditionError {
    ConditionError(code, message, at: offset(of: name), in: text)
  }

  private func notAnAssociation(_ property: PropertyShape, at name: Int) -> ConditionError {
    let isCounted = path.aggregate != nil && name == path.names.count - 1
    let use = isCounted ? "Use '@count' with an association." : "Write a path that ends at it."
    return error(
      .notAnAssociation,
      "'\(property.name)' has type \(property.type.rawValue) and is not an association. \(use)",
      at: name)
  }
}

extension ConditionSchema {
  /// Returns the error for a name that is neither a property nor an association.
  func unknownProperty(_ name: String, at offset: Int?, in text: String?) -> ConditionError {
    let names = propertyNames + associationNames.filter { !propertyNames.contains($0) }
    let hint =
      if let close = SpellingSuggestion.closest(to: name, among: names) {
        "Did you mean '\(close)'?"
      } else {
        names.isEmpty
          ? "It has no properties."
          : "Use one of its properties: \(names.map { "'\($0)'" }.joined(separator: ", "))."
      }
    return ConditionError(
      .unknownProperty, "\(className) has no property '\(name)'. \(hint)", at: offset, in: text)
  }
}
