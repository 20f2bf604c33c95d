import Testing

@Suite("What @Stored writes for a struct")
struct StructExpansionTests {
  @Test("without an objectID: a number is added, and the memberwise initializer is left alone")
  func generatedObjectID() {
    expectExpansion(
      of: """
        @Stored
        struct Student {
          var name: String
          @Indexed var age: Int
          var seat: Int = 0
        }
        """,
      #"""
      struct Student {
        var name: String
        var age: Int
        var seat: Int = 0

        /// The number the vault generated; `nil` until the object is stored.
        var objectID: Swift.Int64?

        static let classDescription = ObjectVault.ClassDescription(
          "Student",
          properties: [
            .init("name", String.self),
            .init("age", Int.self),
            .init("seat", Int.self, defaultValue: 0),
          ],
          indexes: [.init(["age"])]
        )

        /// The members of ``Student`` that conditions can name.
        struct Properties: ObjectVault.ObjectProperties {
          private let _origin: ObjectVault.PropertyOrigin
          init(origin: ObjectVault.PropertyOrigin) {
            self._origin = origin
          }
          var name: ObjectVault.Property<String> {
            self._origin.property("name")
          }
          var age: ObjectVault.Property<Int> {
            self._origin.property("age")
          }
          var seat: ObjectVault.Property<Int> {
            self._origin.property("seat")
          }
          var objectID: ObjectVault.Property<Swift.Int64> {
            self._origin.property("objectID")
          }
          static func _object(from row: ObjectVault.Row) throws -> Student {
            let value0: String = try row.value(at: 0)
            let value1: Int = try row.value(at: 1)
            let value2: Int = try row.value(at: 2)
            let number: Swift.Int64? = try row.value(at: 3)
            return Student(
              name: value0,
              age: value1,
              seat: value2,
              objectID: number
            )
          }
        }

        static var propertyNames: [Swift.AnyKeyPath: Swift.String] {
          [
            \Student.name: "name",
            \Student.age: "age",
            \Student.seat: "seat",
            \Student.objectID: "objectID",
          ]
        }
      }

      extension Student: ObjectVault.StoredObject, ObjectVault.GeneratesObjectID {
        init(row: ObjectVault.Row) throws {
          self = try Properties._object(from: row)
        }

        func encode(into binder: ObjectVault.Binder) throws {
          try binder.bind(self.name, at: 0)
          try binder.bind(self.age, at: 1)
          try binder.bind(self.seat, at: 2)
        }
      }
      """#)
  }

  @Test("that is generic: the description is computed, since nothing static can be stored")
  func generic() {
    expectExpansion(
      of: """
        @Stored(table: "boxes")
        struct Box<Content: StorableValue> {
          var content: Content
        }
        """,
      #"""
      struct Box<Content: StorableValue> {
        var content: Content

        /// The number the vault generated; `nil` until the object is stored.
        var objectID: Swift.Int64?

        static var classDescription: ObjectVault.ClassDescription {
          ObjectVault.ClassDescription(
            "Box",
            table: "boxes",
            properties: [
              .init("content", Content.self),
            ]
          )
        }

        /// The members of ``Box`` that conditions can name.
        struct Properties: ObjectVault.ObjectProperties {
          private let _origin: ObjectVault.PropertyOrigin
          init(origin: ObjectVault.PropertyOrigin) {
            self._origin = origin
          }
          var content: ObjectVault.Property<Content> {
            self._origin.property("content")
          }
          var objectID: ObjectVault.Property<Swift.Int64> {
            self._origin.property("objectID")
          }
          static func _object(from row: ObjectVault.Row) throws -> Box {
            let value0: Content = try row.value(at: 0)
            let number: Swift.Int64? = try row.value(at: 1)
            return Box(
              content: value0,
              objectID: number
            )
          }
        }

        static var propertyNames: [Swift.AnyKeyPath: Swift.String] {
          [
            \Box.content: "content",
            \Box.objectID: "objectID",
          ]
        }
      }

      extension Box: ObjectVault.StoredObject, ObjectVault.GeneratesObjectID {
        init(row: ObjectVault.Row) throws {
          self = try Properties._object(from: row)
        }

        func encode(into binder: ObjectVault.Binder) throws {
          try binder.bind(self.content, at: 0)
        }
      }
      """#)
  }

  @Test("with Self in types, which would be another type in the nested ones")
  func namedSelf() {
    let text = expansion(
      "@Stored struct Tree {\nvar kind: Self.Kind?\nvar top: Ref<Self>?\nvar all: [String: Self]\n}"
    )
    #expect(text.contains("var kind: ObjectVault.Property<Tree.Kind?> {"))
    #expect(text.contains("var top: ObjectVault.RelatedObject<Tree> {"))
    #expect(text.contains("let value2: [String: Tree] ="))
  }

  @Test("with properties declared in every way that can be stored")
  func declarations() {
    expectExpansion(
      of: """
        @Stored
        struct Mixed {
          var a, b: Int
          var whole = 7, part = -1.5, text = "t", flag = true
          var `default`: Level = .low
          private let made: Date
          var list: [Int] = [1, -2] {
            didSet { print(list) }
          }
          var sum: Int { a + b }
          var both: Int {
            get { a }
            set { b = newValue }
          }
          static var shared = 1
          func work() {}
        }
        """,
      #"""
      struct Mixed {
        var a, b: Int
        var whole = 7, part = -1.5, text = "t", flag = true
        var `default`: Level = .low
        private let made: Date
        var list: [Int] = [1, -2] {
          didSet { print(list) }
        }
        var sum: Int { a + b }
        var both: Int {
          get { a }
          set { b = newValue }
        }
        static var shared = 1
        func work() {}

        /// The number the vault generated; `nil` until the object is stored.
        var objectID: Swift.Int64?

        static let classDescription = ObjectVault.ClassDescription(
          "Mixed",
          properties: [
            .init("a", Int.self),
            .init("b", Int.self),
            .init("whole", Int.self, defaultValue: 7),
            .init("part", Double.self, defaultValue: -1.5),
            .init("text", String.self, defaultValue: "t"),
            .init("flag", Bool.self, defaultValue: true),
            .init("default", Level.self),
            .init("made", Date.self),
            .init("list", [Int].self, defaultValue: [1, -2]),
          ]
        )

        /// The members of ``Mixed`` that conditions can name.
        struct Properties: ObjectVault.ObjectProperties {
          private let _origin: ObjectVault.PropertyOrigin
          init(origin: ObjectVault.PropertyOrigin) {
            self._origin = origin
          }
          var a: ObjectVault.Property<Int> {
            self._origin.property("a")
          }
          var b: ObjectVault.Property<Int> {
            self._origin.property("b")
          }
          var whole: ObjectVault.Property<Int> {
            self._origin.property("whole")
          }
          var part: ObjectVault.Property<Double> {
            self._origin.property("part")
          }
          var text: ObjectVault.Property<String> {
            self._origin.property("text")
          }
          var flag: ObjectVault.Property<Bool> {
            self._origin.property("flag")
          }
          var `default`: ObjectVault.Property<Level> {
            self._origin.property("default")
          }
          fileprivate var made: ObjectVault.Property<Date> {
            self._origin.property("made")
          }
          var list: ObjectVault.Property<[Int]> {
            self._origin.property("list")
          }
          var objectID: ObjectVault.Property<Swift.Int64> {
            self._origin.property("objectID")
          }
          static func _object(from row: ObjectVault.Row) throws -> Mixed {
            let value0: Int = try row.value(at: 0)
            let value1: Int = try row.value(at: 1)
            let value2: Int = try row.value(at: 2)
            let value3: Double = try row.value(at: 3)
            let value4: String = try row.value(at: 4)
            let value5: Bool = try row.value(at: 5)
            let value6: Level = try row.value(at: 6)
            let value7: Date = try row.value(at: 7)
            let value8: [Int] = try row.value(at: 8)
            let number: Swift.Int64? = try row.value(at: 9)
            return Mixed(
              a: value0,
              b: value1,
              whole: value2,
              part: value3,
              text: value4,
              flag: value5,
              default: value6,
              made: value7,
              list: value8,
              objectID: number
            )
          }
        }

        static var propertyNames: [Swift.AnyKeyPath: Swift.String] {
          [
            \Mixed.a: "a",
            \Mixed.b: "b",
            \Mixed.whole: "whole",
            \Mixed.part: "part",
            \Mixed.text: "text",
            \Mixed.flag: "flag",
            \Mixed.`default`: "default",
            \Mixed.made: "made",
            \Mixed.list: "list",
            \Mixed.objectID: "objectID",
          ]
        }
      }

      extension Mixed: ObjectVault.StoredObject, ObjectVault.GeneratesObjectID {
        init(row: ObjectVault.Row) throws {
          self = try Properties._object(from: row)
        }

        func encode(into binder: ObjectVault.Binder) throws {
          try binder.bind(self.a, at: 0)
          try binder.bind(self.b, at: 1)
          try binder.bind(self.whole, at: 2)
          try binder.bind(self.part, at: 3)
          try binder.bind(self.text, at: 4)
          try binder.bind(self.flag, at: 5)
          try binder.bind(self.`default`, at: 6)
          try binder.bind(self.made, at: 7)
          try binder.bind(self.list, at: 8)
        }
      }
      """#)
  }

  @Test("inside a public extension: as visible as the extension makes it")
  func publicExtension() {
    expectExpansion(
      of: """
        public extension School {
          @Stored
          struct Room {
            @ObjectID var name: String
          }
        }
        """,
      #"""
      public extension School {
        struct Room {
          var name: String

          public static let classDescription = ObjectVault.ClassDescription(
            "Room",
            properties: [
              .init("name", String.self),
            ],
            objectID: ["name"]
          )

          /// The members of ``Room`` that conditions can name.
          public struct Properties: ObjectVault.ObjectProperties {
            private let _origin: ObjectVault.PropertyOrigin
            public init(origin: ObjectVault.PropertyOrigin) {
              self._origin = origin
            }
            var name: ObjectVault.Property<String> {
              self._origin.property("name")
            }
            static func _object(from row: ObjectVault.Row) throws -> Room {
              let value0: String = try row.value(at: 0)
              return Room(
                name: value0
              )
            }
          }

          public static var propertyNames: [Swift.AnyKeyPath: Swift.String] {
            [
              \Room.name: "name",
            ]
          }

          public typealias ObjectIDType = String

          public var storedObjectID: String? {
            self.name
          }
        }
      }

      extension School.Room: ObjectVault.StoredObject {
        public init(row: ObjectVault.Row) throws {
          self = try Properties._object(from: row)
        }

        public func encode(into binder: ObjectVault.Binder) throws {
          try binder.bind(self.name, at: 0)
        }
      }
      """#)
  }

  @Test("without properties")
  func empty() {
    expectExpansion(
      of: """
        @Stored
        struct Empty {
        }
        """,
      #"""
      struct Empty {

        /// The number the vault generated; `nil` until the object is stored.
        var objectID: Swift.Int64?

        static let classDescription = ObjectVault.ClassDescription(
          "Empty",
          properties: []
        )

        /// The members of ``Empty`` that conditions can name.
        struct Properties: ObjectVault.ObjectProperties {
          private let _origin: ObjectVault.PropertyOrigin
          init(origin: ObjectVault.PropertyOrigin) {
            self._origin = origin
          }
          var objectID: ObjectVault.Property<Swift.Int64> {
            self._origin.property("objectID")
          }
          static func _object(from row: ObjectVault.Row) throws -> Empty {
            let number: Swift.Int64? = try row.value(at: 0)
            return Empty(
              objectID: number
            )
          }
        }

        static var propertyNames: [Swift.AnyKeyPath: Swift.String] {
          [
            \Empty.objectID: "objectID",
          ]
        }
      }

      extension Empty: ObjectVault.StoredObject, ObjectVault.GeneratesObjectID {
        init(row: ObjectVault.Row) throws {
          self = try Properties._object(from: row)
        }

        func encode(into binder: ObjectVault.Binder) throws {

        }
      }
      """#)
  }
}
