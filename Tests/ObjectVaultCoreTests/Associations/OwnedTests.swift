import ObjectVaultCore
import ObjectVaultEngine
import ObjectVaultSession
import Synchronization
import Testing
import TestSupport

@Suite("Owned objects") struct OwnedTests {
  private let test: TestVault
  private let grades: ObjectStore<GradeLevel>
  private let classes: ObjectStore<SchoolClass>
  private let people: ObjectStore<Human>

  init() throws {
    test = try TestVault()
    grades = try test.vault.store(of: GradeLevel.self)
    classes = try test.vault.store(of: SchoolClass.self)
    people = try test.vault.store(of: Human.self)
  }

  /// A class with its teacher and pupils on seats from high to low.
  private func sample(_ title: String, pupils: Int) -> SchoolClass {
    SchoolClass(
      title, teacher: Human("teacher of \(title)"),
      pupils: (0..<pupils).map { Human("\(title) \($0)", seat: pupils - $0) })
  }

  @Test("belong to their own owner, where another's objectID is the same text in other bytes")
  func equivalentTexts() throws {
    let (composed, decomposed) = ("\u{E9}", "e\u{301}")
    #expect(composed == decomposed)
    try grades.insert(contentsOf: [
      GradeLevel(composed, classes: [sample("a", pupils: 1)]),
      GradeLevel(decomposed, classes: [sample("b", pupils: 1), sample("c", pupils: 1)]),
    ])
    func titles() throws -> [[String]?] {
      try grades.all().map { $0.classes?.map(\.title) }
    }
    #expect(try titles() == [["a"], ["b", "c"]])
    for grade in try grades.all() { try grades.save(grade) }
    try grades.update(contentsOf: grades.all())
    #expect(try titles() == [["a"], ["b", "c"]])
  }

  @Test("of a cursor belong to the same snapshot as their owners")
  func snapshotOfCursor() throws {
    let (isReading, isChanged) = (Meeting(), Meeting())
    let mustWait = Mutex(false)
    var configuration = VaultConfiguration()
    configuration.statementLog = StatementLog { text in
      guard text.hasPrefix("SELECT"), text.contains("SchoolClass") else { return }
      let isFirst = mustWait.withLock { mustWait in
        defer { mustWait = false }
        return mustWait
      }
      guard isFirst else { return }
      isReading.reach()
      try? isChanged.wait()
    }
    let folder = try TemporaryFolder()
    let vault = try Vault(
      at: folder.file("a.vault"), key: .ofTests, configuration: configuration)
    let grades = try vault.store(of: GradeLevel.self)
    let classes = try vault.store(of: SchoolClass.self)
    try grades.insert(GradeLevel("first", classes: [SchoolClass("1a")]))
    let cursor = try grades.query.cursor()
    mustWait.withLock { $0 = true }
    let change = OnThread { () throws -> Void in
      try isReading.wait()
      defer { isChanged.reach() }
      try classes.query.remove()
    }
    let grade = try cursor.next()
    // If no statement waited, the other thread must end nevertheless.
    isReading.reach()
    try change.result()
    #expect(grade?.classes?.map(\.title) == ["1a"])
    #expect(try cursor.next() == nil)
    #expect(try grades.all().map(\.classes) == [[]])
    vault.close()
  }

  @Test(
    "are stored and loaded with their owner, through three levels and in several roles",
    .covers("J49", "J50", "J52", "J54", "J55"))
  func roundTrip() throws {
    let grade = try grades.insert(
      GradeLevel("first", classes: [sample("1a", pupils: 50), sample("1b", pupils: 3)]))
    try grades.insert(GradeLevel("second", classes: []))
    let found = try #require(try grades.find("first"))
    #expect(found.classes?.map(\.title) == ["1a", "1b"])
    #expect(found.classes?[0].teacher?.name == "teacher of 1a")
    #expect(found.classes?[0].pupils?.map(\.seat) == Array(1...50))
    #expect(try people.count() == 55)
    // Equal in content; in the order of the seats, not of the list that was given.
    var sorted = grade
    for index in sorted.classes?.indices ?? 0..<0 {
      sorted.classes?[index].pupils?.sort { $0.seat < $1.seat }
    }
    #expect(found == sorted)
    #expect(try grades.all() == [sorted, GradeLevel("second", classes: [])])
    #expect(try grades.first() == sorted)
    var walked: [GradeLevel] = []
    try grades.forEach { walked.append($0) }
    #expect(walked == [sorted, GradeLevel("second", classes: [])])
    #expect(try grades.find(ids: ["second", "first"]) == walked.reversed())
  }

