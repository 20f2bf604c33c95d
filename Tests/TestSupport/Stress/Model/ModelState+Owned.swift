internal import ObjectVaultCore

/// Negative numbers for new objects, until the vault generates their numbers.
private struct Placeholders {
  private var last: Int64 = 0

  mutating func next() -> StoredValue {
    last -= 1
    return .integer(last)
  }
}

extension ModelState {
  // MARK: Conversion to Swift types

  func shelf(_ row: ModelRow) -> Shelf {
    var shelf = Shelf(code: row["code"].string ?? "", level: Int(row["level"].number))
    shelf.books = rows("Book").filter { $0["shelf"] == row.id }
      .sorted { ($0["position"].number, $0.id.number) < ($1["position"].number, $1.id.number) }
      .map(book)
    return shelf
  }

  func book(_ row: ModelRow) -> Book {
    var book = Book(
      title: row["title"].string ?? "", blurb: row["blurb"].string,
      position: Int(row["position"].number))
    book.objectID = row.id.number
    book.shelf = row["shelf"].string.map { Ref(id: $0) }
    book.chapters = rows("Chapter").filter { $0["book"] == row.id }.map(chapter)
    book.cover = rows("Cover").first { $0["book"] == row.id }.map(cover)
    return book
  }

  func chapter(_ row: ModelRow) -> Chapter {
    var chapter = Chapter(pages: Int(row["pages"].number), book: row["book"].number)
    chapter.objectID = row.id.number
    return chapter
  }

  func cover(_ row: ModelRow) -> Cover {
    var cover = Cover(color: row["color"].string ?? "")
    cover.objectID = row.id.number
    cover.book = row["book"].isNull ? nil : Ref(id: row["book"].number)
    return cover
  }

  // MARK: Saving

  /// Saves a shelf and makes its books the owned ones.
  mutating func save(_ shelf: Shelf) throws {
    var placeholders = Placeholders()
    let id = StoredValue.text(shelf.code)
    try put(
      "Shelf", id, ["code": id, "level": .integer(Int64(shelf.level))])
    guard let books = shelf.books else { return }
    try own("Book", books.map(\.objectID), by: "shelf", id, &placeholders) {
      state, places, placeholders in
      for (book, place) in zip(books, places) { try state.write(book, place, shelf: id) }
      try state.writeParts(of: Array(zip(books, places)), &placeholders)
    }
  }

  /// Saves a book and makes its chapters and its cover the owned ones.
  mutating func save(_ book: Book) throws {
    var placeholders = Placeholders()
    let id = book.objectID.map { StoredValue.integer($0) } ?? placeholders.next()
    try write(book, id, shelf: book.shelf.map { .text($0.id) } ?? .null)
    try writeParts(of: [(book, id)], &placeholders)
  }

  private mutating func write(_ book: Book, _ id: StoredValue, shelf: StoredValue) throws {
    try put(
      "Book", id,
      [
        "title": .text(book.title), "blurb": book.blurb.map { .text($0) } ?? .null,
        "position": .integer(Int64(book.position)), "shelf": shelf,
      ])
  }

  /// Writes the chapters and covers of books.
  ///
  /// All present parts are written before the missing ones are removed.
  private mutating func writeParts(
    of books: [(Book, StoredValue)], _ placeholders: inout Placeholders
  ) throws {
    var gone: [(key: String, owner: StoredValue, ids: Set<StoredValue>)] = []
    var claimed: Set<Int64> = []
    for (book, owner) in books {
      guard let chapters = book.chapters else { continue }
      for chapter in chapters {
        if let id = chapter.objectID, !claimed.insert(id).inserted {
          throw ModelRefusal(codes: [.ownership])
        }
      }
      gone.append(("Chapter", owner, owned("Chapter", "book", owner)))
    }
    var covers: Set<Int64> = []
    for (book, owner) in books {
      guard let cover = book.cover else { continue }
      if let id = cover.objectID, !covers.insert(id).inserted {
        throw ModelRefusal(codes: [.ownership])
      }
      gone.append(("Cover", owner, owned("Cover", "book", owner)))
    }
    for (book, owner) in books {
      for chapter in book.chapters ?? [] {
        let id = chapter.objectID.map { StoredValue.integer($0) } ?? placeholders.next()
        try put("Chapter", id, ["pages": .integer(Int64(chapter.pages)), "book": owner])
      }
      if let cover = book.cover {
        let id = cover.objectID.map { StoredValue.integer($0) } ?? placeholders.next()
        try put("Cover", id, ["color": .text(cover.color), "book": owner])
        covers.insert(id.number)
      }
      for chapter in book.chapters ?? [] where chapter.objectID != nil {
        claimed.insert(chapter.objectID!)
      }
    }
    for (key, owner, ids) in gone {
      let kept = key == "Chapter" ? claimed : covers
      let leaving = ids.filter { id in
        !kept.contains(id.number) && row(key, id)?["book"] == owner
      }
      try remove(key, leaving)
    }
  }

  private func owned(_ key: String, _ reference: String, _ owner: StoredValue) -> Set<StoredValue> {
    Set(rows(key).filter { $0[reference] == owner }.map(\.id))
  }

  /// Makes the objects with the given numbers the owned ones, and removes the others last.
  private mutating func own(
    _ key: String, _ ids: [Int64?], by reference: String, _ owner: StoredValue,
    _ placeholders: inout Placeholders,
    _ write: (inout ModelState, [StoredValue], inout Placeholders) throws -> Void
  ) throws {
    let given = ids.compactMap { $0 }
    guard Set(given).count == given.count else { throw ModelRefusal(codes: [.ownership]) }
    let before = owned(key, reference, owner)
    let places = ids.map { $0.map { .integer($0) } ?? placeholders.next() }
    try write(&self, places, &placeholders)
    try remove(
      key, before.subtracting(places).filter { row(key, $0)?[reference] == owner })
  }

  /// Updates an object, or inserts it if it is missing.
  private mutating func put(
    _ key: String, _ id: StoredValue, _ values: [String: StoredValue]
  ) throws {
    if row(key, id) != nil {
      try update(key, id, values)
    } else {
      try insert(key, [ModelRow(id: id, values: values)])
    }
  }
}

extension StoredValue {
  /// The number, or 0 for another type.
  var number: Int64 { if case .integer(let number) = self { number } else { 0 } }

  /// The text, or `nil` for another type.
  var string: String? { if case .text(let text) = self { text } else { nil } }
}

extension [String: StoredValue] {
  /// The values in the order of their names, for a report.
  var list: String {
    sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.short)" }.joined(separator: ", ")
  }
}

extension StoredValue {
  /// The value, for a report.
  var short: String {
    switch self {
    case .null: "nil"
    case .integer(let number): "\(number)"
    case .text(let text): "'\(text)'"
    default: "\(self)"
    }
  }
}
