import Foundation
import ObjectVault
import TestSupport
import Testing

// The README's classes, and those that need more: circles, composite objectIDs, joining classes.

@Stored
struct Classroom: Equatable {
  @ObjectID var name: String
  var floor: Int = 0
  @Owned(by: \Student.classroom, sortedBy: \Student.seat) var students: [Student]?
  @Owned(by: \Teacher.room) var teacher: Teacher?
}

@Stored
struct Student: Equatable {
  var name: String
  @Indexed var age: Int
  var seat: Int = 0
  var tags: [String] = []
  @Reference(onDelete: .cascade) var classroom: Ref<Classroom>?
}

@Stored
final class Teacher: Equatable {
  var name: String
  @Column("room_name") @Reference(onDelete: .deny) var room: Ref<Classroom>
  var position: Int?
  var assistant: Ref<Teacher>?

  init(name: String, room: Ref<Classroom>) {
    self.name = name
    self.room = room
  }

  static func == (a: Teacher, b: Teacher) -> Bool {
    a.objectID == b.objectID && a.name == b.name && a.room == b.room
  }
}

typealias RoomRef = Ref<Classroom>

/// A class with a reference that the macro does not recognize.
@Stored
struct Locker {
  var room: RoomRef
  var other: RoomRef?
}

/// A class with a property `id` that is not its object ID.
@Stored
struct Sticker {
  @ObjectID var number: Int
  var id: Int
}

@Stored
struct Jar {
  var sticker: Ref<Sticker>?
}

@Stored(unique: [["course", "place"]])
struct Enrollment: Equatable {
  @ObjectID @Reference(onDelete: .cascade) var student: Ref<Student>
  @ObjectID @Reference(onDelete: .cascade) var course: Ref<Course>
  var place: Int
}

@Stored
struct Course: Equatable {
  @ObjectID @Column("faculty_code") var faculty: String
  @ObjectID var number: Int
  var title: String
}

@Stored
struct Grade: Equatable {
  @Reference(onDelete: .cascade) var enrollment: Ref<Enrollment>?
  var points: Double
}

/// Owned objects of a nested class.
@Stored
struct Shelf {
  var floor = 0
  @Owned(by: \Library.Volume.shelf, sortedBy: \Library.Volume.year) var volumes: [Library.Volume]?
}

enum Library {
  @Stored
  struct Volume {
    var title: String
    var year: Int
    var key: UUID
    @Sealed(by: \Library.Volume.key) var lender: String?
    @Reference(onDelete: .cascade) var shelf: Ref<Shelf>?
  }
}

@Suite("Types made by @Stored refer to and own one another")
struct AssociationTests {
  let folder: TemporaryFolder
  let vault: Vault

  init() throws {
    folder = try TemporaryFolder()
    vault = try Vault(
      at: folder.file("test.vault"), key: .raw([UInt8](repeating: 7, count: 32)),
      configuration: .erasing(.ofTests(in: folder.url)))
  }

  @Test("an owner is stored and loaded with what belongs to it", .covers("J49", "J54"))
  func owned() throws {
    let rooms = try vault.store(of: Classroom.self)
    let room = try rooms.insert(
      Classroom(
        name: "1a",
        students: [Student(name: "Li", age: 7, seat: 2), Student(name: "Bo", age: 8, seat: 1)],
        teacher: Teacher(name: "Wu", room: Ref(id: "not yet"))))
    #expect(room.students?.map(\.objectID) == [1, 2])
    let found = try #require(try rooms.find("1a"))
    #expect(found.students?.map(\.name) == ["Bo", "Li"])
    #expect(found.teacher?.name == "Wu" && found.teacher?.room == Ref(id: "1a"))
    #expect(try vault.store(of: Student.self).where("classroom.floor == 0").count() == 2)
    #expect(throws: VaultError.self) { try rooms.remove(id: "1a") }
    try vault.store(of: Teacher.self).removeAll()
    try rooms.remove(id: "1a")
    #expect(try vault.store(of: Student.self).count() == 0)
  }

  @Test("owned objects can be of a nested class")
  func nested() throws {
    let shelves = try vault.store(of: Shelf.self)
    let volumes = [2, 1].map {
      Library.Volume(title: "Volume \($0)", year: 2000 + $0, key: UUID(), lender: "Li")
    }
    let id = try #require(try shelves.insert(Shelf(volumes: volumes)).objectID)
    #expect(try shelves.find(id)?.volumes?.map(\.year) == [2001, 2002])
    #expect(try vault.store(of: Library.Volume.self).all().map(\.lender) == ["Li", "Li"])
  }

