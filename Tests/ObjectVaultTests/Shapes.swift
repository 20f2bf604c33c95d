public import Foundation
public import ObjectVault

// Types of every shape the macro accepts. That they compile is half of the test.

@Stored(table: "pupils", indexes: [["age", "seat"]], unique: [["family", "given"]])
struct Pupil: Equatable {
  @Column("given_name") var given: String
  @Column("family_name", renamedFrom: "surname", "last_name") var family: String
  @Indexed var age: Int
  @Indexed(unique: true) var number: String?
  var seat: Int = 0
  @Ignored var isSelected = false
  @Ignored var cache: [String: Int]?
}

@Stored
struct Defaults: Equatable {
  var whole = 7
  var negative = -7
  var part = 1.5
  var text = "a \"quoted\"\n\u{e9}"
  var flag = true
  var ratio: Double = 1
  var exact: Decimal = 2.5
  var letter: Character = "x"
  var list: [Int] = [1, -2]
  var table: [String: [Int]] = ["a": []]
  var maybe: String? = "set"
  var nothing: String? = nil
  var made: UUID = UUID()
  var level: Level = .low
}

@Stored
struct Address {
  var zip: String
  var n: Int
}

extension Address {
  /// An initializer that Swift prefers to the memberwise one, which has an argument `objectID`.
  init(zip: String, n: Int) {
    self.zip = zip.filter(\.isNumber)
    self.n = -n
  }
}

@Stored
struct Country: Equatable {
  @ObjectID let code: String
  var name: String
}

@Stored
struct Subdivision: Equatable {
  var name: String
  @ObjectID var country: String
  @ObjectID let code: Int
}

@Stored
struct Ticket: Equatable {
  @ObjectID var number: Int?
  var title: String
}

@Stored
final class Visit {
  @ObjectID var id: Int64?
  var place: String
  init(place: String) { self.place = place }
}

@Stored
final class Note {
  var text = ""
  var stars: Int = 0
}

enum School {
  struct Period: Codable, Equatable {
    var hour: Int
  }

  @Stored
  struct Lesson: Equatable {
    @ObjectID var id: UUID
    var period: Period
    var next: Period?

    enum Kind: Int { case talk, practice }
    var kind: Kind
    var former: [Period] = []
  }
}

extension School {
  @Stored
  struct Room: Equatable {
    var name: String
  }
}

@Stored
struct Outline: Equatable {
  enum Kind: String { case part, chapter }
  @ObjectID var number: Int
  var kind: Self.Kind
  var former: [Self.Kind.RawValue] = []
  var parent: Ref<Self>?
}

@Stored
struct `class`: Equatable {
  var `default`: Int
  var `self`: String
  @ObjectID var `in`: Int
  @ObjectID var row: String
  var binder: Bool
}

/// A type with names that cannot be labels, or that a label writes without backquotes.
@Stored
struct Labels: Equatable {
  @ObjectID var `let`: Int
  @ObjectID var `var`: Int
  @ObjectID var `inout`: String
  var `init`: Int
  var `Any`: Bool
}

#if compiler(>=6.2)
  /// A type with names that are no identifiers.
  @Stored
  struct `2 names`: Equatable {
    @ObjectID var `1st`: Int
    @ObjectID var `2nd place`: String
    var `3`: Int
    @Sealed(by: \Self.`2nd place`) var `4-5`: String?
  }
#endif

/// A type whose attributes name it `Self`.
@Stored
final class Bough {
  struct Length: Equatable {
    var metres: Double
  }
  enum Codec<Unit>: PropertyConverter {
    static func stored(_ length: Length) -> Double { length.metres }
    static func value(_ stored: Double) -> Length { Length(metres: stored) }
  }
  static let limit = 5

  @Column(converter: Self.Codec<Bough>.self) var length: Length = Length(metres: 0)
  @Column(length: .atMost(Self.limit)) var name: String = ""
  @Reference(onDelete: .cascade) var trunk: Ref<Bough>?
  @Owned(by: \Self.trunk) var twigs: [Bough]?
}

