import Testing

@Suite("What @Stored writes for a table")
struct TableExpansionTests {
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
        public var objectID: Swift.Int64?

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
          public var objectID: ObjectVault.Property<Swift.Int64> {
            self._origin.property("objectID")
          }
        }

        public static var propertyNames: [Swift.AnyKeyPath: Swift.String] {
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

        static var propertyNames: [Swift.AnyKeyPath: Swift.String] {
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

          static var propertyNames: [Swift.AnyKeyPath: Swift.String] {
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
}
