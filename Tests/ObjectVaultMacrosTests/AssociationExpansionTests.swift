import Testing

@Suite("What @Stored writes for associations")
struct AssociationExpansionTests {
  @Test("a reference is described with its target, and columns are counted behind it")
  func references() {
    expectExpansion(
      of: """
        @Stored
        struct Book {
          @ObjectID @Column("isbn_13") var isbn: String
          @Column("place") @Reference(onDelete: .cascade) var shelf: Ref<Shelf>?
          var pages: Int
          var position: Int = 0
          var author: Ref<Person>
          var year: Int
        }
        """,
      #"""
      struct Book {
        var isbn: String
        var shelf: Ref<Shelf>?
        var pages: Int
        var position: Int = 0
        var author: Ref<Person>
        var year: Int

        static let classDescription = ObjectVault.ClassDescription(
          "Book",
          members: [
            .property(.init("isbn", String.self, column: "isbn_13")),
            .reference("shelf", Ref<Shelf>?.self, column: "place", onDelete: .cascade),
            .property(.init("pages", Int.self)),
            .property(.init("position", Int.self, defaultValue: 0)),
            .reference("author", Ref<Person>.self),
            .property(.init("year", Int.self)),
          ],
          objectID: ["isbn"]
        )

        static var referenceTarget: ObjectVault.ReferenceTarget {
          ObjectVault.ReferenceTarget(table: "Book", columns: ObjectVault.ReferenceTarget.columns("isbn_13", String.self))
        }

        static var referencedClasses: [any ObjectVault.StoredObject.Type] {
          [(Ref<Shelf>?).referencedClass, (Ref<Person>).referencedClass]
        }

        /// The members of ``Book`` that conditions can name.
        struct Properties: ObjectVault.ObjectProperties {
          private let _origin: ObjectVault.PropertyOrigin
          init(origin: ObjectVault.PropertyOrigin) {
            self._origin = origin
          }
          var isbn: ObjectVault.Property<String> {
            self._origin.property("isbn")
          }
          var shelf: ObjectVault.RelatedObject<Shelf> {
            self._origin.object("shelf")
          }
          var pages: ObjectVault.Property<Int> {
            self._origin.property("pages")
          }
          var position: ObjectVault.Property<Int> {
            self._origin.property("position")
          }
          var author: ObjectVault.RelatedObject<Person> {
            self._origin.object("author")
          }
          var year: ObjectVault.Property<Int> {
            self._origin.property("year")
          }
          static func _object(from row: ObjectVault.Row) throws -> Book {
            let value0: String = try row.value(at: 0)
            var position = 1
            let value1: Ref<Shelf>? = try row.reference(advancing: &position)
            let value2: Int = try row.value(at: position)
            let value3: Int = try row.value(at: position + 1)
            position += 2
            let value4: Ref<Person> = try row.reference(advancing: &position)
            let value5: Int = try row.value(at: position)
            return Book(
              isbn: value0,
              shelf: value1,
              pages: value2,
              position: value3,
              author: value4,
              year: value5
            )
          }
        }

        static var propertyNames: [Swift.AnyKeyPath: Swift.String] {
          [
            \Book.isbn: "isbn",
            \Book.shelf: "shelf",
            \Book.pages: "pages",
            \Book.position: "position",
            \Book.author: "author",
            \Book.year: "year",
          ]
        }

        typealias ObjectIDType = String

        var storedObjectID: String? {
          self.isbn
        }
      }

      extension Book: ObjectVault.StoredObject {
        init(row: ObjectVault.Row) throws {
          self = try Properties._object(from: row)
        }

        func encode(into binder: ObjectVault.Binder) throws {
          try binder.bind(self.isbn, at: 0)
          var position = 1
          try binder.bind(reference: self.shelf, advancing: &position)
          try binder.bind(self.pages, at: position)
          try binder.bind(self.position, at: position + 1)
          position += 2
          try binder.bind(reference: self.author, advancing: &position)
          try binder.bind(self.year, at: position)
        }
      }
      """#)
  }

  @Test("owned objects have no column, and are read by the store")
  func owned() {
    expectExpansion(
      of: #"""
        @Stored(table: "rooms")
        struct Room {
          var floor: Int
          @Owned(by: \Pupil.room, sortedBy: \Pupil.seat, \Pupil.name) var pupils: [Pupil]?
          @Owned(by: \Teacher.room) var teacher: Teacher?
          @Owned(by: \Lesson.room, ordered: true) var lessons: [Lesson]?
        }
        """#,
      #"""
      struct Room {
        var floor: Int
        var pupils: [Pupil]?
        var teacher: Teacher?
        var lessons: [Lesson]?

        /// The number the vault generated; `nil` until the object is stored.
        var objectID: Swift.Int64?

        static let classDescription = ObjectVault.ClassDescription(
          "Room",
          table: "rooms",
          members: [
            .property(.init("floor", Int.self)),
            .owned("pupils", Pupil.self, reference: "room", sortedBy: ["seat", "name"]),
            .owned("teacher", Teacher.self, reference: "room", isMany: false),
            .owned("lessons", Lesson.self, reference: "room", ordered: true),
          ]
        )

        static var referenceTarget: ObjectVault.ReferenceTarget {
          ObjectVault.ReferenceTarget(table: "rooms")
        }

        static var referencedClasses: [any ObjectVault.StoredObject.Type] {
          [Pupil.self, Teacher.self, Lesson.self]
        }

        static var ownedProperties: [ObjectVault.OwnedProperty<Room>] {
          [.many(\.pupils, by: \Pupil.room), .one(\.teacher, by: \Teacher.room), .many(\.lessons, by: \Lesson.room)]
        }

        /// The members of ``Room`` that conditions can name.
        struct Properties: ObjectVault.ObjectProperties {
          private let _origin: ObjectVault.PropertyOrigin
          init(origin: ObjectVault.PropertyOrigin) {
            self._origin = origin
          }
          var floor: ObjectVault.Property<Int> {
            self._origin.property("floor")
          }
          var objectID: ObjectVault.Property<Swift.Int64> {
            self._origin.property("objectID")
          }
          var pupils: ObjectVault.RelatedObjects<Pupil> {
            self._origin.objects("pupils")
          }
          var teacher: ObjectVault.RelatedObject<Teacher> {
            self._origin.object("teacher")
          }
          var lessons: ObjectVault.RelatedObjects<Lesson> {
            self._origin.objects("lessons")
          }
        }

        static var propertyNames: [Swift.AnyKeyPath: Swift.String] {
          [
            \Room.floor: "floor",
            \Room.pupils: "pupils",
            \Room.teacher: "teacher",
            \Room.lessons: "lessons",
            \Room.objectID: "objectID",
          ]
        }
      }

      extension Room: ObjectVault.StoredObject, ObjectVault.GeneratesObjectID {
        init(row: ObjectVault.Row) throws {
          self.floor = try row.value(at: 0)
          self.objectID = try row.value(at: 1)
          self.pupils = nil
          self.teacher = nil
          self.lessons = nil
        }

        func encode(into binder: ObjectVault.Binder) throws {
          try binder.bind(self.floor, at: 0)
        }
      }
      """#)
  }
}

@Suite("The key path of an association")
struct AssociationPathTests {
  @Test("can name a nested class")
  func nested() {
    let text = expansion(
      #"""
      @Stored struct Room {
        @Owned(by: \School.Student.room, sortedBy: \School.Student.seat, \A.B.Student.name)
        var students: [School.Student]?
      }
      """#)
    #expect(text.contains(#".many(\.students, by: \School.Student.room)"#))
    #expect(text.contains(#"reference: "room", sortedBy: ["seat", "name"])"#))
  }

  @Test("can name the nested class that contains it")
  func key() {
    let text = expansion(
      #"@Stored struct Note { var key: UUID; @Sealed(by: \School.Note.key) var text: String? }"#)
    #expect(text.contains(#".sealed(by: "key")"#))
  }

  @Test(
    "names exactly one property",
    arguments: [
      #"\Student.info.room"#, #"\School.Student.info.room"#, #"\Student.info.Room.room"#,
      #"\Student.rooms[0]"#, #"\Student.room?.name"#, #"\Student?.Kind.room"#, #"\.room"#,
    ])
  func one(path: String) {
    #expect(
      expansion("@Stored struct Room { @Owned(by: \(path)) var students: [Student]? }")
        .contains("name the owner of 'students' by a key path"))
  }

  @Test("names a key of the same class", arguments: [#"\School.Other.key"#, #"\Note.Other.key"#])
  func ofClass(path: String) {
    #expect(
      expansion("@Stored struct Note { var key: UUID; @Sealed(by: \(path)) var text: String? }")
        .contains("name its key by a property of 'Note'"))
  }
}

@Suite("Mistakes in associations")
struct AssociationDiagnosticsTests {
  @Test(
    "are reported with what mends them",
    arguments: [
      Mistake(
        "@Stored struct A { @Reference(onDelete: 👉.nullify) var b: Ref<B> }",
        "'b' is not optional: removing the referenced object cannot set it to nil",
        fixes: [
          "make it 'Ref<B>?'": "@Stored struct A { @Reference(onDelete: .nullify) var b: Ref<B>? }",
          "use '.deny'": "@Stored struct A { @Reference(onDelete: .deny) var b: Ref<B> }",
        ]),
      Mistake(
        "@Stored struct A { 👉@Reference(onDelete: .deny) var b: Int }",
        "'b' is not a reference: write its type as 'Ref<…>' or 'Ref<…>?'",
        fixes: ["remove '@Reference'": "@Stored struct A { var b: Int }"]),
      Mistake(
        #"@Stored struct A { @Owned(by: \B.a) var bs: 👉[B] }"#,
        "'bs' must be optional: 'nil' indicates owned objects that are not loaded and that "
          + "saving the owner does not change",
        fixes: ["make it '[B]?'": #"@Stored struct A { @Owned(by: \B.a) var bs: [B]? }"#]),
      Mistake(
        #"@Stored struct A { @Owned(by: \B.a) 👉let b: B? }"#,
        "owned objects must be a 'var': the vault sets and clears them",
        fixes: ["make it a 'var'": #"@Stored struct A { @Owned(by: \B.a) var b: B? }"#]),
      Mistake(
        #"@Stored struct A { @Owned(by: 👉\B.a.c) var b: B? }"#,
        #"name the owner of 'b' by a key path, such as '\Student.classroom'"#),
      Mistake(
        #"@Stored struct A { @Owned(by: \B.a) var bs: [B]?; @Owned(by: 👉\B.a) var cs: [B]? }"#,
        "'cs' has the same reference as 'bs': keep one of them, or declare a reference for each"),
      Mistake(
        #"@Stored struct A { @Owned(by: \B.a, 👉ordered: true) var b: B? }"#,
        "'b' is a single object, which has no order"),
      Mistake(
        #"@Stored struct A { @Owned(by: \B.a, sortedBy: \B.n, 👉ordered: true) var bs: [B]? }"#,
        "'bs' is sorted by properties: its order cannot be stored too"),
      Mistake(
        #"@Stored struct A { @Owned(by: \B.a, ordered: 👉isOrdered) var bs: [B]? }"#,
        "'ordered' of 'bs' must be 'true' or 'false'"),
      Mistake(
        #"@Stored struct A { 👉@Indexed @Owned(by: \B.a) var b: B? }"#,
        "'@Indexed' has no effect: owned objects have no column here",
        fixes: ["remove '@Indexed'": #"@Stored struct A { @Owned(by: \B.a) var b: B? }"#]),
    ])
  func mistakes(mistake: Mistake) {
    expect(mistake)
  }
}
