import Foundation
import ObjectVaultCore
import TestSupport
import Testing
import ObjectVaultModel

private struct Inner: Codable, Hashable {
  var tags: Set<String>
  var scores: [Int: [String: Set<Int>]]
}
private struct Outer: Codable, Hashable {
  var inner: Inner
  var list: [Inner]
  var note: String?
  var id: UUID
  var when: Date
  var bytes: Data
  var price: Decimal
  var link: URL
}
private enum Shape: Codable, Hashable {
  case circle(radius: Double)
  case named(String, Set<Int>)
  case none
}
private class Animal: Codable {
  var name = "a"
  var friends: Set<String> = ["y", "x", "z"]
}
private final class Dog: Animal {
  var age = 1
  private enum Keys: CodingKey { case age }
  override init() { super.init() }
  required init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Keys.self)
    age = try container.decode(Int.self, forKey: .age)
    try super.init(from: container.superDecoder())
  }
  override func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Keys.self)
    try container.encode(age, forKey: .age)
    try super.encode(to: container.superEncoder())
  }
}
/// A class that shares the container with its superclass.
private final class Cat: Animal {
  var lives = 9
  private enum Keys: CodingKey { case lives }
  override init() { super.init() }
  required init(from decoder: any Decoder) throws {
    lives = try decoder.container(keyedBy: Keys.self).decode(Int.self, forKey: .lives)
    try super.init(from: decoder)
  }
  override func encode(to encoder: any Encoder) throws {
    try super.encode(to: encoder)
    var container = encoder.container(keyedBy: Keys.self)
    try container.encode(lives, forKey: .lives)
  }
}
private struct Large: Codable, Equatable {
  var signed: Int128
  var unsigned: UInt128
  var perhaps: Int128?
}
private struct LargePair: Codable, Equatable {
  var first: Int128
  var second: UInt128
  init(first: Int128, second: UInt128) { (self.first, self.second) = (first, second) }
  init(from decoder: any Decoder) throws {
    var list = try decoder.unkeyedContainer()
    first = try list.decode(Int128.self)
    second = try list.decode(UInt128.self)
  }
  func encode(to encoder: any Encoder) throws {
    var list = encoder.unkeyedContainer()
    try list.encode(first)
    try list.encode(second)
  }
}
private struct LargeID: Codable, Equatable {
  var rawValue: UInt128
  init(rawValue: UInt128) { self.rawValue = rawValue }
  init(from decoder: any Decoder) throws {
    rawValue = try decoder.singleValueContainer().decode(UInt128.self)
  }
  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }
}
private struct Wrapper<T: Codable & Hashable>: Codable, Hashable {
  var value: T
  init(_ value: T) { self.value = value }
  init(from decoder: any Decoder) throws {
    value = try decoder.singleValueContainer().decode(T.self)
  }
  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}
