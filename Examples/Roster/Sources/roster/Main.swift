import Foundation
import ObjectVault

/// Stores a school's roster in a vault and checks everything that it reads back.
///
/// The exit code is 0 if all results are as expected and 1 otherwise.
@main
struct Roster {
  static func main() async {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("roster-\(UUID().uuidString)")
    do {
      defer { try? FileManager.default.removeItem(at: folder) }
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let path = folder.appendingPathComponent("school.vault").path
      try storeStudents(at: path)
      try await storeLateStudent(at: path)
      try storeCourses(at: path)
      try rejectWrongKey(at: path)
    } catch {
      print("roster: \(error)")
      exit(1)
    }
    print("roster: all as expected")
  }

  static func storeStudents(at path: String) throws {
    let vault = try Vault(at: path, key: .passphrase("correct horse"))
    let students = try vault.store(of: Student.self)

    // Insert one object. The returned one has its generated ID.
    let li = try students.insert(Student(name: "Li", age: 20, tags: ["chess", "choir"]))
    // Insert several objects in one transaction.
    try students.insert(contentsOf: [
      Student(name: "Bob", age: 19), Student(name: "Ann", age: 17), Student(name: "Eve", age: 20),
      Student(name: "Zoë", age: 18),
    ])
    try check("students", students.count(), 5)

    let adults = try students.where("name != %@ && age >= %@", "Bob", 18)
      .sorted(by: "age", "name").range(offset: 0, length: 20).all()
    try check("adults except Bob, by age and name", adults.map(\.name), ["Zoë", "Eve", "Li"])

    guard let id = li.objectID, var found = try students.find(id) else {
      throw Unexpected(description: "Li was stored and is not found by ID")
    }
    try check("Li's tags", found.tags, ["chess", "choir"])

    found.age = 21
    try students.update(found)
    try check("Li's age after an update", students.find(id)?.age, 21)

    // An error rolls back the transaction.
    do {
      try vault.transaction {
        try students.remove(found)
        throw Unexpected(description: "changed our mind")
      }
    } catch is Unexpected {}
    try check("students after a transaction that threw", students.count(), 5)

    try students.remove(found)
    try check("Li after removal", students.find(id)?.name, nil)
    try check("removed by a condition", students.where("age < 18").remove(), 1)
  }

  static func storeLateStudent(at path: String) async throws {
    let vault = try Vault(at: path, key: .passphrase("correct horse"))
    let students = try await vault.store(of: Student.self)
    // In asynchronous functions, operations suspend instead of blocking their thread.
    let max = try await students.insert(Student(name: "Max", age: 18))
    try check("Max has an ID", max.objectID != nil, true)
    let eighteen = try await students.where("age == 18").sorted(by: "name").all()
    try check("students of eighteen", eighteen.map(\.name), ["Max", "Zoë"])
  }

  static func storeCourses(at path: String) throws {
    // Open the vault again. The objects are stored.
    let vault = try Vault(at: path, key: .passphrase("correct horse"))
    try check("stored students", vault.store(of: Student.self).count(), 4)

    let courses = try vault.store(of: Course.self)
    let begins = Date(timeIntervalSince1970: 1_790_000_000.25)
    var algebra = Course(code: "MA-1", title: "Algebra", begins: begins, room: nil)
    try courses.insert(algebra)
    algebra.room = "B 12"
    try courses.save(algebra)
    try check("room of the course after saving it", courses.find("MA-1")?.room, "B 12")
    try check("its beginning, to the microsecond", courses.find("MA-1")?.begins, begins)

    do {
      try courses.insert(algebra)
      throw Unexpected(description: "a second object with the same object ID was accepted")
    } catch let error as VaultError {
      print("a second insert of MA-1 is rejected: \(error.code)")
    }
  }

  static func rejectWrongKey(at path: String) throws {
    do {
      _ = try Vault(at: path, key: .passphrase("wrong horse")).store(of: Student.self).count()
      throw Unexpected(description: "a wrong key opened the vault")
    } catch let error as VaultError where error.code == .wrongKey {
      print("a wrong key is rejected: \(error.message)")
    }
  }
}
