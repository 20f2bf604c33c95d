import Foundation
import ObjectVaultCore
import TestSupport
import Testing

@Suite("The current date in a condition", .covers("S72")) struct CurrentDateTests {
  private let students: ObjectStore<School.Student>
  private let school: School.Filled

  init() throws {
    school = try School.Filled()
    students = school.students
  }

  @Test("is that of each execution, although the condition, query and statement are cached")
  func isFresh() throws {
    let name = "Later"
    let queries = [
      students.where("born > now() && name == %@", name),
      students.where { $0.born > CurrentDate() && $0.name == name },
      students.where(Where("born").isGreater(than: CurrentDate()).and("name").isEqual(to: name)),
    ]
    for _ in 0..<10 {
      for query in queries { #expect(try query.count() == 0) }
    }
    let born = Date() + 1.5
    try students.insert(School.Student(name, age: 0, born: born))
    for query in queries {
      #expect(try query.all().map(\.name) == [name])
      #expect(try query.first() != nil)
    }
    Thread.sleep(until: born + 0.01)
    for query in queries {
      #expect(try query.all().isEmpty)
      #expect(try !query.exists())
    }
    #expect(try students.where("born > now() && name == %@", name).count() == 0)
  }

  @Test("moves with an interval, whichever way it is written")
  func interval() throws {
    let (hour, day) = (Date() - 3600, Date() - 86_400)
    try students.query.remove()
    try students.insert(contentsOf: [
      School.Student("hour", age: 1, born: hour), School.Student("day", age: 2, born: day),
      School.Student("tomorrow", age: 3, born: Date() + 86_400),
    ])
    for (text, names) in [
      ("born > now() - 2 hours", ["hour", "tomorrow"]), ("born < now() - 2 hours", ["day"]),
      ("born BETWEEN {now() - 1 week, now()}", ["hour", "day"]),
      ("born NOT BETWEEN {now() - 90 minutes, now()}", ["day", "tomorrow"]),
      ("born > now() + 23 hours", ["tomorrow"]), ("now() - 1 week > born", []),
    ] {
      #expect(try students.where(text).all().map(\.name) == names, "\(text)")
    }
    let recent = students.where { $0.born >= CurrentDate() - .seconds(7200) }
    #expect(try recent.all().map(\.name) == ["hour", "tomorrow"])
    #expect(try recent.where { $0.born <= CurrentDate() + .seconds(7200) }.count() == 1)
  }

  @Test("lets an index find the objects")
  func usesAnIndex() throws {
    let events = try school.test.vault.store(
      of: ClassDescription(
        "Event", properties: [.init("at", Date.self)], indexes: [IndexDescription(["at"])]))
    let plan = try events.where("at > now() - 7 days && at < now()").explain()
    #expect(plan.plan.contains { $0.kind == .search }, "\(plan)")
  }

  @Test("is rejected in a sort and as a value to store")
  func elsewhere() throws {
    #expect(throws: VaultError.self) { try students.query.sorted(by: "now()").all() }
    #expect(throws: VaultError.self) { try students.where("name == %@", CurrentDate()).all() }
  }
}
