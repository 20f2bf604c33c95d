internal import ObjectVaultCore

extension ModelRun {
  /// Compares the classes with Swift types, including their owned objects.
  func compareOwned(_ handle: ModelHandle) throws {
    let order = state.rows("Shelf").map(state.shelf)
    try expect(handle.shelves.all(), order, "the shelves")
    try expect(handle.books.all(), state.rows("Book").map(state.book), "the books")
    try expect(handle.chapters.all(), state.rows("Chapter").map(state.chapter), "the chapters")
    try expect(handle.covers.all(), state.rows("Cover").map(state.cover), "the covers")
  }

  // MARK: Saving

  /// Inserts, updates or saves a shelf or a book with its owned objects.
  ///
  /// Some owned objects are new, some come from other owners, and some are left out.
  func saveOwned() throws {
    let way = random.pick(["insert", "update", "save", "save"])
    if random.oneIn(2) { try saveShelf(way) } else { try saveBook(way) }
  }

  private func saveShelf(_ way: String) throws {
    var shelf = anyShelf()
    note("\(way) shelf", "\(shelf)")
    let id = StoredValue.text(shelf.code)
    let (codes, predicted) = prediction(way, isThere: state.row("Shelf", id) != nil) {
      try $0.save(shelf)
    }
    let store = handle.shelves
    let succeeded = try attempt(codes) {
      switch way {
      case "insert": try store.insert(assigningIDTo: &shelf)
      case "update": try store.update(shelf)
      default: try store.save(assigningIDTo: &shelf)
      }
    }
    guard succeeded, let found = try store.find(shelf.code) else { return }
    if way != "update", let books = shelf.books {
      try expect(
        Set(found.books!.map(\.objectID)), Set(books.map(\.objectID)), "the numbers returned")
    }
    let books = found.books ?? []
    try checkNumbers(books)
    let expected = predicted.shelf(predicted.row("Shelf", id)!)
    try expect(found.level, expected.level, "the level")
    try expect(shapes(books), shapes(expected.books ?? []), "the saved books")
    try state.save(found)
  }

  private func saveBook(_ way: String) throws {
    var book = anyBook(mayBeNew: way != "update")
    if random.oneIn(4) {
      book.shelf = state.rows("Shelf").last.map { state.shelf($0) }.map { Ref(id: $0.code) }
    }
    note("\(way) book", "\(book)")
    let before = book
    let isThere = book.objectID.map { state.row("Book", .integer($0)) != nil } ?? false
    let (codes, predicted) = prediction(way, isThere: isThere) { try $0.save(before) }
    let store = handle.books
    let succeeded = try attempt(codes) {
      switch way {
      case "insert": try store.insert(assigningIDTo: &book)
      case "update": try store.update(book)
      default: try store.save(assigningIDTo: &book)
      }
    }
    guard succeeded else { return }
    guard let id = book.objectID, let found = try store.find(id) else {
      throw ModelMismatch("a saved book is not there")
    }
    try checkNumbers([found])
    let row = predicted.row("Book", before.objectID.map { .integer($0) } ?? .integer(-1))!
    try expect(shapes([found]), shapes([predicted.book(row)]), "the saved book")
    try state.save(found)
  }

  /// Returns the expected result of a save.
  ///
  /// It is the set of valid errors, or the model after the save, in which new objects have negative
  /// numbers.
  private func prediction(
    _ way: String, isThere: Bool, _ save: (inout ModelState) throws -> Void
  ) -> (Set<VaultError.Code>, ModelState) {
    var predicted = state
    var codes: Set<VaultError.Code> = []
    do {
      try save(&predicted)
    } catch let refusal as ModelRefusal {
      codes = refusal.codes
    } catch {}
    if way == "insert", isThere { codes.insert(.duplicate) }
    if way == "update", !isThere { codes.formUnion([.noSuchObject, .noObjectID]) }
    return (codes, predicted)
  }

