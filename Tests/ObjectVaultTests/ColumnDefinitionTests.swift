import Foundation
import ObjectVault
import TestSupport
import Testing

private enum StorableKinds: StorableTypes {
  static var types: [String: Any.Type] { ["person": Person.self] }
}

@Stored(
  columnOrder: .listed(["town"]), withoutRowID: true, insertionTime: true, history: .changes)
private struct Person: Equatable {
  @ObjectID @Column(length: .atMost(6)) var name: String
  @Column(type: "DATETIME") var born: Date?
  @Column(constraints: "CHECK (\"age\" >= 0)") var age: Int = 0
  var town: String
  var color: RGBAColor = RGBAColor(red: 1, green: 2, blue: 3)
  var portrait: ImageData?
  var kind: StoredType<StorableKinds>?
}

@Suite("What @Stored and @Column say of a table")
struct ColumnDefinitionTests {
  @Test(
    "is in the file, and what breaks it is refused",
    .covers("J8", "J9", "P59", "P60", "P66", "J43", "X12", "A33", "A36"))
  func definitions() throws {
    let folder = try TemporaryFolder()
    let vault = try Vault(at: folder.file("a.vault"), key: .raw(1...32))
    let people = try vault.store(of: Person.self)
    let li = Person(
      name: "Li", born: Date(timeIntervalSince1970: 3), age: 7, town: "Bern",
      color: RGBAColor(red: 9, green: 8, blue: 7, alpha: 6), portrait: ImageData(Data([1])),
      kind: try StoredType(Person.self))
    try people.insert(contentsOf: [Person(name: "Zoë", town: ""), li])
    #expect(try people.all() == [li, Person(name: "Zoë", town: "")])
    #expect(
      try people.where { $0.born == Date(timeIntervalSince1970: 3) && $0.age > 6 }.all() == [li])
    for wrong in [Person(name: "Bartholomew", town: ""), Person(name: "Ed", age: -1, town: "")] {
      let error = #expect(throws: VaultError.self) { try people.insert(wrong) }
      #expect(error?.code == .constraint)
    }
    let columns = try vault.row("SELECT * FROM Person").map(\.columnNames)
    #expect(
      columns == ["town", "name", "born", "age", "color", "portrait", "kind", "ov_inserted"])
    let options = try vault.classes().map(\.options)
    #expect(
      options == [
        TableOptions(
          columnOrder: .listed(["town"]), withoutRowID: true, insertionTime: true,
          history: .changes)
      ])
    #expect(try people.removeAll(insertedBefore: .distantFuture) == 2)
  }
}