  #if os(Linux)
    @Test("keep no connection open after some were removed with a save")
    func connectionsAfterRemovals() throws {
      let id = try #require(try classes.insert(sample("1a", pupils: 3)).storedObjectID)
      for pupils in [2, 0] {
        var schoolClass = try #require(try classes.find(id))
        schoolClass.pupils = Array(schoolClass.pupils?.prefix(pupils) ?? [])
        try classes.save(schoolClass)
      }
      #expect(!FileScan.openFiles(below: test.folder.path).isEmpty)
      test.vault.close()
      let names = FileScan.openFiles(below: test.folder.path).map(\.name)
      #expect(names.filter { $0.hasPrefix(test.folder.path) } == [])
    }
  #endif

  @Test("without an order are in that of their objectIDs", .covers("J53"))
  func defaultOrder() throws {
    try grades.insert(GradeLevel("first", classes: ["c", "a", "b"].map { SchoolClass($0) }))
    #expect(try grades.find("first")?.classes?.map(\.title) == ["c", "a", "b"])
  }

  @Test("are made equal to those given, with the fewest writes", .covers("J56"))
  func saved() throws {
    var room = try classes.insert(sample("1a", pupils: 5))
    let ids = room.pupils?.map(\.objectID)
    room.pupils?[1].name = "changed"
    room.pupils?.remove(at: 3)
    room.pupils?.append(Human("new", seat: 9))
    let before = try people.all()
    let statements = try test.statements { room = try classes.save(room) }
    let found = try #require(try classes.find(1))
    #expect(Set(found.pupils ?? []) == Set(room.pupils ?? []))
    #expect(found.pupils?.count == 5)
    #expect(room.pupils?.prefix(3).map(\.objectID) == ids?.prefix(3).map { $0 })
    // What stays was neither deleted nor inserted again.
    let after = try people.all()
    #expect(Set(before).intersection(after).count == 4)
    #expect(statements.filter { $0.hasPrefix("INSERT OR ABORT INTO \"Human\"") }.count == 1)
    #expect(statements.filter { $0.hasPrefix("DELETE FROM \"Human\"") }.count == 1)
    let changes = try test.vault.file().withWriter { $0.changeCount }
    try classes.save(found)
    let now = try test.vault.file().withWriter { $0.changeCount }
    #expect(now - changes == 1, "the owner's row alone was written")
  }

  @Test("nil leaves the stored ones alone, and an empty list removes them", .covers("J57", "D6"))
  func nilAndEmpty() throws {
    var room = try classes.insert(sample("1a", pupils: 3))
    let other = try classes.insert(sample("1b", pupils: 2))
    room.pupils = nil
    room.teacher = nil
    room.title = "2a"
    try classes.save(room)
    #expect(try people.count() == 7)
    #expect(try classes.find(1)?.pupils?.count == 3)
    room.pupils = []
    try classes.update(room)
    #expect(try classes.find(1)?.pupils == [])
    #expect(try classes.find(1)?.teacher?.name == "teacher of 1a")
    #expect(try classes.find(2)?.pupils?.count == other.pupils?.count)
    #expect(try people.count() == 4)
  }

  @Test("keep their identity when they move to another owner, in whatever order both are saved")
  func moved() throws {
    for order in [[0, 1], [1, 0]] {
      try classes.removeAll()
      var rooms = [
        try classes.insert(sample("1a", pupils: 3)), try classes.insert(sample("1b", pupils: 1)),
      ]
      let pupil = try #require(rooms[0].pupils)[1]
      rooms[0].pupils?.remove(at: 1)
      rooms[1].pupils?.append(pupil)
      try classes.save(contentsOf: order.map { rooms[$0] })
      let id = try #require(pupil.objectID)
      let found = try #require(try people.find(id))
      #expect(found.attends?.id == rooms[1].objectID && found.name == pupil.name)
      #expect(try people.count() == 6)
    }
    // Saved alone, the new owner takes it; the old one, saved alone, would have removed it.
    var first = try classes.query.sorted(by: "title").all()[0]
    var second = try classes.query.sorted(by: "title").all()[1]
    let pupil = try #require(first.pupils)[0]
    first.pupils?.removeFirst()
    second.pupils?.append(pupil)
    try classes.save(second)
    try classes.save(first)
    let id = try #require(pupil.objectID)
    #expect(try people.find(id)?.attends?.id == second.objectID)
    #expect(try people.count() == 6)
  }

