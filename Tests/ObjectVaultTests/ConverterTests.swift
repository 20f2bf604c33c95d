import Foundation
package import ObjectVault
import TestSupport
import Testing

/// A type of somebody else.
package struct Tint: Equatable, Codable, Sendable, ExpressibleByIntegerLiteral {
  package var rgb: UInt32
  package init(_ rgb: UInt32) { self.rgb = rgb }
  package init(integerLiteral rgb: UInt32) { self.rgb = rgb }
}

protocol Figure: Sendable { var area: Double { get } }
struct Square: Figure { var side: Double; var area: Double { side * side } }
struct Disc: Figure { var radius: Double; var area: Double { 3 * radius * radius } }

package enum HexTint: PropertyConverter {
  package static func stored(_ tint: Tint) -> String {
    String(format: "#%06X", tint.rgb)
  }
  package static func value(_ stored: String) throws -> Tint {
    guard let rgb = UInt32(stored.dropFirst(), radix: 16) else { throw NotATint() }
    return Tint(rgb)
  }
  struct NotATint: Error {}
}

@Stored
package struct Paint: Equatable, Sendable {
  @ObjectID package var name: String
  @Column("rgb", converter: HexTint.self) @Indexed(unique: true) package var tint: Tint = 0xFF
  @Column(converter: HexTint.self) package var border: Tint?
  @Column(length: .atMost(7), converter: HexTint.self) var shade: Tint? = nil
}

/// What stands around a class names its converters, too.
enum Drawings {
  enum Figures: PropertyConverter {
    static func stored(_ figure: any Figure) throws -> String {
      switch figure {
      case let square as Square: "square \(square.side)"
      case let disc as Disc: "disc \(disc.radius)"
      default: throw CocoaError(.coderInvalidValue)
      }
    }
    static func value(_ stored: String) throws -> any Figure {
      let parts = stored.split(separator: " ")
      guard parts.count == 2, let number = Double(parts[1]) else {
        throw CocoaError(.coderReadCorrupt)
      }
      return parts[0] == "square" ? Square(side: number) : Disc(radius: number)
    }
  }

  enum Pairs: PropertyConverter {
    static func stored(_ pair: (Int, Int)) -> Data {
      Data([UInt8(pair.0), UInt8(pair.1)] + Array(repeating: 0, count: 4096))
    }
    static func value(_ stored: Data) -> (Int, Int) { (Int(stored[0]), Int(stored[1])) }
  }

  enum Words: PropertyConverter {
    static func stored(_ words: [String]) -> String { words.joined(separator: " ") }
    static func value(_ stored: String) -> [String] {
      stored.split(separator: " ").map(String.init)
    }
  }

  @Stored
  final class Drawing {
    @Column(converter: Figures.self) var figure: any Figure
    @Column(converter: Pairs.self) @SharedBlob var size: (Int, Int)
    @Column(converter: Words.self) @Searchable var words: [String] = []
    @Column(converter: Words.self) private var hidden: [String]? = nil
    var folder: Ref<Paint>?

    init(_ figure: any Figure, size: (Int, Int), words: [String], folder: Ref<Paint>?) {
      (self.figure, self.size, self.words, self.folder) = (figure, size, words, folder)
      hidden = words
    }

    var shown: [String]? { hidden }
  }
}

@Suite("@Column(converter:)", .covers("A39", "P61", "P62"))
struct ConverterTests {
  private let folder: TemporaryFolder
  private let vault: Vault

  init() throws {
    folder = try TemporaryFolder()
    vault = try Vault(at: folder.file("a.vault"), key: .raw(1...32))
  }

  @Test("stores a property in the form that the converter makes")
  func storing() throws {
    let paints = try vault.store(of: Paint.self)
    try paints.insert(contentsOf: [
      Paint(name: "a", tint: 0xFF0000, border: 1), Paint(name: "b"),
    ])
    #expect(try paints.all().map(\.tint) == [0xFF0000, 0xFF])
    #expect(try paints.all().map(\.border) == [1, nil])
    let row = try vault.row("SELECT * FROM \"Paint\"")
    #expect(try row?.value("rgb", as: String.self) == "#FF0000")
    #expect(try paints.where { $0.tint == 0xFF0000 && $0.border != nil }.count() == 1)
    #expect(try paints.where("tint == %@", Tint(0xFF)).all().map(\.name) == ["b"])
    #expect(try paints.where("tint == '#0000FF'").all().map(\.name) == ["b"])
    let red = Tint(0xFF0000)
    #expect(try paints.where(#Predicate { $0.tint == red }).count() == 1)
    #expect(try paints.query.values(of: \.border) == [1, nil])
    #expect(try paints.sorted(by: \.tint.descending).all().map(\.name) == ["a", "b"])
  }

  @Test("says the same by hand")
  func description() {
    #expect(
      Paint.classDescription
        == ClassDescription(
          "Paint",
          properties: [
            PropertyDescription("name", String.self),
            PropertyDescription(
              "tint", Tint.self, converter: HexTint.self, column: "rgb", defaultValue: 0xFF),
            PropertyDescription("border", Tint?.self, converter: HexTint.self),
            PropertyDescription("shade", Tint?.self, converter: HexTint.self)
              .columnDefined(length: .atMost(7)),
          ], objectID: ["name"], indexes: [IndexDescription(["tint"], unique: true)]))
    #expect(Paint.classDescription.properties.map(\.type) == Array(repeating: .string, count: 4))
    #expect(Paint.classDescription.properties[1].defaultValue == .text("#0000FF"))
  }

  @Test("takes types that have no form at all, and attributes for the form that is stored")
  func otherTypes() throws {
    let paints = try vault.store(of: Paint.self)
    try paints.insert(Paint(name: "a", tint: 7))
    let drawings = try vault.store(of: Drawings.Drawing.self)
    let drawing = Drawings.Drawing(
      Square(side: 2), size: (3, 4), words: ["secret", "plan"], folder: Ref(id: "a"))
    try drawings.insert(drawing)
    try drawings.insert(
      Drawings.Drawing(Disc(radius: 1), size: (3, 4), words: ["plain"], folder: nil))
    let found = try drawings.all()
    #expect(found.map(\.figure.area) == [4, 3])
    #expect(found.map(\.size.1) == [4, 4])
    #expect(found.map(\.shown) == [["secret", "plan"], ["plain"]])
    #expect(try drawings.search("secret").all().count == 1)
    #expect(try vault.sharedBlobs().contents == 1)
    #expect(try drawings.where { $0.folder.tint == 7 }.count() == 1)
    #expect(try drawings.where("folder.tint == %@", Tint(7)).count() == 1)
    #expect(try drawings.where("figure == %@", Square(side: 2)).count() == 1)
  }

  @Test("of another type's values does not compile, and the compiler says so", .covers("A38"))
  func wrongType() throws {
    let source = """
      import ObjectVault

      enum Halved: PropertyConverter {
        static func stored(_ value: Int) -> Int { value * 2 }
        static func value(_ stored: Int) -> Int { stored / 2 }
      }

      @Stored struct Note {
        @Column(converter: Halved.self) var text: TYPE
      }
      """
    let right = try Compiler.check(source.replacing("TYPE", with: "Int?"), "-warnings-as-errors")
    #expect(right.status == 0 && right.errors.isEmpty, "\(right.errors)")
    let wrong = try Compiler.check(source.replacing("TYPE", with: "String"))
    #expect(wrong.status != 0)
    #expect(
      wrong.errors.contains("the converter's 'Value' is not the type of the property"),
      "\(wrong.errors)")
  }
}
