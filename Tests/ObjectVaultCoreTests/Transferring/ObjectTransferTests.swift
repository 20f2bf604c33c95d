import Foundation
import ObjectVaultCondition
import ObjectVaultCore
import ObjectVaultMaintenance
import ObjectVaultModel
import ObjectVaultSchema
import ObjectVaultSession
import ObjectVaultStores
import TestSupport
import Testing

@Suite("The transfer of all objects to another database")
struct ObjectTransferTests {
  private let folder: TemporaryFolder
  private let source: Vault
  private let target: Vault

  init() throws {
    folder = try TemporaryFolder()
    source = try Vault(
      at: folder.file("a.vault"), key: .ofTests, configuration: .sealing(try .ofTests(1)))
    target = try Vault(
      at: folder.file("b.vault"), key: .ofTests, configuration: .sealing(try .ofTests(1)))
  }

  /// A class whose objects refer to others of the same class.
  private static let node = ClassDescription(
    "Node",
    properties: [
      PropertyDescription("name", String.self), PropertyDescription("parent", Int64?.self),
    ],
    references: [ReferenceDescription("parent", target: "Node", onDelete: .cascade)])

  private func insertNodes(_ count: Int, into vault: Vault) throws {
    let nodes = try vault.store(of: Self.node)
    for number in 0..<count {
      var node = try DynamicObject(of: Self.node)
      try node.set("name", to: .text("node \(number)"))
      try nodes.insert(node)
    }
    // The first one refers to the last one, which is inserted after it.
    try nodes.where("name == 'node 0'").update(set: ["parent": count])
  }

  private func rows(_ table: String, _ vault: Vault, order: String = "rowid") throws -> [String] {
    try vault.rows(SQLStatement(unchecked: "SELECT * FROM \(table) ORDER BY \(order)")).map {
      "\($0)"
    }
  }

