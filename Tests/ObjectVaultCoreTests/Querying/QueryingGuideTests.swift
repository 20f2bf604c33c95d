import Logging
import ObjectVaultCore
import TestSupport
import Testing

/// The Swift of the sections on queries of the guide "Querying", line by line as it stands there.
@Suite("The guide to querying") struct QueryingGuideTests {
  private struct Student: StoredObject, GeneratesObjectID, Sendable {
    var objectID: Int64?
    var name: String
    var age: Int
    var seat = 0
    var note: String?

    init(_ name: String, _ age: Int, note: String? = nil) {
      (self.name, self.age, self.note) = (name, age, note)
    }

    static let classDescription = ClassDescription(
      "Student",
      properties: [
        PropertyDescription("name", String.self), PropertyDescription("age", Int.self),
        PropertyDescription("seat", Int.self), PropertyDescription("note", String?.self),
      ])

    init(row: Row) throws {
      name = try row.value(at: 0)
      age = try row.value(at: 1)
      seat = try row.value(at: 2)
      note = try row.value(at: 3)
      objectID = try row.value(at: 4)
    }

    func encode(into binder: Binder) throws {
      try binder.bind(name, at: 0)
      try binder.bind(age, at: 1)
      try binder.bind(seat, at: 2)
      try binder.bind(note, at: 3)
    }
  }

  private let test: TestVault
  private let vault: Vault
  private let students: ObjectStore<Student>

  init() throws {
    test = try TestVault()
    vault = test.vault
    students = try vault.store(of: Student.self)
    try students.insert(contentsOf: [
      Student("Li", 20), Student("bo", 6, note: "x"), Student("Al", 20), Student("Lo", 5),
    ])
  }

  @Test("holds no line that is not here")
  func whole() throws {
    // The sections on conditions stand in the first, which needs macros.
    let tests = [
      "Tests/ObjectVaultTests/QueryingGuideTests.swift",
      "Tests/ObjectVaultCoreTests/Querying/QueryingGuideTests.swift",
    ]
    #expect(try GuideSnippets.missing("Guides/Querying.md", inAnyOf: tests) == [])
    #expect(try GuideSnippets.lines(of: "Guides/Querying.md").count > 30)
  }

  private func names(_ students: [Student]) -> String {
    students.map(\.name).joined(separator: " ")
  }

  @Test("says of orders, combinations and pages what they do")
  func orders() throws {
    #expect(
      names(
        try students.sorted(by: "name", .descending("age")).all()
      ) == "Al Li Lo bo")
    #expect(
      names(
        try students.sorted(by: .ascending("name", [.caseInsensitive, .diacriticInsensitive])).all()
      ) == "Al bo Li Lo")
    #expect(
      names(
        try students.sorted(by: .descending("note", nils: .last), "name").all()
      ) == "bo Al Li Lo")
    let first =
      try students.where("age >= 18").reversed().first()
    let last =
      try students.last()
    #expect(first?.name == "Al" && last?.name == "Lo")
    let young = students.where("age < 7")
    let named = students.where("name BEGINSWITH 'L'")
    #expect(
      names(
        try young.or(named).sorted(by: "name").all()
      ) == "Li Lo bo")
    #expect(
      try young.and(named.not()).count()
        == 1)
    let page = try students.sorted(by: "name").page(number: 1, size: 20)
    print("\(page.number) of \(page.totalPages), \(page.totalItems) in all")
    for student in page.items { print(student.name) }
    #expect(page.totalPages == 1 && page.totalItems == 4)
  }

  @Test("says of values, sums and groups what they are")
  func values() throws {
    let ages: [Int] = try students.query.values(of: "age")
    for (name, age) in try students.query.values(of: "name", "age", as: String.self, Int.self) {
      print("\(name) is \(age)")
    }
    let present = try students.query.distinctValues(of: "age", as: Int.self)
    #expect(ages == [20, 6, 20, 5] && present == [5, 6, 20])
    let dynamic = try vault.store(named: "Student")
    for object in try dynamic.query.all(only: "name") { print(try object.value(of: "name")) }
    let oldest: Int? = try students.query.max(of: "age")
    let total: Int = try students.where("age >= 18").sum(of: "age")
    let mean = try students.query.average(of: "age")
    #expect(oldest == 20 && total == 40 && mean == 12.75)
    let rows = try students.where("age >= 6").grouped(by: "age")
      .aggregating(.count(as: "pupils"), .min(of: "name", as: "first"))
      .having("pupils > %@", 1).sorted(by: .descending("pupils"))
      .rows(as: Int.self, Int.self, String.self)
    #expect(rows.map { "\($0)" } == ["(20, 2, \"Al\")"])
  }

  @Test("says how objects come one after another")
  func streams() async throws {
    for try await student in students.where("age >= 18").objects { print(student.name) }
    try forEach()
  }

  private func forEach() throws {
    try students.query.forEach { print($0.name) }
  }

  @Test("says of updates what they change")
  func updates() throws {
    try students.where("age < 7").update(set: ["note": "too young", "seat": 0])
    try students.where("note != nil").update { student in
      student.increment("age")
      student.set("note", to: nil)
    }
    #expect(try students.all().map(\.age) == [20, 7, 20, 6])
    try students.where("age > 90").remove()
    #expect(try students.where("note != nil").count() == 0)
  }

  private struct Note: StoredObject, GeneratesObjectID, Sendable {
    var objectID: Int64?
    var user: String
    var title: String
    var isDone = false

    init(user: String, title: String) { (self.user, self.title) = (user, title) }

    static let classDescription = ClassDescription(
      "Note",
      properties: [
        PropertyDescription("user", String.self), PropertyDescription("title", String.self),
        PropertyDescription("isDone", Bool.self),
      ])

    init(row: Row) throws {
      (user, title) = (try row.value(at: 0), try row.value(at: 1))
      (isDone, objectID) = (try row.value(at: 2), try row.value(at: 3))
    }

    func encode(into binder: Binder) throws {
      try binder.bind(user, at: 0)
      try binder.bind(title, at: 1)
      try binder.bind(isDone, at: 2)
    }

    struct Properties: ObjectProperties {
      let origin: PropertyOrigin
      var user: Property<String> { origin.property("user") }
    }
  }

  @Test("says of partitions what they are limited to")
  func partitions() throws {
    let notes = try vault.store(of: Note.self)
    try notes.insert(Note(user: "bob", title: "tea"))
    let mine = try notes.partition(\.user, is: "ann")
    try mine.insert(Note(user: "ann", title: "tea"))
    let found = try mine.where("title == 'tea' || isDone").all()
    #expect(found.map(\.user) == ["ann"])
    try mine.removeAll()
    #expect(try notes.all().map(\.user) == ["bob"])
  }

  @Test("says how a query is explained and a slow one reported")
  func explaining() throws {
    print(try students.where("seat == 3").sorted(by: "name").explain())
    var configuration = VaultConfiguration()
    configuration.slowQueryThreshold = .seconds(0.5)
    configuration.logger = Logger(label: "school")
    _ = try test.another(configuration).store(of: Student.self).count()
  }
}