  @Test("a pupil can become the teacher without being removed in between", .covers("J54"))
  func roles() throws {
    var room = try classes.insert(sample("1a", pupils: 2))
    let former = room.teacher
    var pupil = try #require(room.pupils)[0]
    room.pupils?.removeFirst()
    pupil.attends = nil
    room.teacher = pupil
    try classes.save(room)
    let found = try #require(try classes.find(1))
    #expect(found.teacher?.objectID == pupil.objectID && found.pupils?.count == 1)
    let id = try #require(former?.objectID)
    #expect(try people.find(id) == nil)
  }

  @Test("can be in two properties of a new owner", .covers("J54"))
  func twoRoles() throws {
    let person = try people.insert(Human("Li"))
    try classes.insert(contentsOf: [SchoolClass("1a", teacher: person, pupils: [person])])
    let found = try #require(try classes.find(1))
    #expect(found.teacher?.objectID == person.objectID)
    #expect(found.pupils?.map(\.objectID) == [person.objectID])
    #expect(try people.count() == 1)
  }

  @Test("cannot be claimed by two owners, nor twice by one; nothing is stored then")
  func claimedTwice() throws {
    let room = try classes.insert(sample("1a", pupils: 1))
    var twice = room
    twice.pupils? += room.pupils ?? []
    #expect(code { try classes.save(twice) } == .ownership)
    var other = SchoolClass("1b", pupils: room.pupils)
    #expect(code { try classes.save(contentsOf: [room, other]) } == .ownership)
    #expect(try classes.count() == 1 && people.count() == 2)
    other = try classes.insert(other)
    #expect(try classes.find(1)?.pupils == [])
    #expect(try people.count() == 2)
  }

  @Test("more than one where there is room for one is an error of the file", .covers("J51"))
  func integrity() throws {
    try classes.insert(sample("1a", pupils: 0))
    var second = Human("second teacher")
    second.teaches = Ref(id: 1)
    try people.insert(second)
    #expect(code { _ = try classes.find(1) } == .ownership)
    #expect(code { _ = try classes.all() } == .ownership)
    #expect(try classes.withoutOwned().find(1)?.teacher == nil)
  }

  @Test("are left alone when the owner alone is to be written", .covers("J38"))
  func left() throws {
    let room = try classes.insert(sample("1a", pupils: 2), owned: .leave)
    #expect(try people.count() == 0)
    try classes.save(room)
    #expect(try people.count() == 3)
    try classes.save(SchoolClass("1b", pupils: []), owned: .leave)
    var stored = try #require(try classes.find(1))
    stored.pupils = []
    try classes.update(stored, owned: .leave)
    try classes.insert(contentsOf: [sample("1c", pupils: 4)], owned: .leave)
    #expect(try people.count() == 3)
  }

  @Test("take one query for each property and level, whatever the number of owners")
  func queries() throws {
    try test.vault.transaction {
      for number in 0..<40 {
        try grades.insert(
          GradeLevel(
            "\(number)",
            classes: [sample("a\(number)", pupils: 2), sample("b\(number)", pupils: 1)]))
      }
    }
    func selects(_ body: () throws -> Void) throws -> Int {
      try test.statements { try test.vault.transaction { try body() } }
        .filter { $0.hasPrefix("SELECT") && $0.contains("FROM \"") }.count
    }
    _ = try grades.all()
    #expect(try selects { _ = try grades.all() } == 4)
    #expect(try selects { _ = try grades.find("7") } == 4)
    #expect(try selects { try grades.forEach { _ in } } == 4)
    #expect(try selects { _ = try grades.query.withoutOwned().all() } == 1)
    #expect(try grades.query.withoutOwned().first()?.classes == nil)
    #expect(try grades.all().flatMap { $0.classes ?? [] }.flatMap { $0.pupils ?? [] }.count == 120)
  }

  @Test("go with their owner", .covers("J58", "J60"))
  func removed() throws {
    try grades.insert(GradeLevel("first", classes: [sample("1a", pupils: 3)]))
    try grades.insert(GradeLevel("second", classes: [sample("2a", pupils: 2)]))
    try people.insert(Human("nobody's"))
    try grades.remove(id: "first")
    #expect(try classes.count() == 1 && people.count() == 4)
    try grades.removeAll()
    #expect(try classes.count() == 0)
    #expect(try people.all().map(\.name) == ["nobody's"])
  }