  @Test("A text that is not UTF-8 is an error, and is never stored in another form")
  func invalidText() throws {
    try insertNodes(5, into: source)
    try source.opened().withWriter { session in
      try session.execute(
        "UPDATE \"Node\" SET \"name\" = CAST(x'61FF' AS TEXT) WHERE \"name\" = 'node 2'")
    }
    let error = try #require(throws: VaultError.self) {
      try ObjectTransfer(from: source, to: target).run()
    }
    #expect(error.code == .damaged)
    #expect(error.message.contains("\"name\" of table 'Node'"))
    #expect(try rows("Node", target).isEmpty)
    try source.store(of: Self.node).where("objectID == 3").remove()
    let report = try ObjectTransfer(from: source, to: target).run()
    #expect(report.classes.map(\.count) == [4])
  }

  @Test(
    "Objects, numbers, sealed values and shared contents are the same afterwards", .covers("T1"))
  func same() throws {
    let patients = try source.store(of: Patient.self)
    try patients.insert(
      contentsOf: (0..<2500).map { Patient("P\($0)", "D\($0)", email: "\($0)@x") })
    try patients.remove(id: 2500)
    try insertNodes(1500, into: source)
    let note = ClassDescription(
      "Note",
      properties: [PropertyDescription("id", String.self), .init("scan", Data.self).shared()],
      objectID: ["id"], options: TableOptions(insertionTime: true))
    let notes = try source.store(of: note)
    for id in ["b", "a", "c"] {
      var object = try DynamicObject(of: note)
      try object.set("id", to: .text(id))
      try object.set("scan", to: .blob([UInt8](repeating: 7, count: 3000)))
      try notes.insert(object)
    }
    var seen: [String: Int64] = [:]
    let report = try ObjectTransfer(from: source, to: target).run { progress in
      #expect(progress.done > seen[progress.className] ?? 0)
      #expect(progress.done <= progress.total)
      seen[progress.className] = progress.done
    }
    #expect(report.classes.map(\.count) == [1500, 3, 2499])
    #expect(report.classes.allSatisfy { $0.present == 0 })
    #expect(seen == ["Node": 1500, "Note": 3, "Patient": 2499])
    for table in ["Node", "Note", "Patient"] {
      #expect(try rows(table, target) == rows(table, source))
    }
    #expect(try target.store(of: Patient.self).find(7)?.diagnosis == "D6")
    // The number of the removed object is not given again.
    #expect(try target.store(of: Patient.self).insert(Patient("Q", "E")).objectID == 2501)
    #expect(try target.verify().isSound)
  }

  @Test("An interrupted transfer continues, and repeating it changes nothing", .covers("T2"))
  func interrupted() throws {
    struct Stop: Error {}
    let patients = try source.store(of: Patient.self)
    try patients.insert(contentsOf: (0..<2500).map { Patient("P\($0)", "D\($0)") })
    try insertNodes(1200, into: source)
    #expect(throws: Stop.self) {
      try ObjectTransfer(from: source, to: target).run { progress in
        // The nodes refer to each other, so they are stored together.
        if progress.className == "Node", progress.done > 1000 { throw Stop() }
      }
    }
    #expect(try target.store(of: Self.node).count() == 0)
    #expect(throws: Stop.self) {
      try ObjectTransfer(from: source, to: target).run { progress in
        if progress.className == "Patient" { throw Stop() }
      }
    }
    #expect(try target.store(of: Self.node).count() == 1200)
    #expect(try target.store(of: Patient.self).count() == 1000)
    try patients.insert(Patient("New", "x"))
    let report = try ObjectTransfer(from: source, to: target).run()
    #expect(report.classes.map(\.present) == [1200, 1000])
    #expect(report.classes.map(\.count) == [1200, 2501])
    let before = try rows("Patient", target)
    #expect(try before == rows("Patient", source))
    let again = try ObjectTransfer(from: source, to: target).run()
    #expect(again.classes.map(\.present) == [1200, 2501])
    #expect(try rows("Patient", target) == before)
  }

  @Test("A target with other objects is left as it is", .covers("T3")) func otherObjects() throws {
    let patients = try source.store(of: Patient.self)
    try patients.insert(contentsOf: (0..<10).map { Patient("P\($0)", "D\($0)") })
    try ObjectTransfer(from: source, to: target).run()
    let others = try target.store(of: Patient.self)
    func rejects(_ comment: Comment) throws {
      let before = try rows("Patient", target)
      let error = try #require(throws: VaultError.self, comment) {
        try ObjectTransfer(from: source, to: target).run()
      }
      #expect(error.code == .invalidArgument, comment)
      #expect(try rows("Patient", target) == before, comment)
    }
    let more = try others.insert(Patient("more", "x"))
    try rejects("an object more")
    try others.remove(id: #require(more.objectID))
    try ObjectTransfer(from: source, to: target).run()
    var first = try #require(try others.find(1))
    first.name = "changed"
    try others.update(first)
    try rejects("a changed object")
  }

  @Test("A target that another program changes meanwhile is an error", .covers("T3"))
  func changedMeanwhile() throws {
    try source.store(of: Patient.self).insert(
      contentsOf: (0..<1500).map { Patient("P\($0)", "D\($0)") })
    let error = try #require(throws: VaultError.self) {
      try ObjectTransfer(from: source, to: target).run { progress in
        guard progress.done == progress.total else { return }
        try target.store(of: Patient.self).remove(id: 1)
      }
    }
    #expect(error.code == .conflict)
  }

  @Test("The source is read in one snapshot", .covers("T1")) func snapshot() async throws {
    let (source, target) = (source, target)
    let patients = try await source.store(of: Patient.self)
    try await patients.insert(contentsOf: (0..<1500).map { Patient("P\($0)", "D\($0)") })
    let report = try await onOwnThread {
      try ObjectTransfer(from: source, to: target).run { progress in
        guard progress.done == 1000 else { return }
        let isDone = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
          _ = try? patients.insert(Patient("late", "x"))
          isDone.signal()
        }
        isDone.wait()
      }
    }
    #expect(report.classes.map(\.count) == [1500])
    #expect(try await patients.count() == 1501)
  }

  @Test("Tables and columns that no class describes, and the source itself, are refused")
  func refused() throws {
    try source.store(of: Patient.self).insert(Patient("Ada", "gout"))
    func code() -> VaultError.Code? {
      do {
        try ObjectTransfer(from: source, to: target).run()
        return nil
      } catch {
        return (error as? VaultError)?.code
      }
    }
    try source.execute("CREATE TABLE other (id INTEGER PRIMARY KEY, text TEXT)")
    #expect(code() == .invalidClass)
    try source.execute("DROP TABLE other")
    try source.execute("CREATE TABLE other (text TEXT)")
    #expect(code() == .invalidClass)
    try source.execute("DROP TABLE other")
    try source.execute("ALTER TABLE Patient ADD COLUMN more TEXT")
    #expect(code() == .invalidClass)
    #expect(throws: VaultError.self) { try ObjectTransfer(from: source, to: source).run() }
    #expect(throws: VaultError.self) {
      try ObjectTransfer(
        from: source, to: Vault(at: folder.file("a.vault"), key: .ofTests)
      ).run()
    }
  }

  @Test("A class of the target with another form is left as it is", .covers("T3")) func otherForm()
    throws
  {
    _ = try source.store(of: Self.node)
    var changed = Self.node
    changed.properties.append(PropertyDescription("note", String?.self))
    _ = try target.store(of: changed)
    for table in [nil, "node"] {
      if table != nil {
        try target.execute("DROP TABLE Node")
        try target.execute("CREATE TABLE node (id INTEGER PRIMARY KEY)")
      }
      let before = try target.classes()
      let error = try #require(throws: VaultError.self) {
        try ObjectTransfer(from: source, to: target).run()
      }
      #expect(error.code == .invalidClass)
      #expect(try target.classes() == before)
    }
  }

  @Test("A class of the target whose name a sent class had before is left as it is", .covers("T3"))
  func formerName() throws {
    let text = [PropertyDescription("text", String.self)]
    let box = ClassDescription("Box", properties: text)
    _ = try source.store(of: ClassDescription("Chest", properties: text, renamedFrom: ["Box"]))
    try target.store(of: box).insert(DynamicObject(of: box, ["text": .text("x")]))
    let error = try #require(throws: VaultError.self) {
      try ObjectTransfer(from: source, to: target).run()
    }
    #expect(error.code == .invalidClass)
    #expect(error.message.contains("'Box'"), "\(error)")
    #expect(try target.classes() == [box])
    #expect(try target.store(of: box).count() == 1)
    // A table of another program is not renamed.
    try target.removeStore(named: "Box")
    try target.execute("CREATE TABLE Box (id INTEGER PRIMARY KEY)")
    try ObjectTransfer(from: source, to: target).run()
    #expect(try target.classes().map(\.name) == ["Chest", "Box"])
  }

  @Test("The columns of removed properties have their values in the target", .covers("T1"))
  func removedProperties() throws {
    let text = PropertyDescription("text", String.self)
    let removed = [
      PropertyDescription("rate", Double.self, defaultValue: 1).columnDefined(type: "NUMERIC"),
      PropertyDescription("secret", String?.self).sealed(),
    ]
    let full = ClassDescription("Note", properties: [text] + removed)
    let notes = try source.store(of: full)
    for (number, rate) in [2, 0.5].enumerated() {
      try notes.insert(
        DynamicObject(
          of: full,
          ["text": .text("\(number)"), "rate": .real(rate), "secret": .text("s\(number)")]))
    }
    let less = ClassDescription("Note", properties: [text])
    try source.store(of: less).insert(DynamicObject(of: less, ["text": .text("2")]))
    for present in [Int64(0), 3] {
      let report = try ObjectTransfer(from: source, to: target).run()
      #expect(report.classes.map(\.count) == [3])
      #expect(report.classes.map(\.present) == [present])
    }
    #expect(try target.classes() == [less])
    for vault in [source, target] {
      let again = try vault.store(of: full).all()
      #expect(try again.map { try $0.value(of: "rate") } == [.real(2), .real(0.5), .real(1)])
      #expect(
        try again.map { try $0.value(of: "secret") } == [.text("s0"), .text("s1"), .null])
    }
  }

  @Test("A removed property with shared contents is not transferred") func removedContents() throws
  {
    let text = PropertyDescription("text", String.self)
    let image = PropertyDescription("image", Data?.self).shared()
    let full = ClassDescription("Scan", properties: [text, image])
    let bytes = StoredValue.blob([UInt8](repeating: 7, count: 3000))
    try source.store(of: full).insert(
      DynamicObject(of: full, ["text": .text("x"), "image": bytes]))
    let less = try source.store(of: ClassDescription("Scan", properties: [text]))
    let error = try #require(throws: VaultError.self) {
      try ObjectTransfer(from: source, to: target).run()
    }
    #expect(error.code == .invalidClass)
    #expect(error.message.contains("dropRemovedProperties()"))
    #expect(try less.dropRemovedProperties() == ["image"])
    try ObjectTransfer(from: source, to: target).run()
  }

  @Test("Values sealed under other keys in the target are not mixed with these", .covers("T3"))
  func otherKeys() throws {
    try source.store(of: Patient.self).insert(Patient("Ada", "gout"))
    let other = try Vault(
      at: folder.file("c.vault"), key: .ofTests, configuration: .sealing(try .ofTests(2)))
    var note = try DynamicObject(of: .sealedNote())
    try note.set("id", to: .text("a"))
    try other.store(of: ClassDescription.sealedNote()).insert(note)
    let error = try #require(throws: VaultError.self) {
      try ObjectTransfer(from: source, to: other).run()
    }
    #expect(error.code == .wrongKey)
    #expect(try other.classes().map(\.name) == ["Note"])
    let without = try Vault(at: folder.file("d.vault"), key: .ofTests)
    try ObjectTransfer(from: source, to: without).run()
    without.close()
    let with = try Vault(
      at: folder.file("d.vault"), key: .ofTests, configuration: .sealing(try .ofTests(1)))
    #expect(try with.store(of: Patient.self).find(1)?.diagnosis == "gout")
  }

  @Test("A sealing key that is added between two runs is recorded in the target", .covers("T1"))
  func addedKey() throws {
    let path = folder.file("e.vault")
    func transfer(_ keys: SealingKeys, _ id: String) throws -> [Int64] {
      let vault = try Vault(at: path, key: .ofTests, configuration: .sealing(keys))
      defer { vault.close() }
      var note = try DynamicObject(of: .sealedNote())
      try note.set("id", to: .text(id))
      try note.set("text", to: .text("text of \(id)"))
      try vault.store(of: ClassDescription.sealedNote()).insert(note)
      return try ObjectTransfer(from: vault, to: target).run().classes.map(\.count)
    }
    #expect(try transfer(.ofTests(1), "a") == [1])
    #expect(try transfer(.ofTests(1, 2), "b") == [2])
    target.close()
    func texts(_ keys: SealingKeys) throws -> [StoredValue] {
      let vault = try Vault(at: target.path, key: .ofTests, configuration: .sealing(keys))
      defer { vault.close() }
      return try vault.store(named: "Note").all().map { try $0.value(of: "text") }
    }
    #expect(try texts(.ofTests(1, 2)) == [.text("text of a"), .text("text of b")])
    #expect(code { _ = try texts(.ofTests(1)) } == .wrongKey)
  }

  @Test("Only the library's own texts of numbers are sealing keys", .covers("T1"))
  func otherTexts() throws {
    try source.store(of: Patient.self).insert(Patient("Ada", "gout"))
    for vault in [source, target] {
      _ = try vault.store(of: Patient.self)
      try vault.opened().transaction { session in
        for digits in ["01", "+1", "1 ", "4294967296"] {
          try SystemTables(session).restore("sealing_key_\(digits)", "00")
        }
      }
    }
    #expect(try ObjectTransfer(from: source, to: target).run().classes.map(\.count) == [1])
    #expect(try target.store(of: Patient.self).find(1)?.diagnosis == "gout")
  }

  @Test("A version of the schema that no program writes is not copied", .covers("T1"))
  func damagedVersion() throws {
    try source.store(of: Patient.self).insert(Patient("Ada", "gout"))
    try source.opened().transaction { session in
      try SystemTables(session).restore(DatabaseUpgrade.key, "-9223372036854775808")
    }
    let error = try #require(throws: VaultError.self) {
      try ObjectTransfer(from: source, to: target).run()
    }
    #expect(error.code == .damaged)
    #expect(try target.classes().isEmpty)
  }

  @Test("Values are not mixed with those that are indexed under another key", .covers("T3", "E4"))
  func otherIndexKey() throws {
    let first = try Vault(
      at: folder.file("c.vault"), key: .ofTests, configuration: .sealing(try .ofTests(2)))
    try first.store(of: Patient.self).insert(Patient("Ada", "gout", email: "a"))
    let second = try Vault(
      at: folder.file("d.vault"), key: .ofTests, configuration: .sealing(try .ofTests(1, 2)))
    try second.store(of: ClassDescription.sealedNote()).insert(
      DynamicObject(of: .sealedNote()).setting("text", "secret"))
    let error = try #require(throws: VaultError.self) {
      try ObjectTransfer(from: first, to: second).run()
    }
    #expect(error.code == .wrongKey)
    #expect(try second.classes().map(\.name) == ["Note"])
  }

  /// Returns a vault that was opened with a version of the schema.
  private func vault(_ name: String, version: Int) throws -> Vault {
    var configuration = VaultConfiguration.sealing(try .ofTests(1))
    configuration.schema = VaultSchema(version: version, classes: [Patient.self])
    let vault = try Vault(at: folder.file(name), key: .ofTests, configuration: configuration)
    try vault.open()
    return vault
  }

  private func recordedVersion(_ vault: Vault) throws -> Int? {
    let opened = try vault.opened()
    return try opened.read { try DatabaseUpgrade.recordedVersion(of: opened, on: $0) }
  }

  @Test("A target with another version of the schema is left as it is", .covers("T3"))
  func otherVersion() throws {
    func code(_ from: Vault, _ to: Vault) -> VaultError.Code? {
      do {
        try ObjectTransfer(from: from, to: to).run()
        return nil
      } catch {
        return (error as? VaultError)?.code
      }
    }
    let third = try vault("c.vault", version: 3)
    try third.store(of: Patient.self).insert(Patient("Ada", "gout"))
    let second = try vault("d.vault", version: 2)
    #expect(code(third, second) == .invalidClass)
    #expect(try second.store(of: Patient.self).count() == 0)
    #expect(try recordedVersion(second) == 2)
    // Objects without a recorded version have version 1.
    try insertNodes(2, into: source)
    #expect(code(third, source) == .invalidClass)
    #expect(code(source, second) == .invalidClass)
    for vault in [source, second] { #expect(try vault.classes().count == 1) }
    let first = try vault("e.vault", version: 1)
    #expect(code(source, first) == nil)
  }

  @Test("The version of the schema is copied to a target without objects", .covers("T1", "T2"))
  func copiedVersion() throws {
    let third = try vault("c.vault", version: 3)
    try third.store(of: Patient.self).insert(Patient("Ada", "gout"))
    // Its tables are empty, as after a transfer that was interrupted early.
    _ = try target.store(of: Patient.self)
    for _ in 0..<2 {
      try ObjectTransfer(from: third, to: target).run()
      #expect(try recordedVersion(target) == 3)
    }
    let new = try Vault(at: folder.file("d.vault"), key: .ofTests)
    try ObjectTransfer(from: third, to: new).run()
    #expect(try recordedVersion(new) == 3)
    try ObjectTransfer(from: third, to: vault("e.vault", version: 3)).run()
  }

  @Test("Large objects are read and stored a few at a time", .covers("T1")) func large() throws {
    let scan = ClassDescription("Scan", properties: [PropertyDescription("image", Data.self)])
    let scans = try source.store(of: scan)
    for number in 0..<40 {
      var object = try DynamicObject(of: scan)
      let image = [UInt8](repeating: UInt8(number), count: number < 20 ? 1000 : 1 << 20)
      try object.set("image", to: .blob(image))
      try scans.insert(object)
    }
    var done: [Int64] = []
    let report = try ObjectTransfer(from: source, to: target).run { done.append($0.done) }
    // Each transaction ends with the row that makes its values larger than 4 MiB.
    #expect(done == [24, 28, 32, 36, 40])
    #expect(report.classes.map(\.count) == [40])
  }
}

