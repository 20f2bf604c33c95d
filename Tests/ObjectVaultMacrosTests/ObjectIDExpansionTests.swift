import Testing

@Suite("What @Stored writes for an object ID")
struct ObjectIDExpansionTests {
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

        package static var propertyNames: [Swift.AnyKeyPath: Swift.String] {
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

        static var propertyNames: [Swift.AnyKeyPath: Swift.String] {
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

        public static var propertyNames: [Swift.AnyKeyPath: Swift.String] {
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

          public func bindObjectID(to binder: ObjectVault.Binder, at position: Swift.Int) throws {
            try self.country.bindObjectID(to: binder, at: position)
            try self.`in`.bindObjectID(to: binder, at: position + 1)
          }

          public static var objectIDForm: [ObjectVault.ObjectIDPart] {
            ObjectVault.ObjectIDPart.parts("country", String.self)
              + ObjectVault.ObjectIDPart.parts("in", Int.self)
          }

          public static var objectIDPartCount: Swift.Int {
            String.objectIDPartCount + Int.objectIDPartCount
          }

          public static func readObjectID(
            from row: ObjectVault.Row, at position: Swift.Int
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
}
