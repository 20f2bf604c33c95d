import TestSupport
import Testing

#if compiler(>=6.2)
  @Suite("In a module whose default isolation is the main actor") struct DefaultIsolationTests {
    private static let options = ["-default-isolation", "MainActor"]

    private static func check(_ source: String, _ options: [String] = options) throws -> String {
      let compiled = try Compiler.check(
        "import Foundation\nimport ObjectVault\n\n" + source, options + ["-warnings-as-errors"])
      #expect((compiled.status == 0) == compiled.errors.isEmpty)
      return compiled.errors
    }

    /// What uses an object off the main actor.
    private static let uses = """
      func follow(_ vault: Vault) throws -> ObservationToken {
        try vault.store(of: Student.self).query.observe { _ in } onChange: { _ in }
      }

      func insert(_ student: Student, _ vault: Vault) async throws {
        try await vault.store(of: Student.self).insert(student)
      }
      """

    @Test("what is stored is declared nonisolated, and can be followed from there")
    func nonisolated() throws {
      let source = """
        nonisolated enum Level: String, Codable, StorableValue { case low, high }

        nonisolated enum Upper: PropertyConverter {
          static func stored(_ value: Substring) -> String { value.uppercased() }
          static func value(_ stored: String) -> Substring { stored[...] }
        }

        @Stored nonisolated struct Student {
          var name: String
          var level: Level
          @Column(converter: Upper.self) var nick: Substring
          @Reference(onDelete: .cascade) var room: Ref<Room>?
        }

        @Stored nonisolated struct Room {
          var floor: Int
          @Owned(by: \\Student.room) var students: [Student]?
        }

        """
      #expect(try Self.check(source + Self.uses) == "")
    }

    @Test("conformances that @Stored writes belong to no actor, also if the type names none")
    func bare() throws {
      #expect(try Self.check("@Stored struct Student { var name: String }\n\n" + Self.uses) == "")
    }

    @Test(
      "what is stored on the main actor does not compile",
      arguments: [
        """
        struct Student {
          var objectID: Int64?
          var name: String
        }

        extension Student: StoredObject, GeneratesObjectID {
          static let classDescription = ClassDescription(
            "Student", properties: [PropertyDescription("name", String.self)])
          init(row: Row) throws { name = try row.value(at: 0) }
          func encode(into binder: Binder) throws { try binder.bind(name, at: 0) }
        }
        """
      ])
    func isolated(declaration: String) throws {
      let errors = try Self.check(declaration + "\n\n" + Self.uses)
      #expect(errors.contains("error: "))
      #expect(errors.contains("isolated"), "\(errors)")
      // It is the isolation that is wrong with it, and nothing else.
      #expect(try Self.check(declaration + "\n\n" + Self.uses, []) == "")
    }

    @Test(
      "converters and values that conform where they are declared belong to no actor",
      arguments: [
        """
        enum Upper: PropertyConverter {
          static func stored(_ value: Substring) -> String { value.uppercased() }
          static func value(_ stored: String) -> Substring { stored[...] }
        }
        """,
        """
        struct Level: ConvertibleToStorable {
          var number: Int
          init(stored: Int) { number = stored }
          var stored: Int { number }
        }
        """,
      ])
    func values(declaration: String) throws {
      #expect(try Self.check(declaration) == "")
      // On the main actor no module may have them.
      #expect(try Self.check("@MainActor " + declaration, []).contains("isolated"))
    }
  }
#endif