@Suite("The order of classes in a transfer") struct TransferOrderTests {
  private func classes(_ targets: [String: [String]]) -> [ClassDescription] {
    targets.keys.sorted().map { name in
      let references = (targets[name] ?? []).map {
        ReferenceDescription("to\($0)", target: $0, onDelete: .deny)
      }
      return ClassDescription(
        name, properties: references.map { PropertyDescription($0.name, Int64?.self) },
        references: references)
    }
  }

  @Test("Each class follows those that it refers to, and cycles are one group") func groups() {
    func order(_ targets: [String: [String]]) -> [String] {
      TransferOrder(classes(targets)).groups.map { group in
        group.classes.map(\.table).joined(separator: "+") + (group.isCyclic ? "!" : "")
      }
    }
    #expect(order([:]) == [])
    #expect(order(["A": ["B"], "B": ["C"], "C": []]) == ["C", "B", "A"])
    #expect(order(["A": ["A"]]) == ["A!"])
    #expect(order(["A": ["B"], "B": ["A"], "C": ["A"], "D": []]) == ["A+B!", "C", "D"])
    #expect(
      order(["A": ["B"], "B": ["C"], "C": ["B", "D"], "D": ["E", "D"], "E": []])
        == ["E", "D!", "B+C!", "A"])
    #expect(order(["A": ["missing"]]) == ["A"])
  }
}
