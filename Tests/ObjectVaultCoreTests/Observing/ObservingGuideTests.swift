import Dispatch
import ObjectVaultCore
import Synchronization
import Testing
import TestSupport

/// The Swift of the guide "Observing", line by line as it stands there.
@Suite("The guide to observing") struct ObservingGuideTests {
  private struct Student: StoredObject, GeneratesObjectID, Hashable, Sendable {
    var objectID: Int64?
    var name: String
    var age: Int

    init(_ name: String, age: Int) {
      self.name = name
      self.age = age
    }

    static let classDescription = ClassDescription(
      "Student",
      properties: [
        PropertyDescription("name", String.self), PropertyDescription("age", Int.self),
      ])

    init(row: Row) throws {
      name = try row.value(at: 0)
      age = try row.value(at: 1)
      objectID = try row.value(at: 2)
    }

    func encode(into binder: Binder) throws {
      try binder.bind(name, at: 0)
      try binder.bind(age, at: 1)
    }
  }

  private struct Line: Equatable {
    let text: String
    init(_ text: String) { self.text = text }
  }

  private final class Shown: Sendable {
    private let state = Mutex<[[String]]>([])
    func add(_ names: [String]) { state.withLock { $0.append(names) } }
    var lists: [[String]] { state.withLock { $0 } }
  }

  private let test: TestVault
  private let students: ObjectStore<Student>
  private let shown = Shown()

  init() throws {
    test = try TestVault()
    students = try test.vault.store(of: Student.self)
    try students.insert(contentsOf: [Student("Li", age: 5), Student("Bo", age: 20)])
  }

  private func show(_ students: [Student]) { shown.add(students.map(\.name)) }
  private func show(_ error: any Error) { shown.add(["\(error)"]) }

  @Test("holds no line that is not here")
  func whole() throws {
    #expect(try GuideSnippets.missing("Guides/Observing.md", in: #filePath) == [])
    #expect(try GuideSnippets.lines(of: "Guides/Observing.md").count >= 15)
  }

  @Test("says what a sequence gives")
  func sequences() async throws {
    for try await children in students.where("age < 7").sorted(by: "name").observe() {
      show(children)
      if shown.lists.count == 2 { break }
      try await students.insert(Student("Ed", age: 6))
    }
    #expect(shown.lists == [["Li"], ["Ed", "Li"]])
    let id = try #require(try await students.first()?.objectID)
    let all = students.observe()
    let howMany = students.where("age < 7").observeCount()
    let one = students.observe(id: id)
    for try await students in all {
      #expect(students.count == 3)
      break
    }
    for try await count in howMany {
      #expect(count == 2)
      break
    }
    for try await student in one {
      #expect(student?.name == "Li")
      break
    }
  }

  @Test("says what calls give")
  func calls() async throws {
    let shown = shown
    @Sendable func show(_ students: [Student]) { shown.add(students.map(\.name)) }
    @Sendable func show(_ error: any Error) { shown.add(["\(error)"]) }
    let token = students.where("age < 7").observe(on: .main) { error in
      show(error)
    } onChange: { children in
      show(children)
    }
    try await eventually { shown.lists == [["Li"]] }
    withExtendedLifetime(token) {}
  }

  @Test("says what a change tells")
  func changes() async throws {
    var rows: [Line] = []
    for try await change in students.sorted(by: "name").observeChanges() {
      change.apply(to: &rows) { student in Line(student.name) }
      if !change.isInitial { break }
      try await students.insert(Student("Ed", age: 6))
    }
    #expect(rows == ["Bo", "Ed", "Li"].map(Line.init))
  }

  #if canImport(Observation)
    @MainActor @Test("says what views follow")
    func views() async throws {
      let adults = ObservedQuery(students.where("age >= 18"))
      show(adults.objects)
      while !adults.isLoaded { try await Task.sleep(for: .milliseconds(2)) }
      show(adults.objects)
      #expect(shown.lists == [[], ["Bo"]])
    }
  #endif

  @Test("says how often other processes are looked for")
  func interval() throws {
    var configuration = VaultConfiguration()
    configuration.observationInterval = .seconds(2)
    try configuration.validate()
    for wrong: Duration in [.zero, .seconds(-1), .milliseconds(1), .seconds(100_000)] {
      configuration.observationInterval = wrong
      #expect(code { try configuration.validate() } == .invalidArgument)
    }
  }
}