  @Test("a failure anywhere below undoes all of it")
  func atomic() throws {
    try people.insert(Human("taken"))
    var bad = Human("bad")
    bad.objectID = 1
    bad.teaches = Ref(id: 99)
    let room = SchoolClass("1a", pupils: [Human("good"), bad])
    #expect(code { try grades.insert(GradeLevel("first", classes: [room])) } == .danglingReference)
    #expect(try grades.count() == 0 && classes.count() == 0)
    #expect(try people.all().map(\.name) == ["taken"])
  }

  @Test("an owner among the objects that it owns is refused when the store is made")
  func circle() throws {
    struct First: StoredObject, GeneratesObjectID {
      var objectID: Int64?
      static let classDescription = ClassDescription(
        "First", properties: [.init("second", type: .int64)],
        references: [.init("second", target: "Second")],
        owned: [.init("seconds", target: "Second", reference: "first")])
      static var ownedProperties: [OwnedProperty<First>] { [] }
      static var referencedClasses: [any StoredObject.Type] { [Second.self] }
      init(row: Row) throws {}
      func encode(into binder: Binder) throws {}
    }
    struct Second: StoredObject, GeneratesObjectID {
      var objectID: Int64?
      static let classDescription = ClassDescription(
        "Second", properties: [.init("first", type: .int64)],
        references: [.init("first", target: "First")],
        owned: [.init("firsts", target: "First", reference: "second")])
      static var referencedClasses: [any StoredObject.Type] { [First.self] }
      init(row: Row) throws {}
      func encode(into binder: Binder) throws {}
    }
    #expect(message { _ = try test.vault.store(of: First.self) }.contains("but the type has 0"))
    let descriptions = [First.classDescription, Second.classDescription]
    #expect(
      message { _ = try test.vault.store(of: descriptions[0], with: [descriptions[1]]) }
        .contains("its owned objects lead back to the class"))
  }

  @Test("Owners and owned objects whose IDs only Swift takes for equal are kept apart")
  func equivalentIDs() throws {
    let (composed, decomposed) = ("\u{e9}", "e\u{301}")
    try grades.insert(GradeLevel(composed, classes: [SchoolClass("1")]))
    try grades.insert(GradeLevel(decomposed, classes: [SchoolClass("2"), SchoolClass("3")]))
    func titles(_ grades: [GradeLevel]) -> [[UInt8]: [String]] {
      Dictionary(
        grades.map { (Array($0.name.utf8), ($0.classes ?? []).map(\.title)) },
        uniquingKeysWith: { $0 + $1 })
    }
    let expected = [Array(composed.utf8): ["1"], Array(decomposed.utf8): ["2", "3"]]
    #expect(try titles(grades.all()) == expected)
    #expect(try titles(grades.find(ids: [decomposed, composed])) == expected)
    try grades.save(contentsOf: grades.all())
    #expect(try titles(grades.all()) == expected)
  }

  @Test("A change of what belongs to one is no change of another whose ID only Swift takes for it")
  func observedEquivalentIDs() async throws {
    let (composed, decomposed) = ("\u{e9}", "e\u{301}")
    try await grades.insert(
      contentsOf: [composed, decomposed].map { GradeLevel($0, classes: [SchoolClass("1")]) })
    var changes = grades.observeChanges().makeAsyncIterator()
    let first = try #require(try await changes.next())
    let position = try #require(first.objects.firstIndex { $0.name.utf8.count == 2 })
    var room = try #require(first.objects[position].classes?.first)
    room.title = "2"
    try await test.vault.store(of: SchoolClass.self).update(room)
    #expect(try await changes.next()?.changed.map(\.position) == [position])
  }

  @Test("that are copies without an ID are only in the property that has them")
  func copiedRoles() throws {
    var room = try classes.insert(sample("1a", pupils: 1))
    for isPupil in [true, false] {
      var copy = try #require(isPupil ? room.teacher : room.pupils?.first)
      copy.objectID = nil
      if isPupil { room.pupils?.append(copy) } else { room.teacher = copy }
      room = try classes.save(room)
      let found = try #require(try classes.find(1))
      #expect(found.teacher == room.teacher)
      #expect(Set(found.pupils ?? []) == Set(room.pupils ?? []))
      #expect(try people.count() == 3)
    }
  }

  @Test("that are new instances are in all properties that have them, and in no other")
  func newInstances() throws {
    let teams = try test.vault.store(of: Team.self)
    let (both, leader, member) = (TeamMember("both"), TeamMember("leader"), TeamMember("member"))
    leader.team = Ref(id: "a")
    member.leads = Ref(id: "a")
    try teams.save(Team("a", leaders: [both, leader], members: [both, member]))
    let found = try #require(try teams.find("a"))
    #expect(found.leaders?.map(\.name) == ["both", "leader"])
    #expect(found.members?.map(\.name) == ["both", "member"])
    #expect(try test.vault.store(of: TeamMember.self).count() == 3)
  }

  @Test("whose object IDs are equal only in the file remain the same objects")
  func convertedIDs() throws {
    let meters = try test.vault.store(of: Meter.self)
    let readings = try test.vault.store(of: MeterReading.self)
    var meter = Meter("m", readings: [MeterReading(at: Moment(1_700_000_000 + 1.0 / 3), value: 1)])
    meter = try meters.save(meter)
    #expect(try readings.all().map(\.moment) != meter.readings?.map(\.moment))
    meter.readings?[0].value = 2
    meter = try meters.save(meter)
    #expect(try readings.all().map(\.value) == [2])
    try meters.save(meter)
    #expect(try readings.all().map(\.value) == [2])
  }

  @Test("can refer to others that the same save stores")
  func referringAhead() throws {
    let walls = try test.vault.store(of: Wall.self)
    var wall = try walls.insert(Wall("a", hooks: [Hook("first")]))
    wall.hooks?[0].next = Ref(id: "second")
    wall.hooks?.append(Hook("second"))
    wall = try walls.save(wall)
    #expect(try walls.find("a")?.hooks?.map(\.next) == [Ref(id: "second"), nil])
    wall.hooks?.removeLast()
    #expect(code { try walls.save(wall) } == .danglingReference)
  }

  @Test("that move inside an iteration of a transaction are with their new owner in it")
  func movedWhileIterating() throws {
    let rooms = try ["1a", "1b", "1c"].map { try classes.insert(sample($0, pupils: 1)) }
    try test.vault.transaction {
      try classes.query.sorted(by: "title").forEach { room in
        var room = room
        if room.title == "1a" {
          let first = room.pupils?.removeFirst()
          var pupil = try #require(first)
          pupil.attends = try Ref(rooms[1])
          try people.update(pupil)
          try classes.remove(rooms[2])
        }
        try classes.save(room)
      }
    }
    #expect(try classes.all().map(\.title) == ["1a", "1b"])
    #expect(try classes.find(1)?.pupils == [])
    #expect(try classes.find(2)?.pupils?.count == 2)
  }

  @Test("are read with as many owners as a stream reads at a time")
  func streamed() async throws {
    let reads = Mutex(0)
    var configuration = VaultConfiguration()
    configuration.statementLog = StatementLog { text in
      guard text.hasPrefix("SELECT"), text.contains("FROM \"SchoolClass\"") else { return }
      reads.withLock { $0 += 1 }
    }
    let folder = try TemporaryFolder()
    let vault = try Vault(at: folder.file("a.vault"), key: .ofTests, configuration: configuration)
    let grades = try await vault.store(of: GradeLevel.self)
    try await grades.insert(
      contentsOf: (1...5).map { GradeLevel("\($0)", classes: [SchoolClass("a")]) })
    reads.withLock { $0 = 0 }
    for try await grade in try grades.query.stream(batchSize: 2) {
      #expect(grade.classes?.count == 1)
    }
    #expect(reads.withLock { $0 } == 3)
    vault.close()
  }

  @Test("that are instances are as before if their save is rejected")
  func rejectedInstances() throws {
    let teams = try test.vault.store(of: Team.self)
    let (stored, new) = (TeamMember("stored"), TeamMember("new"))
    let team = try teams.insert(Team("a", leaders: [], members: [stored]))
    let other = Team("b", leaders: [], members: [stored])
    #expect(code { try teams.save(contentsOf: [team, other]) } == .ownership)
    #expect(stored.team?.id == "a" && stored.leads == nil)
    #expect(code { try teams.save(Team("a", leaders: [new, new], members: [])) } == .ownership)
    #expect(new.objectID == nil && new.leads == nil)
    #expect(try teams.find("a")?.members?.map(\.name) == ["stored"])
  }

  @Test("can be objects that a new owner refers to")
  func referredByOwner() throws {
    let crews = try test.vault.store(of: Crew.self)
    let (first, second) = (Crew("a", leader: "x", ["x", "y"]), Crew("b", leader: "z", ["z"]))
    try crews.insert(first)
    try crews.save(second)
    #expect(try crews.all().map(\.leader) == [Ref(id: "x"), Ref(id: "z")])
    #expect(code { try crews.insert(Crew("c", leader: "v", ["w"])) } == .danglingReference)
    #expect(try crews.count() == 2)
  }
}
