import Foundation
import ObjectVault
import TestSupport
import Testing

/// The Swift of the guide "Associations and deletion", line by line as it stands there.
@Suite("The guide to associations") struct AssociationsGuideTests {
  @Stored
  struct Classroom {
    @ObjectID var name: String
    var floor: Int = 0
    @Owned(by: \Student.classroom, sortedBy: \Student.seat) var students: [Student]?
  }

  @Stored
  struct Student {
    var name: String
    var age: Int
    var seat: Int = 0
    @Reference(onDelete: .cascade) var classroom: Ref<Classroom>?
  }

  @Stored(unique: [["student", "course"]])
  struct Enrolment {
    @Reference(onDelete: .cascade) var student: Ref<Student>
    @Reference(onDelete: .cascade) var course: Ref<Course>
    var mark: Double?
  }

  @Stored
  struct Course {
    @ObjectID var code: String
    var title: String
    @Owned(by: \Enrolment.course) var enrolments: [Enrolment]?
  }

  @Stored
  struct Playlist {
    @ObjectID var name: String
    @Owned(by: \Track.playlist, ordered: true) var tracks: [Track]?
  }

  @Stored
  struct Track {
    var title: String
    @Reference(onDelete: .cascade) var playlist: Ref<Playlist>?
  }

  private let folder: TemporaryFolder
  private let vault: Vault
  private let classrooms: ObjectStore<Classroom>
  private let students: ObjectStore<Student>

  init() throws {
    folder = try TemporaryFolder()
    vault = try Vault(at: folder.file("school.vault"), key: .raw(1...32))
    classrooms = try vault.store(of: Classroom.self)
    students = try vault.store(of: Student.self)
  }

  @Test("holds no line that is not here")
  func whole() throws {
    #expect(try GuideSnippets.missing("Guides/Associations.md", in: #filePath) == [])
    #expect(try GuideSnippets.lines(of: "Guides/Associations.md").count > 50)
  }

  @Test("says of references and removals what they do", .covers("S65", "J58"))
  func references() throws {
    try vault.transaction(deferringReferences: true) {
      try students.insert(Student(name: "Mo", age: 8, classroom: Ref(id: "3c")))
      try classrooms.insert(Classroom(name: "3c"))
    }
    #expect(try students.all().map(\.classroom) == [Ref(id: "3c")])
    try classrooms.insert(
      Classroom(name: "9z", floor: 9, students: [Student(name: "Up", age: 15)]))
    var printed: [String] = []
    func print(_ line: String) { printed.append(line) }
    let plan = try classrooms.where("floor > 1").deletionPlan()
    for entry in plan.entries {
      print("\(entry.className): \(entry.removed) go, \(entry.nullified) stay without a reference")
    }
    if plan.isAllowed { try classrooms.where("floor > 1").remove() }
    #expect(
      printed == [
        "Classroom: 1 go, 0 stay without a reference", "Student: 1 go, 0 stay without a reference",
      ])
    #expect(try students.all().map(\.name) == ["Mo"])
  }

  @Test("says of owned objects how they are saved, changed and left alone")
  func owned() throws {
    try classrooms.insert(
      Classroom(
        name: "1a", floor: 2,
        students: [
          Student(name: "Li", age: 6, seat: 1), Student(name: "Bo", age: 7, seat: 2),
        ]))
    let li = try #require(try students.where("name == 'Li'").first())
    if var room = try classrooms.find("1a") {
      room.students?.removeAll { $0.name == "Bo" }
      room.students?.append(Student(name: "Ada", age: 6, seat: 2))
      try classrooms.update(room)
    }
    let found = try #require(try classrooms.find("1a")?.students)
    #expect(found.map(\.name) == ["Li", "Ada"])
    #expect(found.first?.objectID == li.objectID)

    let plain = try classrooms.withoutOwned().find("1a")
    try classrooms.save(Classroom(name: "1a", floor: 3, students: []), owned: .leave)
    #expect(plain?.floor == 2 && plain?.students == nil)
    #expect(try classrooms.find("1a")?.floor == 3)
    #expect(try students.count() == 2)

    let upstairs = try students.where("classroom.floor >= 2")
      .sorted(by: "classroom.name", "seat").all()
    let young = try classrooms.where("ANY students.age < 7 && students.@count > 1").all()
    #expect(upstairs.map(\.name) == ["Li", "Ada"])
    #expect(young.map(\.name) == ["1a"])
  }

  @Test("says of ordered lists how they are changed", .covers("J68"))
  func ordered() throws {
    let playlists = try vault.store(of: Playlist.self)
    try playlists.insert(
      Playlist(name: "Road trip", tracks: ["c", "a", "b"].map { Track(title: $0) }))
    if var list = try playlists.find("Road trip") {
      list.tracks?.insert(Track(title: "Overture"), at: 0)
      list.tracks?.swapAt(1, 2)
      try playlists.update(list)
    }
    let found = try playlists.find("Road trip")?.tracks
    #expect(found?.map(\.title) == ["Overture", "a", "c", "b"])
  }

  @Test("says of classes between two others how they are asked from both sides")
  func bothSides() throws {
    let enrolments = try vault.store(of: Enrolment.self)
    let courses = try vault.store(of: Course.self)
    let li = try students.insert(Student(name: "Li", age: 7))
    let bo = try students.insert(Student(name: "Bo", age: 5))
    try courses.insert(
      Course(
        code: "ALG", title: "Algebra",
        enrolments: try [li, bo].map { Enrolment(student: try Ref($0), course: Ref(id: "ALG")) }))
    let inAlgebra = try enrolments.where("course.code == 'ALG' && student.age > 6").count()
    #expect(inAlgebra == 1)
    let algebra = try #require(try courses.find("ALG"))
    let attending = try students.related(to: algebra, through: Enrolment.self)
    let attended = try courses.related(to: li, through: Enrolment.self)
    #expect(attending.map(\.name) == ["Li", "Bo"] && attended.map(\.code) == ["ALG"])
    // Neither needs the object IDs of the enrolments that they replace.
    var replaced = algebra
    replaced.enrolments = try [li, bo].map {
      Enrolment(student: try Ref($0), course: Ref(id: "ALG"), mark: 2)
    }
    replaced = try courses.save(replaced)
    #expect(try enrolments.all().map(\.mark) == [2, 2])
    replaced.enrolments?.removeFirst()
    replaced.enrolments?[0].student = try Ref(li)
    try courses.save(replaced)
    #expect(try enrolments.all().map(\.student) == [Ref(li)])
    replaced.enrolments?.append(Enrolment(student: try Ref(bo), course: Ref(id: "ALG")))
    try courses.save(replaced)
    try students.remove(li)
    #expect(try courses.find("ALG")?.enrolments?.map(\.student) == [Ref(bo)])
  }
}
