#if os(Linux)
  import TestSupport
  import Testing

  /// What the compiler says of conditions in a program that uses the library as it was built here.
  @Suite("The compiler") struct CompilationTests {
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
      of conditions: [String], on pupils: String = "pupils", withinScopes scopes: Int = 1_000_000
    ) throws -> [(position: Int, text: String)] {
      let lines = conditions.enumerated().map { number, condition in
        "func f\(number)(_ pupils: ObjectStore<Pupil>) throws { "
          + "_ = \(pupils).where { \(condition) } }"
      }
      let result = try Compiler.check(
        Self.pupil + lines.joined(separator: "\n"), "-diagnostic-style=llvm", "-Xfrontend",
        "-solver-scope-threshold=\(scopes)")
      let before = Self.pupil.split(separator: "\n", omittingEmptySubsequences: false).count
      let found = result.errors.split(separator: "\n").compactMap { line -> (Int, String)? in
        let parts = line.split(separator: ":", maxSplits: 3).map(String.init)
        guard parts.count == 4, parts[0].hasSuffix("Application.swift"), let number = Int(parts[1]),
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
        ("$0.age < nil", "'nil'"), ("\"old\" < $0.age", "'String'"), ("7 == $0.name", "'Int'"),
        ("$0.age && $0.isActive", "'TruthValue'"),
      ]
      try expect(wrong)
    }

    @Test("says in words why two sides do not fit, and that a value is no condition")
    func saysInWords() throws {
      let numbers = "use numbers of one type"
      let types = "compare values of one type"
      let order = "compare values of one ordered type"
      let alone = "a value is not a condition; compare it, as in '$0.age > 3'"
      try expect([
        ("$0.name + 1 > 2", numbers), ("$0.name - $0.age > 2", numbers),
        ("$0.age * $0.score > 2", numbers), ("$0.isActive / 2 == nil", numbers),
        ("$0.isActive && $0.name + 1 > 2", numbers), ("$0.age == $0.name", types),
        ("$0.age != $0.score", types), ("$0.age > 3 && $0.friend.age == $0.name", types),
        ("$0.age < $0.name", order), ("$0.age <= $0.score", order), ("$0.tags > $0.tags", order),
        ("$0.name >= $0.isActive", order), ("$0.age", alone), ("$0.age + 1", alone),
        ("!$0.age", alone), ("$0.isActive && $0.name", alone), ("$0.age > 3 || $0.name", alone),
      ])
      try expect([("$0.age", alone)], of: "pupils.where { $0.isActive }")
    }

    /// Expects one error for each condition, with a part of what it says.
    private func expect(_ wrong: [(String, String)], of pupils: String = "pupils") throws {
      let found = try diagnostics(of: wrong.map(\.0), on: pupils)
      for (position, (condition, part)) in wrong.enumerated() {
        let texts = found.filter { $0.position == position }.map(\.text)
        #expect(texts.count == 1, "\(condition): \(texts)")
        #expect(
          texts.allSatisfy { $0.contains("error:") && $0.contains(part) }, "\(condition): \(texts)")
      }
    }

    @Test("takes ten terms after few tries")
    func tenTerms() throws {
      let terms = """
        $0.age >= 6 && $0.name.hasPrefix("C") && $0.note != nil && $0.score > 2.5 && $0.isActive \
        && $0.seat < 8 && !($0.tags == ["a"]) && $0.age * 2 + 1 < 90 \
        && ($0.name == "Li" || $0.note != "x") && $0.friend.age == 2
        """
      let turned = """
        6 <= $0.age && $0.name.hasPrefix("C") && nil != $0.note && 2.5 < $0.score && $0.isActive \
        && 8 > $0.seat && !(["a"] == $0.tags) && 90 > $0.age * 2 + 1 \
        && ("Li" == $0.name || "x" != $0.note) && 2 == $0.friend.age
        """
      // What it may try is counted: a second is enough for many times as much.
      #expect(try diagnostics(of: [terms, turned], withinScopes: 1_000).map(\.text) == [])
      #expect(try diagnostics(of: [terms], withinScopes: 5).map(\.text) != [], "it counts")
    }
  }
#endif
