extension PathResolution {
  /// Returns the value, its member or the length of its text, as the path ends.
  func measured(_ value: ValueShape) -> ValueShape {
    if isLength { return ValueShape(.length(value), name: value.name) }
    if keys.isEmpty { return value }
    return ValueShape(.member(JSONMember(shape: value, keys: keys), .any), name: value.name)
  }

  /// Returns the list or other part at the end of a path to one property stored as JSON.
  func collection() throws(ConditionError) -> JSONMember? {
    guard path.aggregate == nil, !leadsToMany, end?.type == .json else { return nil }
    return JSONMember(shape: try value(origin: origin), keys: keys)
  }

  /// Returns the number of elements at the end of a path to one property stored as JSON.
  func count(_ aggregate: Aggregate) throws(ConditionError) -> ValueShape? {
    guard end?.type == .json else { return nil }
    if leadsToMany {
      guard aggregate == .count else { return nil }
      throw error(
        .manyObjects,
        "'\(path.spelling)' is a number for each of many objects. Count the objects, or query "
          + "their elements with ANY and CONTAINS.")
    }
    guard aggregate == .count else {
      let list = path.names.joined(separator: ".")
      throw error(
        .unsupportedOperator,
        "'\(aggregate.rawValue)' does not read the elements of '\(list)', which are stored as JSON. "
          + "Use @count, or store the elements as objects.")
    }
    let member = JSONMember(shape: try value(origin: origin), keys: keys)
    return ValueShape(.memberCount(member), name: path.spelling)
  }

  func checkKeys() throws(ConditionError) {
    if keys.count > PropertyPath.maximumSteps {
      throw error(
        .limit,
        "The path leads through more than \(PropertyPath.maximumSteps) members. Shorten it.")
    }
  }

  /// Returns the name after a position if it is the last one.
  func lastName(after position: Int) -> String? {
    position == path.names.count - 2 ? path.names[position + 1] : nil
  }

  func checkLength(_ property: PropertyShape, at name: Int) throws(ConditionError) {
    if let aggregate = path.aggregate {
      throw error(
        .unsupportedOperator,
        "'\(aggregate.rawValue)' does not accept the length of a text. Compare the length with ANY "
          + "or ALL.",
        at: name)
    }
    guard [.text, .url, .uuid].contains(property.type.family) else {
      throw error(
        .unsupportedOperator,
        "'\(property.name)' has type \(property.type.rawValue), but '.length' works only on text. "
          + "Use another property.",
        at: name)
    }
  }
}