  /// Returns texts for books without the numbers of new objects, in an order independent of these
  /// numbers.
  private func shapes(_ books: [Book]) -> [String] {
    func shape(_ key: String, _ id: Int64?) -> String {
      id.flatMap { state.row(key, .integer($0)) == nil ? nil : "\(key) \($0)" } ?? "new"
    }
    return books.map { book in
      let chapters = (book.chapters ?? []).map { "\(shape("Chapter", $0.objectID)) \($0.pages)" }
      let cover = book.cover.map { "\(shape("Cover", $0.objectID)) \($0.color)" }
      return
        "\(book.position) \(shape("Book", book.objectID)) \(book.title) \(book.blurb ?? "nil") "
        + "\(book.shelf?.id ?? "nil") \(chapters.sorted()) \(cover ?? "nil")"
    }.sorted()
  }

  private func checkNumbers(_ books: [Book]) throws {
    for book in books {
      try check(book.objectID, "Book")
      for chapter in book.chapters ?? [] { try check(chapter.objectID, "Chapter") }
      if let cover = book.cover { try check(cover.objectID, "Cover") }
    }
  }

  private func check(_ id: Int64?, _ key: String) throws {
    guard let id else { throw ModelMismatch("a saved object of \(key) has no objectID") }
    if state.row(key, .integer(id)) == nil { try checkIsNew(.integer(id), of: key) }
  }

  // MARK: Creating

  private func anyShelf() -> Shelf {
    let rows = state.rows("Shelf")
    var shelf: Shelf
    if !rows.isEmpty, random.oneIn(2) {
      shelf = state.shelf(random.pick(rows))
      shelf.level = Int.random(in: 0...50, using: &random)
    } else {
      shelf = Shelf(
        code: "shelf \(Int.random(in: 0..<40, using: &random))", level: 1,
        books: random.oneIn(4) ? nil : [])
    }
    if random.oneIn(5) { shelf.books = nil }
    guard var books = shelf.books else { return shelf }
    if !books.isEmpty, random.oneIn(2) {
      books.remove(at: Int.random(in: 0..<books.count, using: &random))
    }
    for index in books.indices where random.oneIn(3) { books[index] = changed(books[index]) }
    for _ in 0..<Int.random(in: 0...2, using: &random) { books.append(anyBook(mayBeNew: true)) }
    shelf.books = books.shuffled(using: &random)
    return shelf
  }

  /// Returns a new book, or one of the stored books with a change.
  private func anyBook(mayBeNew: Bool) -> Book {
    let rows = state.rows("Book")
    if !rows.isEmpty, !mayBeNew || random.oneIn(3) { return changed(state.book(random.pick(rows))) }
    var book = Book(
      title: ModelText.random(&random), blurb: random.oneIn(3) ? nil : ModelText.random(&random),
      position: Int.random(in: 0...5, using: &random))
    if random.oneIn(2) {
      book.chapters = (0..<Int.random(in: 0...2, using: &random)).map { _ in anyChapter() }
    }
    if random.oneIn(4) { book.cover = Cover(color: "red") }
    return book
  }

  private func changed(_ book: Book) -> Book {
    var book = book
    switch Int.random(in: 0..<6, using: &random) {
    case 0: book.title = ModelText.random(&random)
    case 1: book.blurb = nil
    case 2: book.chapters = nil
    case 3: if book.chapters?.isEmpty == false { book.chapters?.removeFirst() }
    case 4: book.chapters?.append(anyChapter())
    default:
      book.position = Int.random(in: 0...5, using: &random)
      if book.cover != nil {
        book.cover?.color = "blue"
      } else {
        book.cover = Cover(color: "green")
      }
    }
    return book
  }

  /// Returns a new chapter, or one that belongs to any book.
  private func anyChapter() -> Chapter {
    let rows = state.rows("Chapter")
    if !rows.isEmpty, random.oneIn(3) {
      var chapter = state.chapter(random.pick(rows))
      if random.oneIn(2) { chapter.pages += 1 }
      return chapter
    }
    return Chapter(pages: Int.random(in: 0...50, using: &random))
  }
}
