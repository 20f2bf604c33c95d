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
        var objectID: Int64?

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
          var objectID: ObjectVault.Property<Int64> {
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

        static var propertyNames: [AnyKeyPath: String] {
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

  @Test("with names, indexes and properties left out, as visible as the type")
  func names() {
    expectExpansion(
      of: """
        @Stored(
          table: "pupils", renamedFrom: ["Child", "Kid"], indexes: [["age", "seat"]],
          unique: [["given", "age"]])
        public struct Pupil {
          @Column("given_name") public var given: String
          @Column(renamedFrom: "years", "lustra") @Indexed(unique: true) public var age: Int?
          public var seat: Int! = -1
          @Ignored var cache: [String] = []
        }
        """,
      #"""
      public struct Pupil {
        public var given: String
        public var age: Int?
        public var seat: Int! = -1
        var cache: [String] = []

        /// The number the vault generated; `nil` until the object is stored.
        public var objectID: Int64?

        public static let classDescription = ObjectVault.ClassDescription(
          "Pupil",
          table: "pupils",
          properties: [
            .init("given", String.self, column: "given_name"),
            .init("age", Int?.self, renamedFrom: ["years", "lustra"]),
            .init("seat", Int?.self, defaultValue: -1),
          ],
          indexes: [
            .init(["age"], unique: true),
            .init(["age", "seat"]),
            .init(["given", "age"], unique: true),
          ],
          renamedFrom: ["Child", "Kid"]
        )

        /// The members of ``Pupil`` that conditions can name.
        public struct Properties: ObjectVault.ObjectProperties {
          private let _origin: ObjectVault.PropertyOrigin
          public init(origin: ObjectVault.PropertyOrigin) {
            self._origin = origin
          }
          public var given: ObjectVault.Property<String> {
            self._origin.property("given")
          }
          public var age: ObjectVault.Property<Int?> {
            self._origin.property("age")
          }
          public var seat: ObjectVault.Property<Int?> {
            self._origin.property("seat")
          }
          public var objectID: ObjectVault.Property<Int64> {
            self._origin.property("objectID")
          }
        }

        public static var propertyNames: [AnyKeyPath: String] {
          [
            \Pupil.given: "given",
            \Pupil.age: "age",
            \Pupil.seat: "seat",
            \Pupil.objectID: "objectID",
          ]
        }
      }

      extension Pupil: ObjectVault.StoredObject, ObjectVault.GeneratesObjectID {
        public init(row: ObjectVault.Row) throws {
          self.given = try row.value(at: 0)
          self.age = try row.value(at: 1)
          self.seat = try row.value(at: 2)
          self.objectID = try row.value(at: 3)
        }

        public func encode(into binder: ObjectVault.Binder) throws {
          try binder.bind(self.given, at: 0)
          try binder.bind(self.age, at: 1)
          try binder.bind(self.seat, at: 2)
        }
      }
      """#)
  }

  @Test("with the properties that are listed and no others, in the order of the list")
  func listedProperties() {
    expectExpansion(
      of: """
        @Stored(only: ["seat", "name"])
        struct Student {
          @ObjectID var name: String
          var isSelected = false
          lazy var initials = name.prefix(1)
          var seat: Int = 0
        }
        """,
      #"""
      struct Student {
        var name: String
        var isSelected = false
        lazy var initials = name.prefix(1)
        var seat: Int = 0

        static let classDescription = ObjectVault.ClassDescription(
          "Student",
          properties: [
            .init("seat", Int.self, defaultValue: 0),
            .init("name", String.self),
          ],
          objectID: ["name"]
        )

        /// The members of ``Student`` that conditions can name.
        struct Properties: ObjectVault.ObjectProperties {
          private let _origin: ObjectVault.PropertyOrigin
          init(origin: ObjectVault.PropertyOrigin) {
            self._origin = origin
          }
          var seat: ObjectVault.Property<Int> {
            self._origin.property("seat")
          }
          var name: ObjectVault.Property<String> {
            self._origin.property("name")
          }
        }

        static var propertyNames: [AnyKeyPath: String] {
          [
            \Student.seat: "seat",
            \Student.name: "name",
          ]
        }

        typealias ObjectIDType = String

        var storedObjectID: String? {
          self.name
        }
      }

      extension Student: ObjectVault.StoredObject {
        init(row: ObjectVault.Row) throws {
          self.seat = try row.value(at: 0)
          self.name = try row.value(at: 1)
        }

        func encode(into binder: ObjectVault.Binder) throws {
          try binder.bind(self.seat, at: 0)
          try binder.bind(self.name, at: 1)
        }
      }
      """#)
  }

  @Test("with a table that is named by the plural")
  func pluralTable() {
    for argument in [".plural", "TableName.plural", "ObjectVault.TableName.plural"] {
      expectExpansion(
        of: """
          @Stored(table: \(argument))
          struct UserModel {
            @ObjectID var name: String
          }
          """,
        #"""
        struct UserModel {
          var name: String

          static let classDescription = ObjectVault.ClassDescription(
            "UserModel",
            table: "users",
            properties: [
              .init("name", String.self),
            ],
            objectID: ["name"]
          )

          /// The members of ``UserModel`` that conditions can name.
          struct Properties: ObjectVault.ObjectProperties {
            private let _origin: ObjectVault.PropertyOrigin
            init(origin: ObjectVault.PropertyOrigin) {
              self._origin = origin
            }
            var name: ObjectVault.Property<String> {
              self._origin.property("name")
            }
            static func _object(from row: ObjectVault.Row) throws -> UserModel {
              let value0: String = try row.value(at: 0)
              return UserModel(
                name: value0
              )
            }
          }

          static var propertyNames: [AnyKeyPath: String] {
            [
              \UserModel.name: "name",
            ]
          }

          typealias ObjectIDType = String

          var storedObjectID: String? {
            self.name
          }
        }

        extension UserModel: ObjectVault.StoredObject {
          init(row: ObjectVault.Row) throws {
            self = try Properties._object(from: row)
          }

          func encode(into binder: ObjectVault.Binder) throws {
            try binder.bind(self.name, at: 0)
          }
        }
        """#)
    }
  }

  @Test("with one property as the objectID")
  func boundObjectID() {
    expectExpansion(
      of: """
        @Stored
        package struct Country {
          package var name: String
          @ObjectID package let code: String
        }
        """,
      #"""
      package struct Country {
        package var name: String
        package let code: String

        package static let classDescription = ObjectVault.ClassDescription(
          "Country",
          properties: [
            .init("name", String.self),
            .init("code", String.self),
          ],
          objectID: ["code"]
        )

        /// The members of ``Country`` that conditions can name.
        package struct Properties: ObjectVault.ObjectProperties {
          private let _origin: ObjectVault.PropertyOrigin
          package init(origin: ObjectVault.PropertyOrigin) {
            self._origin = origin
          }
          package var name: ObjectVault.Property<String> {
            self._origin.property("name")
          }
          package var code: ObjectVault.Property<String> {
            self._origin.property("code")
          }
          static func _object(from row: ObjectVault.Row) throws -> Country {
            let value0: String = try row.value(at: 0)
            let value1: String = try row.value(at: 1)
            return Country(
              name: value0,
              code: value1
            )
          }
        }

        package static var propertyNames: [AnyKeyPath: String] {
          [
            \Country.name: "name",
            \Country.code: "code",
          ]
        }

        package typealias ObjectIDType = String

        package var storedObjectID: String? {
          self.code
        }
      }

      extension Country: ObjectVault.StoredObject {
        package init(row: ObjectVault.Row) throws {
          self = try Properties._object(from: row)
        }

        package func encode(into binder: ObjectVault.Binder) throws {
          try binder.bind(self.name, at: 0)
          try binder.bind(self.code, at: 1)
        }
      }
      """#)
  }

  @Test("with an optional objectID, which the vault may fill in")
  func optionalObjectID() {
    expectExpansion(
      of: """
        @Stored
        struct Ticket {
          @ObjectID var number: Int?
        }
        """,
      #"""
      struct Ticket {
        var number: Int?

        static let classDescription = ObjectVault.ClassDescription(
          "Ticket",
          properties: [
            .init("number", Int?.self),
          ],
          objectID: ["number"]
        )

        /// The members of ``Ticket`` that conditions can name.
        struct Properties: ObjectVault.ObjectProperties {
          private let _origin: ObjectVault.PropertyOrigin
          init(origin: ObjectVault.PropertyOrigin) {
            self._origin = origin
          }
          var number: ObjectVault.Property<Int?> {
            self._origin.property("number")
          }
          static func _object(from row: ObjectVault.Row) throws -> Ticket {
            let value0: Int? = try row.value(at: 0)
            return Ticket(
              number: value0
            )
          }
        }

        static var propertyNames: [AnyKeyPath: String] {
          [
            \Ticket.number: "number",
          ]
        }

        typealias ObjectIDType = Int

        var storedObjectID: Int? {
          self.number
        }

        mutating func assignObjectID(_ id: Int) {
          self.number = id
        }
      }

      extension Ticket: ObjectVault.StoredObject {
        init(row: ObjectVault.Row) throws {
          self = try Properties._object(from: row)
        }

        func encode(into binder: ObjectVault.Binder) throws {
          try binder.bind(self.number, at: 0)
        }
      }
      """#)
  }

  @Test("with several properties as the objectID")
  func compositeObjectID() {
    expectExpansion(
      of: """
        @Stored
        public struct Subdivision {
          @ObjectID public var country: String
          @ObjectID public var `in`: Int
          public var name: String
        }
        """,
      #"""
      public struct Subdivision {
        public var country: String
        public var `in`: Int
        public var name: String

        public static let classDescription = ObjectVault.ClassDescription(
          "Subdivision",
          properties: [
            .init("country", String.self),
            .init("in", Int.self),
            .init("name", String.self),
          ],
          objectID: ["country", "in"]
        )

        /// The members of ``Subdivision`` that conditions can name.
        public struct Properties: ObjectVault.ObjectProperties {
          private let _origin: ObjectVault.PropertyOrigin
          public init(origin: ObjectVault.PropertyOrigin) {
            self._origin = origin
          }
          public var country: ObjectVault.Property<String> {
            self._origin.property("country")
          }
          public var `in`: ObjectVault.Property<Int> {
            self._origin.property("in")
          }
          public var name: ObjectVault.Property<String> {
            self._origin.property("name")
          }
          static func _object(from row: ObjectVault.Row) throws -> Subdivision {
            let value0: String = try row.value(at: 0)
            let value1: Int = try row.value(at: 1)
            let value2: String = try row.value(at: 2)
            return Subdivision(
              country: value0,
              in: value1,
              name: value2
            )
          }
        }

        public static var propertyNames: [AnyKeyPath: String] {
          [
            \Subdivision.country: "country",
            \Subdivision.`in`: "in",
            \Subdivision.name: "name",
          ]
        }

        /// The objectID of ``Subdivision``.
        public struct CompositeID: ObjectVault.ObjectIDValue {
          public var country: String
          public var `in`: Int

          public init(country: String, `in`: Int) {
            self.country = country
            self.`in` = `in`
          }

          public var objectIDParts: [ObjectVault.StoredValue] {
            get throws {
              try self.country.objectIDParts + self.`in`.objectIDParts
            }
          }

          public func bindObjectID(to binder: ObjectVault.Binder, at position: Int) throws {
            try self.country.bindObjectID(to: binder, at: position)
            try self.`in`.bindObjectID(to: binder, at: position + 1)
          }

          public static var objectIDForm: [ObjectVault.ObjectIDPart] {
            ObjectVault.ObjectIDPart.parts("country", String.self)
              + ObjectVault.ObjectIDPart.parts("in", Int.self)
          }

          public static var objectIDPartCount: Int {
            String.objectIDPartCount + Int.objectIDPartCount
          }

          public static func readObjectID(
            from row: ObjectVault.Row, at position: Int
          ) throws -> CompositeID {
            try CompositeID(country: .readObjectID(from: row, at: position), in: .readObjectID(from: row, at: position + 1))
          }
        }

        public typealias ObjectIDType = CompositeID

        public var storedObjectID: CompositeID? {
          CompositeID(country: self.country, in: self.`in`)
        }
      }

      extension Subdivision: ObjectVault.StoredObject {
        public init(row: ObjectVault.Row) throws {
          self = try Properties._object(from: row)
        }

        public func encode(into binder: ObjectVault.Binder) throws {
          try binder.bind(self.country, at: 0)
          try binder.bind(self.`in`, at: 1)
          try binder.bind(self.name, at: 2)
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
        var objectID: Int64?

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
          var objectID: ObjectVault.Property<Int64> {
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

        static var propertyNames: [AnyKeyPath: String] {
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
        var objectID: Int64?

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
          var objectID: ObjectVault.Property<Int64> {
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

        static var propertyNames: [AnyKeyPath: String] {
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

          public static var propertyNames: [AnyKeyPath: String] {
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

  @Test("with definitions of columns and of the table, as they are written")
  func definitions() {
    expectExpansion(
      of: """
        @Stored(
          columnOrder: .listed(["town"]), withoutRowID: true, insertionTime: true,
          history: .changes)
        struct Person {
          @ObjectID @Column("n", renamedFrom: "m", length: .atMost(40)) var name: String
          @Column(type: "DATETIME", constraints: "CHECK (1)") var born: Date?
          var town: String
        }
        """,
      #"""
      struct Person {
        var name: String
        var born: Date?
        var town: String

        static let classDescription = ObjectVault.ClassDescription(
          "Person",
          properties: [
            .init("name", String.self, column: "n", renamedFrom: ["m"]).columnDefined(length: .atMost(40)),
            .init("born", Date?.self).columnDefined(type: "DATETIME", constraints: "CHECK (1)"),
            .init("town", String.self),
          ],
          objectID: ["name"],
          options: .init(columnOrder: .listed(["town"]), withoutRowID: true, insertionTime: true, history: .changes)
        )

        /// The members of ``Person`` that conditions can name.
        struct Properties: ObjectVault.ObjectProperties {
          private let _origin: ObjectVault.PropertyOrigin
          init(origin: ObjectVault.PropertyOrigin) {
            self._origin = origin
          }
          var name: ObjectVault.Property<String> {
            self._origin.property("name")
          }
          var born: ObjectVault.Property<Date?> {
            self._origin.property("born")
          }
          var town: ObjectVault.Property<String> {
            self._origin.property("town")
          }
          static func _object(from row: ObjectVault.Row) throws -> Person {
            let value0: String = try row.value(at: 0)
            let value1: Date? = try row.value(at: 1)
            let value2: String = try row.value(at: 2)
            return Person(
              name: value0,
              born: value1,
              town: value2
            )
          }
        }

        static var propertyNames: [AnyKeyPath: String] {
          [
            \Person.name: "name",
            \Person.born: "born",
            \Person.town: "town",
          ]
        }

        typealias ObjectIDType = String

        var storedObjectID: String? {
          self.name
        }
      }

      extension Person: ObjectVault.StoredObject {
        init(row: ObjectVault.Row) throws {
          self = try Properties._object(from: row)
        }

        func encode(into binder: ObjectVault.Binder) throws {
          try binder.bind(self.name, at: 0)
          try binder.bind(self.born, at: 1)
          try binder.bind(self.town, at: 2)
        }
      }
      """#)
  }

  @Test("with properties that are searched for words, by the module asked for")
  func searched() {
    expectExpansion(
      of: """
        @Stored(search: .fts5)
        struct Note {
          @Searchable(tokenizer: .trigram) var title: String
          @Searchable(tokenizer: .trigram) var text: String?
        }
        """,
      #"""
      struct Note {
        var title: String
        var text: String?

        /// The number the vault generated; `nil` until the object is stored.
        var objectID: Int64?

        static let classDescription = ObjectVault.ClassDescription(
          "Note",
          properties: [
            .init("title", String.self),
            .init("text", String?.self),
          ],
          search: .init(["title", "text"], module: .fts5, tokenizer: .trigram)
        )

        /// The members of ``Note`` that conditions can name.
        struct Properties: ObjectVault.ObjectProperties {
          private let _origin: ObjectVault.PropertyOrigin
          init(origin: ObjectVault.PropertyOrigin) {
            self._origin = origin
          }
          var title: ObjectVault.Property<String> {
            self._origin.property("title")
          }
          var text: ObjectVault.Property<String?> {
            self._origin.property("text")
          }
          var objectID: ObjectVault.Property<Int64> {
            self._origin.property("objectID")
          }
          static func _object(from row: ObjectVault.Row) throws -> Note {
            let value0: String = try row.value(at: 0)
            let value1: String? = try row.value(at: 1)
            let number: Swift.Int64? = try row.value(at: 2)
            return Note(
              title: value0,
              text: value1,
              objectID: number
            )
          }
        }

        static var propertyNames: [AnyKeyPath: String] {
          [
            \Note.title: "title",
            \Note.text: "text",
            \Note.objectID: "objectID",
          ]
        }
      }

      extension Note: ObjectVault.StoredObject, ObjectVault.GeneratesObjectID {
        init(row: ObjectVault.Row) throws {
          self = try Properties._object(from: row)
        }

        func encode(into binder: ObjectVault.Binder) throws {
          try binder.bind(self.title, at: 0)
          try binder.bind(self.text, at: 1)
        }
      }
      """#)
  }

  @Test("with bytes that objects share")
  func shared() {
    expectExpansion(
      of: """
        @Stored
        struct Photo {
          @ObjectID var name: String
          @SharedBlob var picture: Data
          @SharedBlob @Column("thumb") var preview: [UInt8]?
        }
        """,
      #"""
      struct Photo {
        var name: String
        var picture: Data
        var preview: [UInt8]?

        static let classDescription = ObjectVault.ClassDescription(
          "Photo",
          properties: [
            .init("name", String.self),
            .init("picture", Data.self).shared(),
            .init("preview", [UInt8]?.self, column: "thumb").shared(),
          ],
          objectID: ["name"]
        )

        /// The members of ``Photo`` that conditions can name.
        struct Properties: ObjectVault.ObjectProperties {
          private let _origin: ObjectVault.PropertyOrigin
          init(origin: ObjectVault.PropertyOrigin) {
            self._origin = origin
          }
          var name: ObjectVault.Property<String> {
            self._origin.property("name")
          }
          var picture: ObjectVault.Property<Data> {
            self._origin.property("picture")
          }
          var preview: ObjectVault.Property<[UInt8]?> {
            self._origin.property("preview")
          }
          static func _object(from row: ObjectVault.Row) throws -> Photo {
            let value0: String = try row.value(at: 0)
            let value1: Data = try row.value(at: 1)
            let value2: [UInt8]? = try row.value(at: 2)
            return Photo(
              name: value0,
              picture: value1,
              preview: value2
            )
          }
        }

        static var propertyNames: [AnyKeyPath: String] {
          [
            \Photo.name: "name",
            \Photo.picture: "picture",
            \Photo.preview: "preview",
          ]
        }

        typealias ObjectIDType = String

        var storedObjectID: String? {
          self.name
        }
      }

      extension Photo: ObjectVault.StoredObject {
        init(row: ObjectVault.Row) throws {
          self = try Properties._object(from: row)
        }

        func encode(into binder: ObjectVault.Binder) throws {
          try binder.bind(self.name, at: 0)
          try binder.bind(self.picture, at: 1)
          try binder.bind(self.preview, at: 2)
        }
      }
      """#)
  }

  @Test("with a property that is sealed by an erasable key")
  func erasable() {
    expectExpansion(
      of: """
        @Stored
        struct Person {
          @ObjectID var key: UUID
          @Sealed(by: \\Person.key) var iban: String?
        }
        """,
      #"""
      struct Person {
        var key: UUID
        var iban: String?

        static let classDescription = ObjectVault.ClassDescription(
          "Person",
          properties: [
            .init("key", UUID.self),
            .init("iban", String?.self).sealed(by: "key"),
          ],
          objectID: ["key"]
        )

        /// The members of ``Person`` that conditions can name.
        struct Properties: ObjectVault.ObjectProperties {
          private let _origin: ObjectVault.PropertyOrigin
          init(origin: ObjectVault.PropertyOrigin) {
            self._origin = origin
          }
          var key: ObjectVault.Property<UUID> {
            self._origin.property("key")
          }
          var iban: ObjectVault.Property<String?> {
            self._origin.property("iban")
          }
          static func _object(from row: ObjectVault.Row) throws -> Person {
            let value0: UUID = try row.value(at: 0)
            let value1: String? = try row.value(at: 1)
            return Person(
              key: value0,
              iban: value1
            )
          }
        }

        static var propertyNames: [AnyKeyPath: String] {
          [
            \Person.key: "key",
            \Person.iban: "iban",
          ]
        }

        typealias ObjectIDType = UUID

        var storedObjectID: UUID? {
          self.key
        }
      }

      extension Person: ObjectVault.StoredObject {
        init(row: ObjectVault.Row) throws {
          self = try Properties._object(from: row)
        }

        func encode(into binder: ObjectVault.Binder) throws {
          try binder.bind(self.key, at: 0)
          try binder.bind(self.iban, at: 1)
        }
      }
      """#)
  }

  @Test("with sealed properties")
  func sealed() {
    expectExpansion(
      of: """
        @Stored
        struct Patient {
          @ObjectID var name: String
          @Sealed var picture: Data
          @Sealed(.findable) @Column("thumb") var preview: [UInt8]?
        }
        """,
      #"""
      struct Patient {
        var name: String
        var picture: Data
        var preview: [UInt8]?

        static let classDescription = ObjectVault.ClassDescription(
          "Patient",
          properties: [
            .init("name", String.self),
            .init("picture", Data.self).sealed(),
            .init("preview", [UInt8]?.self, column: "thumb").sealed(.findable),
          ],
          objectID: ["name"]
        )

        /// The members of ``Patient`` that conditions can name.
        struct Properties: ObjectVault.ObjectProperties {
          private let _origin: ObjectVault.PropertyOrigin
          init(origin: ObjectVault.PropertyOrigin) {
            self._origin = origin
          }
          var name: ObjectVault.Property<String> {
            self._origin.property("name")
          }
          var picture: ObjectVault.Property<Data> {
            self._origin.property("picture")
          }
          var preview: ObjectVault.Property<[UInt8]?> {
            self._origin.property("preview")
          }
          static func _object(from row: ObjectVault.Row) throws -> Patient {
            let value0: String = try row.value(at: 0)
            let value1: Data = try row.value(at: 1)
            let value2: [UInt8]? = try row.value(at: 2)
            return Patient(
              name: value0,
              picture: value1,
              preview: value2
            )
          }
        }

        static var propertyNames: [AnyKeyPath: String] {
          [
            \Patient.name: "name",
            \Patient.picture: "picture",
            \Patient.preview: "preview",
          ]
        }

        typealias ObjectIDType = String

        var storedObjectID: String? {
          self.name
        }
      }

      extension Patient: ObjectVault.StoredObject {
        init(row: ObjectVault.Row) throws {
          self = try Properties._object(from: row)
        }

        func encode(into binder: ObjectVault.Binder) throws {
          try binder.bind(self.name, at: 0)
          try binder.bind(self.picture, at: 1)
          try binder.bind(self.preview, at: 2)
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
        var objectID: Int64?

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
          var objectID: ObjectVault.Property<Int64> {
            self._origin.property("objectID")
          }
          static func _object(from row: ObjectVault.Row) throws -> Empty {
            let number: Swift.Int64? = try row.value(at: 0)
            return Empty(
              objectID: number
            )
          }
        }

        static var propertyNames: [AnyKeyPath: String] {
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
