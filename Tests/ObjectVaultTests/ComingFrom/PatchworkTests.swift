import Foundation
import ObjectVault
import ObjectVaultRecords
import TestSupport
import Testing

/// The Swift of the page, line by line as it stands there.
@Suite("The page for those who come from Patchwork") struct ComingFromPatchworkTests {
  @Stored(table: "students", indexes: [["province", "age"]], columnOrder: .keysFirst)
  struct Student: Record {
    @ObjectID var sid: Int?
    @Indexed(unique: true) var name: String
    var age: Int?
    var province: String?
    var birthday: Date?
    var icon: ImageData?
  }

  private let folder: TemporaryFolder
  private let limit = Date(timeIntervalSince1970: 0)

  init() throws { folder = try TemporaryFolder() }

  @Test("says what runs")
  func runs() throws {
    try Vaults.$current.withValue(Vaults()) {
      let vault = try Vaults.current.register(
        at: folder.file("a.vault"), key: .raw(1...32), classes: [Student.self])
      try Vaults.current.start()
      try records()
      try clauses(vault)
    }
  }

  private func records() throws {
    var old = Student(name: "Old", province: "GX", birthday: Date(timeIntervalSince1970: -1))
    try old.save()
    var alex = Student(name: "Alex", age: 19, province: "GD")
    try alex.save()
    alex.age = 20
    try alex.update(only: \.age, \.province)
    let some = try Student.where { $0.name.hasPrefix("Al") && $0.age >= 10 && $0.age < 21 }
      .sorted(by: \.age.descending).range(offset: 0, length: 5).all()
    try Student.where { $0.birthday < limit }.update(set: ["age": 20, "province": nil])
    try alex.remove()
    #expect(some.map(\.age) == [20])
    try old.reload()
    #expect(old.age == 20 && old.province == nil)
    #expect(try Student.count() == 1)
  }

  private func clauses(_ vault: Vault) throws {
    let s = ClassTable(Student.self, as: "s")
    let counts = Select(s.province, SQLExpression.count.as("n")).from(s)
      .where((s.age >= 18 || s.age == nil) && s.name.substring(from: 1, length: 1) != "x")
      .grouped(by: s.province).ordered(by: .descending("n")).limit(5)
    print(counts.statement.sql, counts.statement.values.count)
    for row in try vault.rows(counts) { print(try row.value("n", as: Int.self)) }
    #expect(try vault.rows(counts).map { try $0.value("n", as: Int.self) } == [1])
    try vault.execute(
      Insert(into: "students").columns("name", "age").values("Li", 20).values("Bo", 6))
    try vault.execute(Update("students").set("age", to: 21).where { $0.name == "Li" })
    #expect(try Student.where { $0.name == "Li" }.first()?.age == 21)
    #expect(try Student.count() == 3)
  }

  @Test("holds no line that is not here")
  func whole() throws {
    #expect(try GuideSnippets.missing("Guides/ComingFromPatchwork.md", in: #filePath) == [])
    #expect(try GuideSnippets.lines(of: "Guides/ComingFromPatchwork.md").count > 20)
  }
}
