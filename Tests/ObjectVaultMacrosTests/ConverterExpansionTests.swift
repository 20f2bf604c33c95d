import Testing

@Suite("@Stored with converters writes") struct ConverterExpansionTests {
  @Test("their names into the type, and what reads and binds through them into its extension")
  func members() {
    expectExpansion(
      of: """
        @Stored
        public struct Tag {
          @ObjectID public var name: String
          @Column("tint", converter: Outer.Hex.self) @Indexed(unique: true) public var colour: Colour
          @Column(converter: Hex.self, length: .atMost(7)) private var border: Colour? = nil
          @Column(converter: Shapes<Int>.self) var shape: any Shape
          @Column(converter: Words.self) @Searchable var words: Words.Value = []
        }
        """,
      #"""
      public struct Tag {
        public var name: String
        public var colour: Colour
        private var border: Colour? = nil
        var shape: any Shape
        var words: Words.Value = []

        public static let classDescription = ObjectVault.ClassDescription(
          "Tag",
          properties: [
            .init("name", String.self),
            .init("colour", Colour.self, converter: Outer.Hex.self, column: "tint"),
            .init("border", Colour?.self, converter: Hex.self).columnDefined(length: .atMost(7)),
            .init("shape", (any Shape).self, converter: Shapes<Int>.self),
            .init("words", Words.Value.self, converter: Words.self, defaultValue: []),
          ],
          objectID: ["name"],
          indexes: [.init(["colour"], unique: true)],
          search: .init(["words"])
        )

        /// The members of ``Tag`` that conditions can name.
        public struct Properties: ObjectVault.ObjectProperties {
          private let _origin: ObjectVault.PropertyOrigin
          public init(origin: ObjectVault.PropertyOrigin) {
            self._origin = origin
          }
          public var name: ObjectVault.Property<String> {
            self._origin.property("name")
          }
          public var colour: ObjectVault.ConvertedProperty<Outer.Hex, Colour> {
            self._origin.property("colour")
          }
          fileprivate var border: ObjectVault.ConvertedProperty<Hex, Colour?> {
            self._origin.property("border")
          }
          var shape: ObjectVault.ConvertedProperty<Shapes<Int>, any Shape> {
            self._origin.property("shape")
          }
          var words: ObjectVault.ConvertedProperty<Words, Words.Value> {
            self._origin.property("words")
          }
          typealias _Converter0 = Outer.Hex
          fileprivate typealias _Converter1 = Hex
          typealias _Converter2 = Shapes<Int>
          typealias _Converter3 = Words
          static func _object(from row: ObjectVault.Row) throws -> Tag {
            let value0: String = try row.value(at: 0)
            let value1: Colour = try row.value(at: 1, through: Properties._Converter0.self)
            let value2: Colour? = try row.value(at: 2, through: Properties._Converter1.self)
            let value3: any Shape = try row.value(at: 3, through: Properties._Converter2.self)
            let value4: Words.Value = try row.value(at: 4, through: Properties._Converter3.self)
            return Tag(
              name: value0,
              colour: value1,
              border: value2,
              shape: value3,
              words: value4
            )
          }
        }

        public static var propertyNames: [Swift.AnyKeyPath: Swift.String] {
          [
            \Tag.name: "name",
            \Tag.colour: "colour",
            \Tag.border: "border",
            \Tag.shape: "shape",
            \Tag.words: "words",
          ]
        }

        public typealias ObjectIDType = String

        public var storedObjectID: String? {
          self.name
        }
      }

      extension Tag: ObjectVault.StoredObject {
        public init(row: ObjectVault.Row) throws {
          self = try Properties._object(from: row)
        }

        public func encode(into binder: ObjectVault.Binder) throws {
          try binder.bind(self.name, at: 0)
          try binder.bind(self.colour, at: 1, through: Properties._Converter0.self)
          try binder.bind(self.border, at: 2, through: Properties._Converter1.self)
          try binder.bind(self.shape, at: 3, through: Properties._Converter2.self)
          try binder.bind(self.words, at: 4, through: Properties._Converter3.self)
        }
      }
      """#)
  }
}
