import ObjectVaultCondition
import ObjectVaultCore
import ObjectVaultSession
import Testing
import TestSupport

import ObjectVaultStores

@Suite("Explaining queries", .covers("J34")) struct ExplainTests {
  private let test: TestVault
  private let pupils: ObjectStore<DynamicObject>
  private static let pupil = ClassDescription(
    "Pupil of \"B\" USING INDEX",
    properties: [
      PropertyDescription("name", String.self), PropertyDescription("age", Int.self),
      PropertyDescription("note", String?.self), PropertyDescription("fee", type: .decimal),
      PropertyDescription("room", String.self),
    ], indexes: [IndexDescription(["age"]), IndexDescription(["name", "age"])])
  private static let name = "Pupil of \"B\" USING INDEX"

  init() throws {
    test = try TestVault()
    pupils = try test.vault.store(of: Self.pupil)
    try pupils.insert(
      contentsOf: (1...12).map { number in
        var pupil = try DynamicObject(of: Self.pupil)
        try pupil.set("name", to: .text("n\(number % 4)"))
        try pupil.set("age", to: .integer(Int64(number)))
        try pupil.set("fee", to: .text("1"))
        try pupil.set("room", to: .text("r"))
        return pupil
      })
  }

  private func plan(_ query: Query<DynamicObject>) throws -> [String] {
    try query.explain().plan.map(\.description)
  }

  @Test("the plan is said alike by every engine")
  func plans() throws {
    let name = Self.name
    #expect(try plan(pupils.query) == ["scan \(name)"])
    #expect(try plan(pupils.where("room == 'x'")) == ["scan \(name)"])
    #expect(try plan(pupils.where("objectID == 5")) == ["search \(name) by objectID (rowid=?)"])
    #expect(
      try plan(pupils.where("name == 'n1' && age > 3"))
        == ["search \(name) by index ov_\(name)__name_age (name=? AND age>?)", "sort in memory"])
    #expect(
      try plan(pupils.where("age == 3")) == ["search \(name) by index ov_\(name)__age (age=?)"])
    #expect(try plan(pupils.sorted(by: "room")) == ["scan \(name)", "sort in memory"])
    let either = try plan(pupils.where("age == 3 || name == 'n2'"))
    #expect(
      either.prefix(2) == [
        "search \(name) by index ov_\(name)__age (age=?)",
        "search \(name) by index ov_\(name)__name_age (name=?)",
      ])
    let items = try test.vault.store(of: Item.self)
    #expect(
      try items.where("code == 'x'").explain().plan.map(\.description)
        == ["search Item by objectID (code=?)"])
  }

  @Test(
    "the words of each engine are read",
    arguments: [
      (
        "SEARCH TABLE Pupil AS p USING INDEX a b (age>? AND age<?)",
        "search Pupil by index a b (age>? AND age<?)"
      ),
      ("SEARCH p USING INDEX a b (age>? AND age<?)", "search Pupil by index a b (age>? AND age<?)"),
      ("SCAN TABLE Pupil USING COVERING INDEX a", "scan Pupil by index a, without the table"),
      ("SCAN Pupil USING COVERING INDEX a", "scan Pupil by index a, without the table"),
      (
        "SEARCH TABLE Pupil USING INTEGER PRIMARY KEY (rowid=?)",
        "search Pupil by objectID (rowid=?)"
      ),
      ("SEARCH Pupil USING PRIMARY KEY (a=? AND b=?)", "search Pupil by objectID (a=? AND b=?)"),
      (
        "SEARCH TABLE Pupil USING AUTOMATIC COVERING INDEX (age=?)",
        "search Pupil by an index made for this query (age=?), without the table"
      ),
      ("SCAN TABLE Pupil Two", "scan Pupil Two"), ("SCAN Pupil Two", "scan Pupil Two"),
      ("USE TEMP B-TREE FOR RIGHT PART OF ORDER BY", "sort in memory"),
      ("USE TEMP B-TREE FOR LAST TERM OF ORDER BY", "sort in memory"),
      ("USE TEMP B-TREE FOR DISTINCT", "keep rows in memory"),
      ("EXECUTE CORRELATED SCALAR SUBQUERY 1", nil), ("MULTI-INDEX OR", nil), ("INDEX 1", nil),
      ("SCAN SUBQUERY 1", nil), ("LIST SUBQUERY 2", nil),
    ] as [(String, String?)])
  func words(detail: String, expected: String?) {
    let step = PlanStep(detail, tables: ["Pupil": "Pupil", "p": "Pupil", "Pupil Two": "Pupil Two"])
    #expect(step?.description == expected)
  }

  @Test(
    "LIKE with the wildcards of NSPredicate alone is warned of",
    arguments: [("n*", true), ("n?", true), ("n*%", false), ("n_?", false), ("n", false)])
  func foreignWildcards(pattern: String, isWarned: Bool) throws {
    let explanation = try pupils.where("age > 1 || !(name LIKE %@)", pattern).explain()
    let warning =
      "'name' LIKE: * and ? are ordinary characters. Write % for any text and _ for one character."
    #expect(explanation.warnings == (isWarned ? [warning] : []))
    #expect(explanation.description.contains(warning) == isWarned)
    #expect(try pupils.where("name CONTAINS %@", pattern).explain().warnings.isEmpty)
  }

  @Test("statement, values and condition say the shape, and never a value")
  func shapes() throws {
    let marker = "Xyzzy"
    let explanation = try pupils.where(
      "name BEGINSWITH[c] %@ && (age IN {1, 2, 3} || !(note LIKE %@)) && note != nil", marker,
      marker
    ).where("age >= 77 && fee < 12.75").range(length: 77).explain()
    #expect(
      explanation.condition == """
        all of
          name BEGINSWITH[c] ? (TEXT)
          one of
            age IN {3 values}
            not
              note LIKE ? (TEXT)
          not
            note == nil
          age >= ? (INTEGER)
          fee < ? (TEXT)
        """)
    #expect(
      explanation.bindings
        == [.text, .integer, .integer, .integer, .text, .integer, .text, .integer, .integer])
    #expect(explanation.sql.filter { $0 == "?" }.count == explanation.bindings.count)
    let all = "\(explanation)" + String(reflecting: explanation)
    #expect(!all.contains(marker) && !all.contains("77") && !all.contains("12.75"))
    #expect(try pupils.query.explain().condition.isEmpty)
  }

  @Test("what a search binds is told with the rest, and that there is one")
  func searches() throws {
    let pages = try test.vault.store(of: SeaPage.self)
    let explanation = try pages.where("number > %@", 1).search("old sea").search("wives")
      .range(length: 3).explain()
    #expect(explanation.sql.filter { $0 == "?" }.count == explanation.bindings.count)
    #expect(explanation.bindings == [.integer, .text, .text, .integer, .integer])
    #expect(
      explanation.condition
        == "all of\n  number > ? (INTEGER)\n  search for words\n  search for words")
    #expect(try pages.search("sea").explain().condition == "search for words")
  }

  @Test("a range among other conditions is advised an index for")
  func nestedRanges() throws {
    let query = pupils.where("room == 'a' && age BETWEEN {1, 3}")
    #expect(try query.explain().suggestions.map(\.index) == [IndexDescription(["room", "age"])])
  }

  @Test("the rows read are estimated as far as the file tells")
  func estimates() throws {
    #expect(try pupils.query.explain().estimatedRows == 12)
    #expect(try pupils.where("room == 'r'").explain().estimatedRows == 12)
    #expect(try pupils.where("objectID == 5").explain().estimatedRows == 1)
    let byName = pupils.where("name == 'n1'")
    #expect(try byName.explain().estimatedRows == nil)
    #expect("\(try byName.explain())".contains("unknown"))
    try pupils.insert(
      contentsOf: (0..<400).map { number in
        var pupil = try DynamicObject(of: Self.pupil)
        try pupil.set("name", to: .text("x\(number % 40)"))
        try pupil.set("age", to: .integer(Int64(number)))
        try pupil.set("fee", to: .text("1"))
        try pupil.set("room", to: .text("r"))
        return pupil
      })
    try test.vault.file().withWriter { try $0.execute("ANALYZE") }
    // 412 objects with 44 names.
    #expect(try byName.explain().estimatedRows == 10)
  }

  @Test(
    "the index that would help is one the class can declare, and does help",
    arguments: [
      ("room == 'x'", [], ["room"], "@Indexed var room: String"),
      ("note == nil && age != 3", [], ["note"], "@Indexed var note: String?"),
      ("room == 'x' && age > 3", [], ["room", "age"], "@Stored(indexes: [[\"room\", \"age\"]])"),
      ("age != 3", ["room"], ["room"], "@Indexed var room: String"),
      ("room == 'x'", ["age"], ["room", "age"], "@Stored(indexes: [[\"room\", \"age\"]])"),
      ("note BEGINSWITH 'a'", [], ["note"], "@Indexed var note: String?"),
    ] as [(String, [String], [String], String)])
  func suggestions(condition: String, order: [String], index: [String], declaration: String) throws
  {
    func query(_ store: ObjectStore<DynamicObject>) throws -> Query<DynamicObject> {
      store.where(condition).sorted(by: order, ascending: true)
    }
    let suggestion = try #require(try query(pupils).explain().suggestions.first)
    #expect(suggestion.index.properties == index && suggestion.declaration == declaration)
    var better = Self.pupil
    better.indexes.append(suggestion.index)
    let explanation = try query(try test.vault.store(of: better)).explain()
    #expect(explanation.suggestions.isEmpty)
    let named = "ov_\(Self.name)__\(index.joined(separator: "_"))"
    #expect(explanation.plan.contains { $0.access == .index(named) }, "\(explanation)")
  }

  @Test("each branch of an OR needs an index, or none helps")
  func branches() throws {
    #expect(
      try pupils.where("room == 'x' || note == 'y'").explain().suggestions.map(\.index.properties)
        == [["room"], ["note"]])
    #expect(try pupils.where("room == 'x' || note CONTAINS 'y'").explain().suggestions.isEmpty)
    // The table itself finds objects by their generated object ID.
    let byID = try pupils.where("objectID == 7 || note == 'y'").explain()
    #expect(byID.suggestions.map(\.index.properties) == [["note"]])
    #expect(try pupils.where("objectID == 7 || objectID > 9").explain().suggestions.isEmpty)
  }

  @Test(
    "where no index helps, none is suggested",
    arguments: [
      "room > 'x'", "room CONTAINS 'x'", "fee > 1", "room ==[c] 'x'", "age == 3", "objectID == 2",
    ])
  func noSuggestion(condition: String) throws {
    #expect(try pupils.where(condition).explain().suggestions.isEmpty)
  }

  @Test("a query is explained without blocking the caller")
  func asynchronous() async throws {
    #expect(try await onOwnThread { try pupils.where("age == 3").explain().isCostly } == false)
    #expect(try await onOwnThread { try pupils.query.explain().isCostly })
  }
}
