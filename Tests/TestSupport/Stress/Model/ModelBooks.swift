internal import ObjectVaultCore

/// An owner of books.
struct Shelf: StoredObject, Hashable, Sendable {
  var code: String
  var level: Int
  var books: [Book]?

  init(code: String, level: Int, books: [Book]? = nil) {
    self.code = code
    self.level = level
    self.books = books
  }

  static let classDescription = ClassDescription(
    "Shelf",
    members: [
      .property(.init("code", String.self)), .property(.init("level", Int.self)),
      .owned("books", Book.self, reference: "shelf", sortedBy: ["position"]),
    ], objectID: ["code"])
  static let referenceTarget = ReferenceTarget(table: "Shelf", columns: ["code"])
  static var referencedClasses: [any StoredObject.Type] { [Book.self] }
  static var ownedProperties: [OwnedProperty<Shelf>] { [.many(\.books, by: \Book.shelf)] }
  var storedObjectID: String? { code }

  init(row: Row) throws {
    code = try row.value(at: 0)
    level = try row.value(at: 1)
  }

  func encode(into binder: Binder) throws {
    try binder.bind(code, at: 0)
    try binder.bind(level, at: 1)
  }
}

/// An owner of chapters and a cover.
///
/// It belongs to at most one shelf.
struct Book: StoredObject, GeneratesObjectID, Hashable, Sendable {
  var objectID: Int64?
  var title: String
  var blurb: String?
  var position: Int
  var shelf: Ref<Shelf>?
  var chapters: [Chapter]?
  var cover: Cover?

  init(title: String, blurb: String?, position: Int) {
    self.title = title
    self.blurb = blurb
    self.position = position
  }

  static let classDescription = ClassDescription(
    "Book",
    members: [
      .property(.init("title", String.self)), .property(.init("blurb", String?.self)),
      .property(.init("position", Int.self)),
      .reference("shelf", Ref<Shelf>?.self, onDelete: .cascade),
      .owned("chapters", Chapter.self, reference: "book"),
      .owned("cover", Cover.self, reference: "book", isMany: false),
    ], search: SearchDescription(["title", "blurb"]))
  static let referenceTarget = ReferenceTarget(table: "Book")
  static var referencedClasses: [any StoredObject.Type] { [Shelf.self, Chapter.self, Cover.self] }
  static var ownedProperties: [OwnedProperty<Book>] {
    [.many(\.chapters, by: \Chapter.book), .one(\.cover, by: \Cover.book)]
  }

  init(row: Row) throws {
    title = try row.value(at: 0)
    blurb = try row.value(at: 1)
    position = try row.value(at: 2)
    shelf = try row.value(at: 3)
    objectID = try row.value(at: 4)
  }

  func encode(into binder: Binder) throws {
    try binder.bind(title, at: 0)
    try binder.bind(blurb, at: 1)
    try binder.bind(position, at: 2)
    try binder.bind(shelf, at: 3)
  }
}

/// A part of exactly one book.
struct Chapter: StoredObject, GeneratesObjectID, Hashable, Sendable {
  var objectID: Int64?
  var pages: Int
  var book: Ref<Book>

  init(pages: Int, book: Int64 = 0) {
    self.pages = pages
    self.book = Ref(id: book)
  }

  static let classDescription = ClassDescription(
    "Chapter",
    members: [
      .property(.init("pages", Int.self)),
      .reference("book", Ref<Book>.self, onDelete: .cascade),
    ])
  static let referenceTarget = ReferenceTarget(table: "Chapter")
  static var referencedClasses: [any StoredObject.Type] { [Book.self] }

  init(row: Row) throws {
    pages = try row.value(at: 0)
    book = try row.value(at: 1)
    objectID = try row.value(at: 2)
  }

  func encode(into binder: Binder) throws {
    try binder.bind(pages, at: 0)
    try binder.bind(book, at: 1)
  }
}

/// The only cover of a book.
struct Cover: StoredObject, GeneratesObjectID, Hashable, Sendable {
  var objectID: Int64?
  var color: String
  var book: Ref<Book>?

  init(color: String) { self.color = color }

  static let classDescription = ClassDescription(
    "Cover",
    members: [
      .property(.init("color", String.self)),
      .reference("book", Ref<Book>?.self, onDelete: .cascade),
    ])
  static let referenceTarget = ReferenceTarget(table: "Cover")
  static var referencedClasses: [any StoredObject.Type] { [Book.self] }

  init(row: Row) throws {
    color = try row.value(at: 0)
    book = try row.value(at: 1)
    objectID = try row.value(at: 2)
  }

  func encode(into binder: Binder) throws {
    try binder.bind(color, at: 0)
    try binder.bind(book, at: 1)
  }
}
