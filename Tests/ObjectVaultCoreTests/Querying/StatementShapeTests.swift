import ObjectVaultCondition
import ObjectVaultCore
import ObjectVaultEngine
import ObjectVaultSession
import Testing
import TestSupport

import ObjectVaultStores

@Suite("Shapes of queries") struct StatementShapeTests {
  @Test("a query of the same shape with other values runs the statement that was made before")
  func sameShape() throws {
    let test = try TestVault()
    let people = try test.vault.store(of: Person.self)
    try people.insert(contentsOf: (1...9).map { Person(name: "n\($0)", age: $0) })
    func ask(_ number: Int, _ name: String) throws -> [Int] {
      let query = people.where("age > %@ && name != %@", number, name)
        .sorted(by: .descending("name", .caseInsensitive)).range(offset: number, length: 3)
      return [
        try query.all().count, try query.first()?.age ?? 0, try query.count(),
        try query.exists() ? 1 : 0, try query.sum(of: "age", as: Int.self),
        try query.values(of: "age", as: Int.self).count,
        try people.where("age == %@", number).distinctValues(of: "name", as: String.self).count,
        try people.query.grouped(by: "age").aggregating(.count(as: "n")).having("age > %@", number)
          .count(), try people.query.page(number: number, size: 2).items.count,
      ]
    }
    let file = try test.vault.file()
    try file.readScope {
      let connection = try #require(file.sessions.currentScope?.session)
      #expect(try ask(1, "n3") == [3, 8, 3, 1, 21, 3, 1, 8, 2])
      let made = connection.engine.cachedStatementCount
      #expect(try ask(2, "x") == [3, 7, 3, 1, 18, 3, 1, 7, 2])
      #expect(try ask(3, "n1").count == 9)
      #expect(connection.engine.cachedStatementCount == made)
    }
  }

  @Test("an update of the same properties is one statement, in whatever order they are named")
  func updates() throws {
    let test = try TestVault()
    let people = try test.vault.store(of: Person.self)
    try people.insert(contentsOf: (1...9).map { Person(name: "n\($0)", age: $0) })
    let connection = try people.write { $0 }
    try people.where("age > 3").update(set: ["note": "a", "name": "b"])
    let made = connection.engine.cachedStatementCount
    for number in 4...8 {
      try people.where("age > %@", number).update { person in
        if number.isMultiple(of: 2) { person.set("name", to: "x") }
        person.set("note", to: nil)
        person.set("name", to: "\(number)")
      }
    }
    #expect(connection.engine.cachedStatementCount == made)
    #expect(try people.query.values(of: "name", as: String.self).suffix(2) == ["7", "8"])
  }
}