/// Writes an array by hand: nested containers, nil, a superclass's place.
private struct ByHand: Codable, Hashable {
  var numbers: Set<Int> = [2, 1]
  init() {}
  init(from decoder: any Decoder) throws {
    var list = try decoder.unkeyedContainer()
    guard try list.decodeNil() else { throw NotByHand() }
    var nested = try list.nestedUnkeyedContainer()
    numbers = try nested.decode(Set<Int>.self)
    let keyed = try list.nestedContainer(keyedBy: PlainKey.self)
    let inner = try keyed.nestedContainer(keyedBy: PlainKey.self, forKey: PlainKey("k"))
    guard try inner.decode(Bool.self, forKey: PlainKey("t")) else { throw NotByHand() }
    guard try Int(from: list.superDecoder()) == 7, list.isAtEnd else { throw NotByHand() }
  }
  func encode(to encoder: any Encoder) throws {
    var list = encoder.unkeyedContainer()
    try list.encodeNil()
    var nested = list.nestedUnkeyedContainer()
    var keyed = list.nestedContainer(keyedBy: PlainKey.self)
    var inner = keyed.nestedContainer(keyedBy: PlainKey.self, forKey: PlainKey("k"))
    let last = list.superEncoder()
    // Out of order on purpose: what was handed out first is filled last.
    try 7.encode(to: last)
    try inner.encode(true, forKey: PlainKey("t"))
    try nested.encode(numbers)
  }
  struct NotByHand: Error {}
}
private struct PlainKey: CodingKey {
  var stringValue: String
  var intValue: Int? { nil }
  init(_ stringValue: String) { self.stringValue = stringValue }
  init?(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}
private final class Chain: Codable {
  var next: Chain?
  init(_ next: Chain?) { self.next = next }
  static func of(_ depth: Int) -> Chain {
    var chain = Chain(nil)
    for _ in 1..<depth { chain = Chain(chain) }
    return chain
  }
}
/// Each level is an object within an object, which the synthesized conformance writes by nested
/// containers.
private indirect enum Expression: Codable {
  case number(Int)
  case negative(Expression)
  static func of(_ depth: Int) -> Expression {
    (0..<depth).reduce(.number(1)) { inner, _ in .negative(inner) }
  }
}
/// Each level is an object with an array of arrays.
private struct Entries: Codable, Equatable {
  var entries: [Int: Entries]
  static func of(_ depth: Int) -> Entries {
    (0..<depth).reduce(Entries(entries: [:])) { inner, _ in Entries(entries: [1: inner]) }
  }
}
/// Each level is an object with an array.
private struct Members: Codable, Hashable {
  var members: Set<Members>
  static func of(_ depth: Int) -> Members {
    (0..<depth).reduce(Members(members: [])) { inner, _ in Members(members: [inner]) }
  }
}
private struct Endless: Codable {
  init() {}
  init(from decoder: any Decoder) throws {
    self = try decoder.singleValueContainer().decode(Endless.self)
  }
  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(self)
  }
}
private struct TwoContainers: Encodable {
  func encode(to encoder: any Encoder) throws {
    var list = encoder.unkeyedContainer()
    try list.encode(1)
    var object = encoder.container(keyedBy: PlainKey.self)
    try object.encode(1, forKey: PlainKey("a"))
  }
}

private func both<T: Codable & Equatable>(
  _ value: T, _ json: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  #expect(try canonicalJSON(value) == json, sourceLocation: sourceLocation)
  #expect(try decodeCanonicalJSON(T.self, from: json) == value, sourceLocation: sourceLocation)
}

@Suite("Canonical JSON") struct CanonicalJSONTests {
  @Test("numbers are written in one form") func numbersAreWrittenInOneForm() throws {
    try both([Int.min, 0, Int.max], "[-9223372036854775808,0,9223372036854775807]")
    try both([UInt64.max], "[18446744073709551615]")
    try both([Int8.min, Int8.max], "[-128,127]")
    try both([UInt128.max], "[340282366920938463463374607431768211455]")
    try both([1.0, 0.1, 1e20, .leastNonzeroMagnitude, -2.5], "[1.0,0.1,1e+20,5e-324,-2.5]")
    try both(
      [Double.greatestFiniteMagnitude, 1e16, 123_456_789_012_345_680],
      "[1.7976931348623157e+308,1e+16,1.2345678901234568e+17]")
    try both([Float(0.1), Float.greatestFiniteMagnitude], "[0.1,3.4028235e+38]")
    #expect(try canonicalJSON([-0.0]) == "[0.0]")
    #expect(try canonicalJSON([Float(-0.0)]) == "[0.0]")
    try both([true, false], "[true,false]")
    try both([Int?.some(1), nil], "[1,null]")
  }

  @Test("members of 128 bits are written and read, in every place a type can put them")
  func membersOfManyBits() throws {
    try both(
      Large(signed: .min, unsigned: .max, perhaps: 3),
      "{\"perhaps\":3,\"signed\":-170141183460469231731687303715884105728,"
        + "\"unsigned\":340282366920938463463374607431768211455}")
    try both(Large(signed: -1, unsigned: 0, perhaps: nil), "{\"signed\":-1,\"unsigned\":0}")
    try both(LargePair(first: -5, second: 6), "[-5,6]")
    try both([LargeID(rawValue: 7)], "[7]")
  }