/// A type whose memberwise initializer has a parameter for an `init` accessor.
@Stored
struct Accessed: Equatable {
  private var storage: Int
  var value: Int {
    @storageRestrictions(initializes: storage)
    init { storage = newValue }
    get { storage }
    set { storage = newValue }
  }
  var other: Int
}

/// A type that hides names of the standard library.
@Stored
struct Shadowing: Equatable {
  enum Int {}
  enum Int64 {}
  enum String {}
  enum AnyKeyPath {}
  @ObjectID var number: Swift.Int
  @ObjectID var text: Swift.String
}

@Stored
struct ShadowingGenerated: Equatable {
  enum Int64 {}
  var number: Int
}

/// A type with a deprecated property, whose generated code causes no warnings.
@Stored
struct Deprecating {
  @available(*, deprecated, renamed: "new") var old: Int
  var new: Int = 2
}

@available(*, deprecated)
@Stored
final class DeprecatedThing {
  @available(*, deprecated) var old: Int = 1
}

/// A type around stored ones that has a parameter.
enum Crate<Content: StorableValue & Equatable> {
  @Stored(table: "crated")
  struct Item: Equatable {
    @ObjectID var shelf: Int
    @ObjectID var place: Int
    var content: Content
  }
}

extension Crate where Content: Comparable {
  @Stored(table: "sorted")
  struct Sorted: Equatable {
    var content: Content
  }
}

@Stored
struct Commented: Equatable {
  /// A comment.
  var a /* one */: /* two */ Int /* three */ = /* four */ 5  // five
  var b: /* one */
    [ /* two */String:  // three
      Int /* four */] = [:]  // five
  var text = """
    Hello
      "World"
    """
  var list: [String] = [
    "a",  // first
    """
    x
    """,
  ]
}

@Stored(table: "int_boxes")
struct Box<Content: StorableValue & Equatable>: Equatable {
  var content: Content
}

@Stored
struct Observed: Equatable {
  var a, b: Int
  var text: String = "" {
    didSet { changes += 1 }
  }
  private var secret: Int = 3
  var implicit: String! = nil
  @Ignored private(set) var changes = 0
  var sum: Int { a + b }
  static let shared = 1

  init(a: Int, b: Int, secret: Int) {
    self.a = a
    self.b = b
    self.secret = secret
  }

  var revealed: Int { secret }
}

/// A type that cannot conform to `Identifiable`: `id` has not the type `ID`.
@Stored
struct Badge: Equatable {
  enum ID { case paper, metal }
  @ObjectID var id: Int!
}

/// An owner with a keyword as its name.
@Stored
struct `switch` {
  var name: String
  @Owned(by: \Lamp.wiring) var lamps: [Lamp]?
}

@Stored
struct Lamp {
  @Reference(onDelete: .cascade) var wiring: Ref<`switch`>?
}

/// A public struct with a composite objectID.
@Stored
public struct PublicThing: Sendable {
  /// A part of the objectID.
  @ObjectID public var first: Int
  /// The other part.
  @ObjectID public var second: UUID
  /// Any text.
  public var note: String?
}

/// A public class.
@Stored
public final class PublicClass {
  /// Any text.
  public var note: String?
}

@Stored
package struct PackageThing {
  @ObjectID package var id: Int?
}

@Stored
fileprivate struct FilePrivateThing {
  var note: String
}

@Stored
private struct PrivateThing {
  @ObjectID var a: Int
  @ObjectID var b: Int
}

enum Hiding {
  @Stored
  fileprivate struct Inner {
    var note: String
  }
}

/// Lets the tests reach the types only this file sees.
enum HiddenTypes {
  static var tables: [String] {
    [
      FilePrivateThing.classDescription.table, PrivateThing.classDescription.table,
      Hiding.Inner.classDescription.table,
    ]
  }
}

/// A table of no columns of its own.
@Stored
struct Empty: Equatable {}

/// A type that has a name the expansion uses.
struct Row {}
struct Binder {}
