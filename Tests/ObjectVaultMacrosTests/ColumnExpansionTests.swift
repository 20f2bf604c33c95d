import Testing

@Suite("What @Stored writes for columns")
struct ColumnExpansionTests {
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

        static var propertyNames: [Swift.AnyKeyPath: Swift.String] {
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
        var objectID: Swift.Int64?

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
          var objectID: ObjectVault.Property<Swift.Int64> {
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

        static var propertyNames: [Swift.AnyKeyPath: Swift.String] {
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

        static var propertyNames: [Swift.AnyKeyPath: Swift.String] {
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

        static var propertyNames: [Swift.AnyKeyPath: Swift.String] {
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

        static var propertyNames: [Swift.AnyKeyPath: Swift.String] {
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
}
