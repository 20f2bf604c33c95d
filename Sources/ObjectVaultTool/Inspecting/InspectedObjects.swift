import ObjectVaultCore

/// What is looked at: objects of one class, and the page of them that is shown.
struct InspectedObjects {
  let store: ObjectStore<DynamicObject>
  /// The condition that led here, which those a person gives come on top of.
  var origin: (text: String, arguments: [Any?])?
  var condition: String?
  var search: String?
  var sorts: [Sort] = []
  var page = 1
  /// The objects of the page as they were when it was shown.
  var shown: [DynamicObject] = []

  init(_ store: ObjectStore<DynamicObject>) { self.store = store }

  var description: ClassDescription { store.classDescription }

  /// What chooses the objects.
  func query() throws -> Query<DynamicObject> {
    var query = store.query
    if let origin { query = try query.where(origin.text, arguments: origin.arguments) }
    if let condition { query = try query.and(store.where(condition, arguments: [])) }
    if let search { query = try query.search(search) }
    return try query.sorted(by: sorts)
  }

  /// An object by its number on the page.
  ///
  /// - Throws: ``ToolError`` `.usage` where nothing has the number.
  func object(_ number: Int) throws -> DynamicObject {
    guard shown.indices.contains(number - 1) else {
      throw ToolError(
        .usage,
        shown.isEmpty
          ? "There is no object on this page."
          : "The objects on this page have the numbers 1 to \(shown.count).")
    }
    return shown[number - 1]
  }
}
