import TestSupport
import Testing

@Suite("What cannot be stored does not compile") struct UnstorableTypeTests {
  /// Types of properties, with the declarations that they need.
  static let unstorable = [
    ("Engine", "final class Engine {}"), ("Engine?", "final class Engine {}"),
    ("[Engine]", "struct Engine { var power = 1 }"), ("UnsafeRawPointer?", ""),
    ("UnsafeMutablePointer<Int>", ""),
    // The macro cannot see what an alias stands for.
    ("Action", "typealias Action = (Int) -> Int"), ("Pair", "typealias Pair = (Int, Int)"),
    ("Kind", "typealias Kind = Int.Type"),
  ]

  @Test("and says what to do about the property", .covers("A38"), arguments: unstorable)
  func refused(type: String, declaration: String) throws {
    let compiled = try Compiler.check(Self.source(type, declaration))
    #expect(compiled.status != 0)
    #expect(
      compiled.errors.contains(
        "error: 'init(_:_:column:defaultValue:renamedFrom:)' is unavailable: a property of this type "
          + "cannot be stored; conform the type to 'Codable' or 'ConvertibleToStorable', or mark the "
          + "property '@Ignored'"), "\(compiled.errors)")
    #expect(compiled.errors.contains(".init(\"it\", \(type).self)"), "\(compiled.errors)")
    let others = compiled.errors.split(separator: "\n").filter {
      $0.contains(" error: ") && !$0.contains("a property of this type cannot be stored")
    }
    #expect(others == [], "nothing else is said")
  }

  @Test("where a closure is written as one, the macro itself says so", .covers("A38"))
  func closure() throws {
    let compiled = try Compiler.check(Self.source("(Int) -> Int", ""))
    #expect(compiled.status != 0)
    #expect(
      compiled.errors.contains("error: 'it' cannot be stored: its type is a function"),
      "\(compiled.errors)")
  }

  @Test(
    "and does once it was done", .covers("A38"),
    arguments: [
      ("Engine", "final class Engine: Codable {}"), ("Engine?", "struct Engine: Codable {}"),
      ("[Engine]", "struct Engine: Codable { var power = 1 }"),
      ("Engine", "enum Engine: Int { case steam }"),
      (
        "Engine",
        """
        struct Engine: ConvertibleToStorable {
          init(stored: Int) {}
          var stored: Int { 1 }
        }
        """
      ),
    ])
  func accepted(type: String, declaration: String) throws {
    let compiled = try Compiler.check(Self.source(type, declaration), "-warnings-as-errors")
    #expect(compiled.status == 0 && compiled.errors.isEmpty, "\(compiled.errors)")
  }

  @Test("and does where the property is ignored", .covers("A38"))
  func ignored() throws {
    let source = """
      import ObjectVault

      typealias Action = (Int) -> Int

      @Stored struct Note {
        var text: String
        @Ignored var action: Action?
      }
      """
    let compiled = try Compiler.check(source, "-warnings-as-errors")
    #expect(compiled.status == 0 && compiled.errors.isEmpty, "\(compiled.errors)")
  }

  @Test(
    "as an owned object with a constant reference",
    arguments: [
      ("[Line]?", "Ref<Log>"), ("[Line]?", "Ref<Log>?"), ("Line?", "Ref<Log>"),
      ("Line?", "Ref<Log>?"),
    ])
  func constantReference(lines: String, reference: String) throws {
    func source(_ specifier: String) -> String {
      #"""
      import ObjectVault

      @Stored struct Log {
        var name: String
        @Owned(by: \Line.log) var lines: \#(lines)
      }

      @Stored struct Line {
        var text: String
        \#(specifier) log: \#(reference)
      }
      """#
    }
    #expect(try Compiler.check(source("var"), "-warnings-as-errors").errors == "")
    let compiled = try Compiler.check(source("let"))
    #expect(compiled.status != 0)
    let errors = compiled.errors.split(separator: "\n").filter { $0.hasPrefix("macro expansion") }
    #expect(
      errors.count == 1
        && errors[0].contains("is unavailable: the vault sets the reference of owned objects"),
      "\(compiled.errors)")
  }

  @Test("as a class that does not say how it is stored", .covers("S1"))
  func plain() throws {
    func source(_ mark: String) -> String {
      """
      import ObjectVault

      \(mark) struct Note {
        var text: String
      }

      func notes(of vault: Vault) throws -> Int { try vault.store(of: Note.self).count() }
      """
    }
    #expect(try Compiler.check(source("@Stored"), "-warnings-as-errors").errors == "")
    let compiled = try Compiler.check(source(""))
    #expect(compiled.status != 0)
    #expect(
      compiled.errors.contains(
        "is unavailable: this type cannot be stored; mark it '@Stored', or conform it to "
          + "'StoredObject'"), "\(compiled.errors)")
  }

  private static func source(_ type: String, _ declaration: String) -> String {
    """
    import ObjectVault

    \(declaration)

    @Stored struct Note {
      var text: String
      var it: \(type)
    }
    """
  }
}