  @Test("the columns of a composite objectID follow a reference wherever it goes")
  func composite() throws {
    let courses = try vault.store(of: Course.self)
    let enrollments = try vault.store(of: Enrollment.self)
    let grades = try vault.store(of: Grade.self)
    #expect(
      Enrollment.classDescription.references.map(\.targetColumns) == [
        ["objectID"], ["faculty_code", "number"],
      ])
    #expect(
      Grade.classDescription.properties.map(\.column) == [
        "enrollment_student", "enrollment_course_faculty", "enrollment_course_number", "points",
      ])
    #expect(
      Grade.classDescription.references[0].targetColumns
        == ["student", "course_faculty", "course_number"])
    let student = try vault.store(of: Student.self).insert(Student(name: "Li", age: 20))
    let course = try courses.insert(Course(faculty: "math", number: 101, title: "Sets"))
    let enrollment = try enrollments.insert(
      Enrollment(student: Ref(student), course: Ref(course), place: 3))
    let grade = try grades.insert(Grade(enrollment: Ref(enrollment), points: 1.5))
    #expect(try enrollments.all() == [enrollment])
    #expect(
      try enrollments.find(
        .init(student: Ref(id: 1), course: Ref(id: .init(faculty: "math", number: 101))))
        == enrollment)
    #expect(try grades.all() == [grade])
    #expect(try grade.enrollment?.object(in: vault)?.course.object(in: vault) == course)
    try courses.changeID(
      of: .init(faculty: "math", number: 101), to: .init(faculty: "logic", number: 1))
    #expect(try grades.first()?.enrollment?.id.course.id.faculty == "logic")
    try vault.store(of: Student.self).remove(student)
    #expect(try grades.count() == 0 && enrollments.count() == 0 && courses.count() == 1)
  }

  @Test("objects of both sides of a class between them are found by composite objectIDs too")
  func related() throws {
    let students = try vault.store(of: Student.self)
    let courses = try vault.store(of: Course.self)
    let enrollments = try vault.store(of: Enrollment.self)
    let li = try students.insert(Student(name: "Li", age: 20))
    let bo = try students.insert(Student(name: "Bo", age: 21))
    let sets = Course(faculty: "math", number: 1, title: "Sets")
    let logic = Course(faculty: "logic", number: 1, title: "Logic")
    try courses.insert(
      contentsOf: [sets, Course(faculty: "math", number: 2, title: "Groups"), logic])
    try enrollments.insert(contentsOf: [
      Enrollment(student: Ref(bo), course: Ref(logic), place: 1),
      Enrollment(student: Ref(li), course: Ref(logic), place: 2),
      Enrollment(student: Ref(li), course: Ref(sets), place: 1),
    ])
    #expect(try courses.related(to: li, through: Enrollment.self) == [sets, logic])
    #expect(try courses.related(to: bo, through: Enrollment.self) == [logic])
    #expect(try students.related(to: logic, through: Enrollment.self) == [li, bo])
    #expect(try students.related(to: sets, through: Enrollment.self) == [li])
  }

  @Test("a typed condition finds a property 'id' that is not the object ID")
  func propertyNamedID() throws {
    let stickers = try vault.store(of: Sticker.self)
    try stickers.insert(contentsOf: [Sticker(number: 1, id: 2), Sticker(number: 2, id: 3)])
    let jars = try vault.store(of: Jar.self)
    try jars.insert(contentsOf: [Jar(sticker: Ref(id: 1)), Jar(sticker: Ref(id: 2)), Jar()])
    #expect(try jars.where { $0.sticker.id == 2 }.all().map(\.sticker?.id) == [1])
    #expect(try jars.where { $0.sticker == Ref(id: 2) }.all().map(\.sticker?.id) == [2])
    #expect(try jars.where { $0.sticker.isIn([Ref(id: 2)]) }.count() == 1)
    #expect(try jars.where { $0.sticker == nil }.count() == 1)
    #expect(try students().where { $0.classroom.id == "1a" }.count() == 0)
  }

  private func students() throws -> ObjectStore<Student> { try vault.store(of: Student.self) }

  @Test("a reference behind a type alias, which would have no foreign key, is rejected")
  func alias() throws {
    let error = #expect(throws: VaultError.self) { _ = try vault.store(of: Locker.self) }
    #expect(error?.code == .invalidClass)
    #expect(error?.message.contains("'room'") == true)
  }

  @Test("the default rule is nullify for an optional reference, and deny for any other")
  func rules() throws {
    #expect(Teacher.classDescription.references.map(\.onDelete) == [.deny, .nullify])
    #expect(Student.classDescription.references.map(\.onDelete) == [.cascade])
    #expect(Classroom.classDescription.owned.map(\.isMany) == [true, false])
    #expect(Classroom.classDescription.owned[0].sortedBy == ["seat"])
  }
}
