import ObjectVaultCore

/// The inspected objects of one class, with the page that is shown.
struct InspectedObjects {
  let store: ObjectStore<DynamicObject>
  /// The condition of the path that led here.
  ///
  /// The user's conditions are added to it.
  var origin: (text: String, arguments: [Any?])?
  var condition: String?
  var search: String?
  var sorts: [Sort] = []
  var page = 1
  /// The object IDs of the page at the time it was shown; `nil` for an object without one.
  var shown: [DynamicObjectID?] = []

  init(_ store: ObjectStore<DynamicObject>) { self.store = store }

  var description: ClassDescription { store.classDescription }

  /// Returns the query for the objects.
  func query() throws -> Query<DynamicObject> {
    var query = store.query
    if let origin { query = query.where(origin.text, arguments: origin.arguments) }
    if let condition { query = query.and(store.where(condition, arguments: [])) }
    if let search { query = query.search(search) }
    return query.sorted(by: sorts)
  }

  /// Returns the present state of the object with a number on the page.
  ///
  /// - Throws: ``ToolError`` `.usage` if no object has the number; `.noInput` if the object does
  ///   not exist any more, or has no object ID.
  func object(_ number: Int) throws -> DynamicObject {
    guard shown.indices.contains(number - 1) else {
      throw ToolError(
        .usage,
        shown.isEmpty
          ? "There is no object on this page."
          : "The objects on this page have the numbers 1 to \(shown.count).")
    }
    guard let id = shown[number - 1] else {
      throw ToolError(
        .noInput,
        "Object \(number) has no object ID, so it cannot be selected. Use 'where' to show it alone."
      )
    }
    guard let object = try store.find(id) else {
      throw ToolError(
        .noInput,
        "Object \(number) does not exist any more. Show the present objects with 'page \(page)'.")
    }
    return object
  }
}
