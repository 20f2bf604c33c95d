import Foundation
import ObjectVault
import ObjectVaultRecords
import TestSupport
import Testing

/// The Swift of the page, line by line as it stands there.
@Suite("The page for those who come from AYRecord") struct ComingFromAYRecordTests {
  @Stored(table: "student")
  struct Student: Record {
    static var vaultName: String? { "main" }
    var name: String
    var age: Int = 10
    var born: Date?
    @Reference(onDelete: .nullify) var teacher: Ref<Teacher>?

    static let version = 2

    static func migrate(_ context: MigrationContext, from old: Int, to new: Int) throws {
      if old == 0 {
        try context.execute("INSERT INTO student (name, age) VALUES (?, ?)", "Li", 24)
      }
    }
  }

  @Stored
  struct Teacher: Record {
    static var vaultName: String? { "main" }
    var name: String
    @Owned(by: \Student.teacher, sortedBy: \Student.name) var students: [Student]?
  }

  private let folder: TemporaryFolder
  private let key = VaultKey.raw(1...32)
  private let ofBackup = VaultKey.raw(2...33)
  private let date = Date(timeIntervalSince1970: 1_020_873_600)

  init() throws { folder = try TemporaryFolder() }

  private func path(_ name: String) -> String { folder.file(name) }

  @Test("says what runs")
  func runs() throws {
    try Vaults.$current.withValue(Vaults()) {
      let vaults = Vaults.current
      let classes: [any Record.Type] = [Student.self, Teacher.self]
      try vaults.register(at: path("main.vault"), key: key, classes: classes)
      try vaults.register("backup", at: path("backup.vault"), key: ofBackup, classes: classes)
      try vaults.start()
      #expect(try Student.all().map(\.name) == ["Li"], "what the migration from 0 put in")
      try objects()
      try statements(vaults)
    }
  }

  private func objects() throws {
    var bo = Student(name: "Bo", age: 14, born: date)
    try bo.insert()
    try bo.updateChanges { $0.name = "Bo Li" }
    try bo.save(in: "backup")
    let young = try Student.where("born >= %@ && age < %@", date, 15).all()
    let page = try Student.where("name BEGINSWITH %@", "Bo").page(number: 1, size: 10)
    if let first = try Student.find(1) { try first.remove() }
    #expect(young.map(\.name) == ["Bo Li"])
    #expect(page.items.count == 1 && page.totalPages == 1)
    #expect(try Student.count() == 1)
    #expect(try Student.find(2, in: "backup")?.name == "Bo Li")
  }

  private func statements(_ vaults: Vaults) throws {
    let new: [SQLStatement] = ["Ada", "Zoë"].map {
      "INSERT INTO \(Student.self) (name, age) VALUES (\($0), \(9))"
    }
    try vaults.vault().execute(new)
    let pairs = try Student.store().objectsWithRows(
      "SELECT s.*, t.name AS t_name FROM \(Student.self) s LEFT JOIN \(Teacher.self) t ON t.objectID = s.teacher"
    )
    for (student, row) in pairs {
      print(student.name, try row.value("t_name", as: String?.self) ?? "")
    }
    #expect(pairs.map(\.object.name) == ["Bo Li", "Ada", "Zoë"])
  }

  @Test("holds no line that is not here")
  func whole() throws {
    #expect(try GuideSnippets.missing("Guides/ComingFromAYRecord.md", in: #filePath) == [])
    #expect(try GuideSnippets.lines(of: "Guides/ComingFromAYRecord.md").count > 30)
  }
}
