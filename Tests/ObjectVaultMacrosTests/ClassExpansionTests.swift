import Testing

@Suite("What @Stored writes for a final class")
struct ClassExpansionTests {
  @Test("whose properties all have values: the initializer it would have without the macro is kept")
  func implicitInitializer() {
    expectExpansion(
      of: """
        @Stored
        public final class Note {
          var text = ""
          var stars: Int?
        }
        """,
      #"""
      public final class Note {
        var text = ""
        var stars: Int?

        /// The number the vault generated; `nil` until the object is stored.
        public var objectID: Swift.Int64?

        public static let classDescription = ObjectVault.ClassDescription(
          "Note",
          properties: [
            .init("text", String.self, defaultValue: ""),
            .init("stars", Int?.self),
          ]
        )

        /// The members of ``Note`` that conditions can name.
        public struct Properties: ObjectVault.ObjectProperties {
          private let _origin: ObjectVault.PropertyOrigin
          public init(origin: ObjectVault.PropertyOrigin) {
            self._origin = origin
          }
          var text: ObjectVault.Property<String> {
            self._origin.property("text")
          }
          var stars: ObjectVault.Property<Int?> {
            self._origin.property("stars")
          }
          public var objectID: ObjectVault.Property<Swift.Int64> {
            self._origin.property("objectID")
          }
        }

        public static var propertyNames: [Swift.AnyKeyPath: Swift.String] {
          [
            \Note.text: "text",
            \Note.stars: "stars",
            \Note.objectID: "objectID",
          ]
        }

        init() {
        }

        public init(row: ObjectVault.Row) throws {
          self.text = try row.value(at: 0)
          self.stars = try row.value(at: 1)
          self.objectID = try row.value(at: 2)
        }
      }

      extension Note: ObjectVault.StoredObject, ObjectVault.GeneratesObjectID {
        public func encode(into binder: ObjectVault.Binder) throws {
          try binder.bind(self.text, at: 0)
          try binder.bind(self.stars, at: 1)
        }
      }
      """#)
  }

  @Test(
    "with the initializer without arguments that a class has without a designated one",
    arguments: [
      ("convenience init(text: String) { self.init(); self.text = text }", true),
      ("convenience init?(text: String) { nil }", true),
      ("#if DEBUG\nfunc check() {}\n#else\nconvenience init(n: Int) { self.init() }\n#endif", true),
      ("init(text: String) { self.text = text }", false),
      ("#if DEBUG\n#if os(Linux)\ninit(text: String) { self.text = text }\n#endif\n#endif", false),
    ])
  func implicitInitializer(member: String, isImplicit: Bool) {
    let text = expansion("@Stored final class Note {\nvar text: String = \"\"\n\(member)\n}")
    #expect(text.contains("init(row: ObjectVault.Row)"))
    #expect(text.contains("init() {\n") == isImplicit)
  }

  @Test(
    "has an implicit initializer only if owned objects have an initial value",
    arguments: [
      ("[Line]?", true), ("Optional<[Line]> = nil", true), ("Optional<[Line]>", false),
    ])
  func ownedInitialValue(type: String, isImplicit: Bool) {
    let text = expansion(
      #"@Stored final class Log { var n = 0; @Owned(by: \Line.log) var lines: \#(type) }"#)
    #expect(text.contains("init(row: ObjectVault.Row)"))
    #expect(text.contains("init() {\n") == isImplicit)
  }

  @Test("with an initializer of its own")
  func ownInitializer() {
    expectExpansion(
      of: """
        @Stored
        final class Visit {
          @ObjectID var id: Int64?
          var place: String = ""
          init(place: String) { self.place = place }
        }
        """,
      #"""
      final class Visit {
        var id: Int64?
        var place: String = ""
        init(place: String) { self.place = place }

        static let classDescription = ObjectVault.ClassDescription(
          "Visit",
          properties: [
            .init("id", Int64?.self),
            .init("place", String.self, defaultValue: ""),
          ],
          objectID: ["id"]
        )

        /// The members of ``Visit`` that conditions can name.
        struct Properties: ObjectVault.ObjectProperties {
          private let _origin: ObjectVault.PropertyOrigin
          init(origin: ObjectVault.PropertyOrigin) {
            self._origin = origin
          }
          var id: ObjectVault.Property<Int64?> {
            self._origin.property("id")
          }
          var place: ObjectVault.Property<String> {
            self._origin.property("place")
          }
        }

        static var propertyNames: [Swift.AnyKeyPath: Swift.String] {
          [
            \Visit.id: "id",
            \Visit.place: "place",
          ]
        }

        typealias ObjectIDType = Int64

        var storedObjectID: Int64? {
          self.id
        }

        func assignObjectID(_ id: Int64) {
          self.id = id
        }

        func removeObjectID() {
          self.id = nil
        }

        init(row: ObjectVault.Row) throws {
          self.id = try row.value(at: 0)
          self.place = try row.value(at: 1)
        }
      }

      extension Visit: ObjectVault.StoredObject {
        func encode(into binder: ObjectVault.Binder) throws {
          try binder.bind(self.id, at: 0)
          try binder.bind(self.place, at: 1)
        }
      }
      """#)
  }
}
