#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  /// What the compiler says of conditions in a program that uses the library as it was built here.
  @Suite("The compiler") struct CompilationTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// A class by hand; what follows is one condition on it a line.
    private static let pupil = """
      import ObjectVaultCore
      struct Pupil: StoredObject, GeneratesObjectID {
        var objectID: Int64?
        static let classDescription = ClassDescription("Pupil", properties: [])
        init(row: Row) throws {}
        func encode(into binder: Binder) throws {}
        struct Properties: ObjectProperties {
          let origin: PropertyOrigin
          var name: Property<String> { origin.property("name") }
          var note: Property<String?> { origin.property("note") }
          var age: Property<Int> { origin.property("age") }
          var seat: Property<Int?> { origin.property("seat") }
          var score: Property<Double> { origin.property("score") }
          var isActive: Property<Bool> { origin.property("isActive") }
          var tags: Property<[String]> { origin.property("tags") }
          var friend: RelatedObject<Pupil> { origin.object("friend") }
        }
      }

      """

    /// Has conditions checked, and nothing built.
    ///
    /// - Returns: The warnings and errors by the position of their condition.
    private func diagnostics(
      of conditions: [String], _ options: String...
    ) throws -> [(position: Int, text: String)] {
      // The compiler is no program for the engine that the tests may run on.
      func run(_ arguments: [String]) throws -> ChildProcess {
        try SpawnedProgram.run("/usr/bin/env", arguments, environment: ["LD_PRELOAD": ""])
      }
      let folder = try TemporaryFolder()
      let lines = conditions.enumerated().map { number, condition in
        "func f\(number)(_ pupils: ObjectStore<Pupil>) throws { "
          + "_ = try pupils.where { \(condition) } }"
      }
      try (Self.pupil + lines.joined(separator: "\n")).write(
        toFile: folder.file("client.swift"), atomically: true, encoding: .utf8)
      let flags = try run(["pkg-config", "--cflags", "sqlcipher", "libcrypto"])
      #expect(flags.status == 0, "\(flags.errors)")
      let built = ChildProcess.programs
      let result = try run(
        [
          "swiftc", "-typecheck", "-swift-version", "6", "-diagnostic-style=llvm",
          "-module-cache-path", built.appendingPathComponent("ModuleCache").path,
          "-I", built.appendingPathComponent("Modules").path,
        ]
          + ["CSQLCipher", "COpenSSL"].flatMap { ["-I", Self.root.path + "/Sources/" + $0] }
          + flags.output.split(whereSeparator: \.isWhitespace).flatMap { ["-Xcc", String($0)] }
          + options + [folder.file("client.swift")])
      let before = Self.pupil.split(separator: "\n", omittingEmptySubsequences: false).count
      let found = result.errors.split(separator: "\n").compactMap { line -> (Int, String)? in
        let parts = line.split(separator: ":", maxSplits: 3).map(String.init)
        guard parts.count == 4, parts[0].hasSuffix("client.swift"), let number = Int(parts[1]),
          !parts[3].contains("note:")
        else { return nil }
        return (number - before, parts[3])
      }
      #expect(result.status == 0 || !found.isEmpty, "\(result.errors)")
      return found.map { (position: $0.0, text: $0.1) }
    }

    @Test("refuses a wrong name and a wrong type, and says which")
    func refuses() throws {
      let wrong = [
        ("$0.agge >= 18", "no member 'agge'"), ("$0.age >= 18 && $0.nam == \"L\"", "'nam'"),
        ("$0.friend.agge > 1", "'agge'"), ("$0.age >= \"old\"", "'String'"),
        ("$0.name == 7", "'Int'"), ("$0.age > 3 && $0.name == 7", "'Int'"),
        ("$0.age.hasPrefix(\"L\")", "'SearchableText'"), ("$0.tags < [\"a\"]", "'OrderedValue'"),
        ("$0.age < nil", "'nil'"), ("$0.age == $0.name", "'=='"), ("$0.age", "'TruthValue'"),
      ]
      let found = try diagnostics(of: wrong.map(\.0))
      for (position, (condition, part)) in wrong.enumerated() {
        let texts = found.filter { $0.position == position }.map(\.text)
        #expect(texts.count == 1, "\(condition): \(texts)")
        #expect(
          texts.allSatisfy { $0.contains("error:") && $0.contains(part) }, "\(condition): \(texts)")
      }
    }

    @Test("takes ten terms in under a second")
    func tenTerms() throws {
      let terms = """
        $0.age >= 6 && $0.name.hasPrefix("C") && $0.note != nil && $0.score > 2.5 && $0.isActive \
        && $0.seat < 8 && !($0.tags == ["a"]) && $0.age * 2 + 1 < 90 \
        && ($0.name == "Li" || $0.note != "x") && $0.friend.age == 2
        """
      // From one millisecond on it says how long it took.
      let found = try diagnostics(
        of: [terms], "-Xfrontend", "-warn-long-expression-type-checking=1")
      let times = found.filter { $0.position == 0 }.compactMap { diagnostic in
        diagnostic.text.firstMatch(of: /expression took (\d+)ms/).flatMap { Int($0.1) }
      }
      #expect(found.allSatisfy { !$0.text.contains("error:") }, "\(found)")
      #expect(!times.isEmpty && times.allSatisfy { $0 < 1000 }, "\(found)")
    }
  }
#endif