  @Test("only quotes, backslashes and control characters are escaped")
  func onlyQuotesBackslashesAndControlCharacters() throws {
    try both(
      ["\"\\/", "\u{8}\t\n\u{B}\u{C}\r", "\0\u{1F}\u{7F}\u{2028}", "é😀e\u{301}"],
      #"["\"\\/","\b\t\n\u000b\f\r","\u0000\u001f"# + "\u{7F}\u{2028}" + #"","é😀e"# + "\u{301}\"]")
  }

  @Test("types of Foundation have one form each") func typesOfFoundationHaveOneForm() throws {
    let id = try #require(UUID(uuidString: "0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0"))
    let value = Outer(
      inner: Inner(tags: ["b", "a"], scores: [2: ["z": [3, 1], "y": []], 1: [:]]), list: [],
      note: nil, id: id, when: Date(timeIntervalSince1970: 1.000_000_4), bytes: Data([0, 255]),
      price: try #require(Decimal(string: "1.50")),
      link: try #require(URL(string: "https://example.org/a")))
    let json = """
      {"bytes":"AP8=","id":"0F1E2D3C-4B5A-6978-8796-A5B4C3D2E1F0","inner":{"scores":\
      [[1,{}],[2,{"y":[],"z":[1,3]}]],"tags":["a","b"]},"link":"https://example.org/a","list":[],\
      "price":"1.5","when":1.0}
      """
    #expect(try canonicalJSON(value) == json)
    var rounded = value
    rounded.when = Date(timeIntervalSince1970: 1)
    #expect(try decodeCanonicalJSON(Outer.self, from: json) == rounded)
  }

  @Test("members, keys and entries are in the order of their bytes") func membersKeysAndEntries()
    throws
  {
    try both(
      ["b": 1, "a": 2, "B": 3, "é": 4, "10": 5, "9": 6, "": 7],
      #"{"":7,"10":5,"9":6,"B":3,"a":2,"b":1,"é":4}"#)
    try both([10, 9, -1, 100] as Set, "[-1,10,100,9]")
    try both(["a", "ab", "a b", "A"] as Set, #"["A","a b","a","ab"]"#)
    try both([true: 1, false: 0], "[[false,0],[true,1]]")
    try both([["b"]: 1, ["a", "c"]: 2] as [[String]: Int], #"[[["a","c"],2],[["b"],1]]"#)
    try both([[1.5: "x"], [:]] as Set<[Double: String]>, #"[[[1.5,"x"]],[]]"#)
    try both([Shape.none: 1], #"[[{"none":{}},1]]"#)
  }

  @Test("canonical JSON that is read has the same canonical text", .covers("S9"))
  func isItsOwnCanonicalText() throws {
    var random = SeededGenerator(for: "canonical texts")
    let parts = ["", " ", "!", "\"", "#", "\\", "\u{1}", "\n", "a", "]", "é"]
    for _ in 0..<300 {
      var objects: [String: [String: [Double]]] = [:]
      for _ in 0..<Int.random(in: 0...6, using: &random) {
        var members: [String: [Double]] = [:]
        for _ in 0..<Int.random(in: 0...3, using: &random) {
          let number = Double.random(in: -9...9, using: &random)
          members["x" + random.pick(parts)] = [-0.0, number, 1e20]
        }
        objects[random.pick(parts) + random.pick(parts) + random.pick(parts)] = members
      }
      let json = try canonicalJSON(objects)
      #expect(try JSONParser.parse(json).canonicalText == json)
    }
  }

  @Test("sets and dictionaries are found wherever they stand", .covers("S9"))
  func setsAndDictionariesAreFoundWherever() throws {
    try both(Wrapper(Set([2, 1])), "[1,2]")
    try both(Wrapper(Wrapper([2: "b", 1: "a"])), #"[[1,"a"],[2,"b"]]"#)
    try both([Wrapper(Set(["b", "a"]) as Set?)], #"[["a","b"]]"#)
    try both(Shape.named("n", [3, 2, 1]), #"{"named":{"_0":"n","_1":[1,2,3]}}"#)
    try both(Shape.circle(radius: 2), #"{"circle":{"radius":2.0}}"#)
    try both(ByHand(), #"[null,[[1,2]],{"k":{"t":true}},7]"#)
  }

  @Test("superclasses are kept, in a place of their own or beside")
  func superclassesAreKeptInAPlace() throws {
    let dog = Dog()
    dog.age = 5
    let json = #"{"age":5,"super":{"friends":["x","y","z"],"name":"a"}}"#
    #expect(try canonicalJSON(dog) == json)
    #expect(try decodeCanonicalJSON(Dog.self, from: json).age == 5)
    let beside = #"{"friends":["x","y","z"],"lives":9,"name":"a"}"#
    #expect(try canonicalJSON(Cat()) == beside)
    #expect(try decodeCanonicalJSON(Cat.self, from: beside).friends == ["x", "y", "z"])
  }

  @Test("equal sets and dictionaries built in any order are the same bytes", .covers("S37"))
  func equalSetsAndDictionariesBuilt()
    throws
  {
    var random = SeededGenerator(seed: 4_711)
    for _ in 0..<300 {
      let count = Int.random(in: 0...40, using: &random)
      let members = (0..<count).map { _ in
        Inner(
          tags: Set((0..<3).map { _ in "\(Int.random(in: 0...9, using: &random))" }),
          scores: [Int.random(in: 0...9, using: &random): ["k": [1, 2, 3], "l": [4]]])
      }
      var first = Set<Inner>(minimumCapacity: 1)
      for member in members { first.insert(member) }
      var second = Set<Inner>(minimumCapacity: 512)
      for member in members.shuffled(using: &random) { second.insert(member) }
      #expect(first == second)
      let json = try canonicalJSON(first)
      #expect(try canonicalJSON(second) == json, "seed 4711")
      #expect(try canonicalJSON(erasing: second) == json)
      #expect(try decodeCanonicalJSON(Set<Inner>.self, from: json) == first)
      let pairs = members.map { ($0, $0.tags.count) }
      let left = Dictionary(pairs, uniquingKeysWith: { $1 })
      var right = [Inner: Int](minimumCapacity: 1_000)
      for (key, value) in pairs.shuffled(using: &random) { right[key] = value }
      #expect(try canonicalJSON(left) == canonicalJSON(right), "seed 4711")
      #expect(try decodeCanonicalJSON([Inner: Int].self, from: canonicalJSON(left)) == left)
    }
  }

  @Test("Foundation's own Codable types come back", .covers("X14", "X15", "A37"))
  func foundationsOwnCodableTypesComeBack() throws {
    func check<T: Codable & Equatable>(_ value: T) throws {
      #expect(try decodeCanonicalJSON(T.self, from: canonicalJSON(value)) == value)
    }
    try check(NSRange(location: 3, length: 4))
    try check(CGRect(x: 1, y: 2.5, width: 3, height: 4))
    try check(CGSize(width: 0.1, height: 1e300))
    try check(IndexPath(indexes: [1, 2, 3]))
    try check(IndexSet([1, 5, 6]))
    try check(0..<10)
    try check(DateComponents(year: 2024, month: 2))
    try check(Locale(identifier: "de_DE"))
    try check(CGFloat(1.5))
  }

  @Test("what JSON cannot keep is refused, naming the place and not the value")
  func whatJSONCannotKeepIsRefused() throws {
    #expect(
      invalidValue { _ = try canonicalJSON(["a": ["secret": Double.nan]]) }?
        .contains("NaN") == true)
    let message = invalidValue { _ = try canonicalJSON([[1.0], [2, .infinity]]) }
    #expect(message?.contains("[1][1]") == true)
    #expect(
      invalidValue { _ = try canonicalJSON(["secret": Float.infinity]) }?.contains("secret")
        == false)
    #expect(invalidValue { _ = try canonicalJSON([Decimal.nan]) } != nil)
    #expect(invalidValue { _ = try canonicalJSON([Date(timeIntervalSince1970: .nan)]) } != nil)
    let url = URL(string: "b", relativeTo: URL(string: "https://example.org/"))
    #expect(invalidValue { _ = try canonicalJSON([url]) } != nil)
    #expect(invalidValue { _ = try canonicalJSON([Int??.some(nil)]) } != nil)
    #expect(invalidValue { _ = try canonicalJSON(TwoContainers()) } != nil)
  }

  @Test("depth is bounded on a small stack, in writing and reading") func depthIsBoundedOnASmall()
    async throws
  {
    let thread = SmallStack {
      let deepest = JSONValue.depthLimit
      let json = try canonicalJSON(Chain.of(deepest))
      _ = try decodeCanonicalJSON(Chain.self, from: json)
      for depth in [deepest + 1, deepest + 2, 5_000] {
        let message = invalidValue { _ = try canonicalJSON(Chain.of(depth)) }
        guard message?.contains("\(deepest)") == true else { throw StoredDifferently() }
      }
      guard invalidValue({ _ = try canonicalJSON(Endless()) }) != nil,
        invalidValue({ _ = try decodeCanonicalJSON(Endless.self, from: "1") }) != nil
      else { throw StoredDifferently() }
    }
    try await thread.run()
  }

  @Test("what is written near the greatest depth can be read again") func greatestDepth() throws {
    func check<T: Codable>(_ make: (Int) -> T) throws {
      var accepted = 0
      for depth in 1...JSONValue.depthLimit + 1 {
        guard let json = try? canonicalJSON(make(depth)) else { continue }
        accepted += 1
        #expect(depth == accepted, "a deeper \(T.self) is accepted")
        #expect(throws: Never.self) { try decodeCanonicalJSON(T.self, from: json) }
      }
      #expect((JSONValue.depthLimit / 4..<JSONValue.depthLimit).contains(accepted))
    }
    try check(Expression.of)
    try check(Entries.of)
    try check(Members.of)
  }

  @Test(
    "JSON of another type is an error",
    arguments: [
      ("{", "[Int]"), ("1", "number"), ("[1.5]", ""), ("[\"1\"]", ""), ("[null]", ""), ("[[]]", ""),
      ("[9223372036854775808]", ""), ("[1e30]", ""), ("[1] x", ""),
    ])
  func jsonOfAnotherType(json: String, hint: String) throws {
    #expect(invalidValue { _ = try decodeCanonicalJSON([Int].self, from: json) } != nil)
  }

  @Test("an error of reading names the place and not the value") func anErrorOfReadingNames() throws
  {
    let json = #"{"inner":{"tags":["a",5],"scores":[]},"list":"secret"}"#
    let message = invalidValue { _ = try decodeCanonicalJSON(Outer.self, from: json) }
    #expect(message?.contains("inner.tags[1]") == true)
    #expect(message?.contains("String") == true)
    #expect(message?.contains("secret") == false)
    let missing = invalidValue { _ = try decodeCanonicalJSON(Inner.self, from: "{}") }
    #expect(missing?.contains("no member 'tags'") == true)
    #expect(invalidValue { _ = try decodeCanonicalJSON(Shape.self, from: "{}") } != nil)
    #expect(
      invalidValue { _ = try decodeCanonicalJSON([Int: Int].self, from: "[[1,2],[1,3]]") } != nil)
    #expect(invalidValue { _ = try decodeCanonicalJSON([Int: Int].self, from: "[[1]]") } != nil)
    #expect(invalidValue { _ = try decodeCanonicalJSON([Int: Int].self, from: #"{"1":2}"#) } != nil)
    #expect(invalidValue { _ = try decodeCanonicalJSON(Data.self, from: #""?""#) } != nil)
  }

  @Test("integers that others wrote as 1.0 or 1e3 are read, fractions are not")
  func integersThatOthersWroteAs1() throws {
    #expect(try decodeCanonicalJSON([Int].self, from: "[1.0, 1e3 ,-0]") == [1, 1000, 0])
    // A double has no such integer.
    for text in ["9007199254740993.0", "9007199254740993e0", "900719925474099.3e1"] {
      #expect(try decodeCanonicalJSON([Int].self, from: "[\(text)]") == [9_007_199_254_740_993])
    }
    #expect(invalidValue { _ = try decodeCanonicalJSON([Int].self, from: "[1.5]") } != nil)
    #expect(invalidValue { _ = try decodeCanonicalJSON([Int].self, from: "[1e99]") } != nil)
    #expect(try decodeCanonicalJSON([Double].self, from: "[1,-2]") == [1, -2])
    #expect(invalidValue { _ = try decodeCanonicalJSON([Double].self, from: "[1e999]") } != nil)
    #expect(invalidValue { _ = try decodeCanonicalJSON([UInt8].self, from: "[256]") } != nil)
  }

  @Test("an object of many members is read by name") func anObjectOfManyMembers() throws {
    let many = Dictionary(uniqueKeysWithValues: (0..<100).map { ("k\($0)", $0) })
    try both(many, try canonicalJSON(many))
    let json = #"{"name":"n","friends":[]"# + (0..<50).map { ",\"x\($0)\":0" }.joined() + "}"
    #expect(try decodeCanonicalJSON(Animal.self, from: json).name == "n")
  }
}

/// Runs a body on a thread with the stack that secondary threads have on Apple's systems.
private struct SmallStack: Sendable {
  let body: @Sendable () throws -> Void
  init(_ body: @escaping @Sendable () throws -> Void) { self.body = body }

  func run() async throws {
    try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
      let thread = Thread { done.resume(with: Result { try body() }) }
      thread.stackSize = 512 * 1024
      thread.start()
    }
  }
}
