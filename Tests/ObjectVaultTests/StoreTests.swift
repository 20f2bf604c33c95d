import Foundation
import ObjectVault
import TestSupport
import Testing

@Suite("A vault keeps objects of types made by @Stored")
struct StoreTests {
  let folder: TemporaryFolder
  let vault: Vault

  init() throws {
    folder = try TemporaryFolder()
    vault = try Vault(
      at: folder.file("test.vault"), key: .raw([UInt8](repeating: 7, count: 32)))
  }

  @Test("inserting into a struct returns it with its number", .covers("S4"))
  func generated() throws {
    let pupils = try vault.store(of: Pupil.self)
    let first = try pupils.insert(Pupil(given: "Li", family: "Wu", age: 7))
    let second = try pupils.insert(Pupil(given: "Bo", family: "Wu", age: 8, number: "1"))
    #expect(first.objectID == 1 && second.objectID == 2)
    #expect(try pupils.find(2) == second)
    #expect(try pupils.all() == [first, second])
  }

  @Test("inserting an object of a class sets its number in place", .covers("S4"))
  func finalClass() throws {
    let notes = try vault.store(of: Note.self)
    let note = Note()
    note.text = "kept"
    try notes.insert(note)
    #expect(note.objectID == 1)
    #expect(try notes.find(1)?.text == "kept")
  }

  @Test("a bound objectID finds its object, and a second one is refused", .covers("S3"))
  func bound() throws {
    let countries = try vault.store(of: Country.self)
    try countries.insert(Country(code: "CH", name: "Schweiz"))
    #expect(try countries.find("CH")?.name == "Schweiz")
    #expect(throws: VaultError.self) {
      try countries.insert(Country(code: "CH", name: "Suisse"))
    }
    #expect(try countries.all() == [Country(code: "CH", name: "Schweiz")])
  }

  @Test("an optional bound objectID is generated where it is nil")
  func optional() throws {
    let tickets = try vault.store(of: Ticket.self)
    let given = try tickets.insert(Ticket(number: 41, title: "given"))
    let generated = try tickets.insert(Ticket(number: nil, title: "generated"))
    #expect(given.number == 41 && generated.number == 42)
    #expect(try tickets.find(42)?.title == "generated")
    let visits = try vault.store(of: Visit.self)
    let visit = Visit(place: "Bern")
    try visits.insert(visit)
    #expect(visit.id == 1)
  }

  @Test("a composite objectID finds its object", .covers("X39"))
  func composite() throws {
    let subdivisions = try vault.store(of: Subdivision.self)
    let bern = Subdivision(name: "Bern", country: "CH", code: 2)
    try subdivisions.insert(contentsOf: [bern, Subdivision(name: "Uri", country: "CH", code: 4)])
    #expect(try subdivisions.find(.init(country: "CH", code: 2)) == bern)
    #expect(try subdivisions.find(.init(country: "CH", code: 3)) == nil)
  }

  @Test("every kind of property comes back equal from the file")
  func everyKind() throws {
    let all = try vault.store(of: Kinds.self)
    let inserted = try all.insert(RoundTripTests.kinds)
    #expect(try all.find(1) == inserted)
    let optional = try vault.store(of: OptionalKinds.self)
    let empty = try optional.insert(OptionalKinds())
    #expect(try optional.find(1) == empty)
  }

  @Test("names that are keywords, nested, generic and empty types are tables like any other")
  func shapes() throws {
    let objects = try vault.store(of: `class`.self)
    let object = `class`(default: 1, self: "s", in: 2, row: "r", binder: true)
    try objects.insert(object)
    #expect(try objects.find(.init(in: 2, row: "r")) == object)

    let lesson = School.Lesson(id: UUID(), period: .init(hour: 8), next: nil, kind: .talk)
    let lessons = try vault.store(of: School.Lesson.self)
    try lessons.insert(lesson)
    #expect(try lessons.find(lesson.id) == lesson)

    let box = try vault.store(of: Box<String>.self).insert(Box(content: "in it"))
    #expect(try vault.store(of: Box<String>.self).all() == [box])
    #expect(try vault.store(of: Empty.self).insert(Empty()).objectID == 1)
  }

  @Test("a class that inherits from another is refused by name", .covers("S6", "D8"))
  func inheritance() throws {
    #expect {
      try vault.store(of: Heir.self)
    } throws: {
      "\($0)".contains("Heir") && "\($0)".contains("Ancestor")
    }
  }
}

class Ancestor {
  var lost = 1
}

@Stored
final class Heir: Ancestor {
  var kept: Int
  init(kept: Int) { self.kept = kept }
}
