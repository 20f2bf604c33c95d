import Foundation
import ObjectVault
import TestSupport
import Testing

/// The Swift of the pages for those who know other systems, line by line as it stands there.
@Suite("The pages for those who come from") struct ComingFromTests {
  @Suite("Realm") struct RealmTests {
    @Stored
    struct Dog {
      @ObjectID var tag: String
      @Indexed var name: String
      var age: Int = 0
      @Reference(onDelete: .cascade) var owner: Ref<Person>?
    }

    @Stored
    struct Person {
      @ObjectID var email: String
      @Owned(by: \Dog.owner, sortedBy: \Dog.name) var dogs: [Dog]?
    }

    @Test("say what runs")
    func runs() async throws {
      let folder = try TemporaryFolder()
      let vault = try Vault(at: folder.file("v"), key: .raw(1...32))
      let people = try await vault.store(of: Person.self)
      let dogs = try await vault.store(of: Dog.self)
      try Self.write(vault, people, dogs)
      #expect(try Self.asked(people, dogs) == [1, 0])
      var names: [String] = []
      for try await change in dogs.sorted(by: \.name).observeChanges() {
        change.apply(to: &names) { $0.name }
        break
      }
      #expect(names == ["Rex"])
    }

    private static func write(
      _ vault: Vault, _ people: ObjectStore<Person>, _ dogs: ObjectStore<Dog>
    ) throws {
      try people.insert(
        Person(email: "li@example.org", dogs: [Dog(tag: "a1", name: "Rex", age: 3)]))
      try vault.transaction {
        var rex = try dogs.where { $0.name == "Rex" }.first()
        rex?.age += 1
        if let rex { try dogs.update(rex) }
      }
      try dogs.where { $0.age > 14 }.remove()
      #expect(try dogs.find("a1")?.age == 4)
    }

    private static func asked(
      _ people: ObjectStore<Person>, _ dogs: ObjectStore<Dog>
    ) throws -> [Int] {
      let old = try dogs.where { $0.age >= 3 && $0.owner.email.hasSuffix("example.org") }.all()
      let owners = try people.where { $0.dogs.any { $0.age < 1 } }.count()
      return [old.count, owners]
    }

    @Test("hold no line that is not here")
    func whole() throws {
      #expect(try GuideSnippets.missing("Guides/ComingFromRealm.md", in: #filePath) == [])
      #expect(try GuideSnippets.lines(of: "Guides/ComingFromRealm.md").count > 20)
    }
  }

  @Suite("GRDB") struct GRDBTests {
    @Stored
    struct Player {
      var name: String
      @Indexed var score: Int
      @Reference(onDelete: .nullify) var team: Ref<Team>?
    }

    @Stored
    struct Team {
      @ObjectID var name: String
      @Owned(by: \Player.team, sortedBy: \Player.name) var players: [Player]?
    }

    @Test("say what runs")
    func runs() throws {
      let folder = try TemporaryFolder()
      let vault = try Vault(at: folder.file("v"), key: .raw(1...32))
      let teams = try vault.store(of: Team.self)
      let players = try vault.store(of: Player.self)
      try players.insert(Player(name: "Low", score: 3))
      let arthur = try players.insert(Player(name: "Arthur", score: 100))
      let best = try players.where { $0.score >= 100 }.sorted(by: \.score.descending).range(
        length: 10
      ).all()
      try players.where { $0.score < 10 }.update { $0.set("score", to: 10) }
      let total: Int = try players.query.sum(of: "score")
      let mixed = try players.where { $0.team.name.hasPrefix("Red") }.count()
      #expect(best.map(\.name) == ["Arthur"])
      #expect(total == 110)
      #expect(mixed == 0)
      if let id = arthur.objectID { try players.remove(id: id) }
      #expect(try players.count() == 1)
      try vault.transaction {
        try teams.save(Team(name: "Reds", players: [Player(name: "Barbara", score: 1000)]))
        try players.where { $0.team == nil }.remove()
      }
      #expect(try players.all().map(\.name) == ["Barbara"])
    }

    @Test("hold no line that is not here")
    func whole() throws {
      #expect(try GuideSnippets.missing("Guides/ComingFromGRDB.md", in: #filePath) == [])
      #expect(try GuideSnippets.lines(of: "Guides/ComingFromGRDB.md").count > 20)
    }
  }

  @Suite("Core Data") struct CoreDataTests {
    @Stored
    struct Department {
      @ObjectID var code: String
      @Owned(by: \Employee.department, sortedBy: \Employee.name) var employees: [Employee]?
    }

    @Stored
    struct Employee {
      var name: String
      var salary: Decimal
      var hired: Date
      @Reference(onDelete: .deny) var department: Ref<Department>?
    }

    @Test("say what runs")
    func runs() throws {
      let folder = try TemporaryFolder()
      let vault = try Vault(at: folder.file("v"), key: .raw(1...32))
      let departments = try vault.store(of: Department.self)
      let employees = try vault.store(of: Employee.self)
      let start = Date(timeIntervalSince1970: 1_000_000)
      let limit = Decimal(90)
      try departments.insert(
        Department(
          code: "R",
          employees: [
            Employee(name: "Lía", salary: 100, hired: start.addingTimeInterval(5)),
            Employee(name: "Bo", salary: 80, hired: start.addingTimeInterval(-5)),
          ]))
      let wanted =
        employees
        .where("name BEGINSWITH[cd] %@ AND hired >= %@", "li", start)
        .sorted(by: .descending("hired"), "name")
        .range(length: 50)
      let few = try wanted.values(of: "name", "salary", as: String.self, Decimal.self)
      let rich = try departments.where("ANY employees.salary > %@", limit).all()
      let many = try employees.where(#Predicate { $0.hired >= start }).count()
      #expect(few.map(\.0) == ["Lía"])
      #expect(few.map(\.1) == [100])
      #expect(rich.map(\.code) == ["R"])
      #expect(many == 1)
    }

    @Test("hold no line that is not here")
    func whole() throws {
      #expect(try GuideSnippets.missing("Guides/ComingFromCoreData.md", in: #filePath) == [])
      #expect(try GuideSnippets.lines(of: "Guides/ComingFromCoreData.md").count > 15)
    }
  }
}
