import Foundation
import ObjectVaultCore
import TestSupport
import Testing

/// What an import refuses: the status, where it is, and that nothing of it is kept.
@Suite("objectvault import refuses") struct ImportErrorTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var what: String
    var name: String
    var bytes: [UInt8]
    var message: String
    var options: [String] = []
    var className = "New"
    var status: Int32 = 65
    var testDescription: String { what }

    init(
      _ what: String, _ name: String, _ text: String, _ message: String, _ options: String...,
      className: String = "New", status: Int32 = 65
    ) {
      self.what = what
      self.name = name
      self.bytes = Array(text.utf8)
      self.message = message
      self.options = options
      self.className = className
      self.status = status
    }
  }

  static let cases: [Case] = [
    Case("JSON that ends too early", "f.json", "[{\"a\":1},\n {\"a\":", "line 2, column 7: "),
    Case("a trailing comma", "f.json", "[{\"a\":1},]", "line 1, column 10: "),
    Case("JSON with a byte order mark", "f.json", "\u{FEFF}[]", "byte order mark"),
    Case("a member that is there twice", "f.json", "[{\"a\":1,\"a\":2}]", "line 1, column 9: "),
    Case("an empty JSON file", "f.json", "", "line 1, column 1: "),
    Case("only spaces", "f.json", "  \n ", "line 2, column 2: "),
    Case("JSON Lines with a bad line", "f.jsonl", "{\"a\":1}\n{\"a\":}\n", "line 2, column 6: "),
    Case(
      "a line that is no object", "f.jsonl", "{\"a\":1}\n5\n", "line 2 is a number, not an object"),
    Case("a record that is no object", "f.json", "[{\"a\":1},\"secret\"]", "record 2 is text"),
    Case("an object without an array", "f.json", "{\"a\":1}", "no arrays"),
    Case("an object with two arrays", "f.json", "{\"a\":[],\"b\":[]}", "2 arrays"),
    Case("a single number", "f.json", "5", "is a number"),
    Case("no objects for a new class", "f.json", "[]", "contains no objects"),
    Case("no objects in JSON Lines", "f.jsonl", "\n", "contains no objects"),
    Case("an empty CSV file", "f.csv", "", "is empty"),
    Case("an empty file of no known form", "f.data", "", "is empty"),
    Case("a line with too few fields", "f.csv", "a,b\n1,2\n3\n", "line 3: 1 field, but the header"),
    Case("a line with too many fields", "f.csv", "a,b\n1,2,3\n", "line 2: 3 fields"),
    Case("a quote that is not closed", "f.csv", "a\n1\n\"secret\n\n", "line 3: the closing quote"),
    Case("a quote inside a field", "f.csv", "a\nse\"cret\n", "line 2: a quote inside"),
    Case(
      "text after a closing quote", "f.csv", "a\n\"se\"cret\n", "line 2: text follows the closing"),
    Case("a lone carriage return", "f.csv", "a\nx\ry\n", "line 2: a carriage return"),
    Case("a column without a name", "f.csv", "a,,c\n", "line 1: column 2 has no name"),
    Case("two columns of one name", "f.csv", "a,b,a\n", "line 1: two columns are named 'a'"),
    Case(
      "values of two kinds", "f.json", "[{\"a\":1},{\"a\":\"secret\"}]",
      "property 'a' is an integer in record 1 and text in record 2. Use --type 'a:JSON'"),
    Case(
      "an integer beyond Int64", "f.json", "[{\"a\":9223372036854775808}]",
      "outside the range of a signed 64-bit integer (use Decimal)"),
    Case(
      "an integer below Int64 for an Int", "f.csv", "a\n-9223372036854775809\n",
      "outside the range of a signed 64-bit integer (use Decimal)", "--type", "a:Int"),
    Case("a time of day for an Int", "f.csv", "a\n9:\n", "not an integer", "--type", "a:Int"),
    Case("the same in CSV", "f.csv", "a\n9223372036854775808\n", "line 2: property 'a' is Int"),
    Case(
      "an integer that a Double would round", "f.json", "[{\"a\":0.5},{\"a\":9007199254740993}]",
      "record 2: property 'a' is Double, and the integer has no exact floating-point form"),
    Case("a number beyond Double", "f.json", "[{\"a\":1e999}]", "too large"),
    Case(
      "text as an integer", "f.json", "[{\"a\":\"secret\"}]",
      "property 'a' is Int, and the value is text", "--type", "a:Int"),
    Case(
      "a number out of range", "f.json", "[{\"a\":300}]", "out of range", "--type", "a:UInt8"),
    Case("a bad date", "f.json", "[{\"a\":\"secret\"}]", "ISO 8601", "--type", "a:Date"),
    Case("bad base64", "f.json", "[{\"a\":\"*secret\"}]", "base64", "--type", "a:Data"),
    Case("a bad UUID", "f.json", "[{\"a\":\"secret\"}]", "UUID", "--type", "a:UUID"),
    Case("a bad decimal", "f.json", "[{\"a\":\"secret\"}]", "decimal", "--type", "a:Decimal"),
    Case("two characters", "f.json", "[{\"a\":\"xy\"}]", "one character", "--type", "a:Character"),
    Case("a bad truth value", "f.csv", "a\nsecret\n", "neither true nor false", "--type", "a:Bool"),
    Case("bad JSON in CSV", "f.csv", "a\n{secret\n", "not JSON", "--type", "a:JSON"),
    Case(
      "a nil objectID", "f.json", "[{\"a\":\"x\"},{\"a\":null}]",
      "record 2: property 'a' of the "
        + "objectID has no value", "--object-id", "a"),
    Case(
      "an objectID that is there twice", "f.json", "[{\"a\":\"secret\"},{\"a\":\"secret\"}]",
      "record 2: its objectID or the value of a unique property already exists (a). Correct it in "
        + "the file", "--object-id", "a"),
    Case("an objectID column of text", "f.json", "[{\"objectID\":\"x\"}]", "--object-id objectID"),
    Case(
      "a reserved class name", "f.json", "[{\"a\":1}]",
      "reserved. Change the properties in the file, or use another class name. Nothing was "
        + "imported.",
      className: "sqlite_x"),
    Case(
      "a reserved property name", "f.json", "[{\"ov_a\":1}]",
      "f.json': class 'New' cannot be created: the column of property 'ov_a'"),
    Case("the generated objectID in capitals", "f.csv", "OBJECTID\n1\n", "class 'New' cannot be"),
    Case("names equal but for case", "f.json", "[{\"a\":1,\"A\":1}]", "case-insensitive"),
    Case("an unnamed property", "f.json", "[{\"\":1}]", "is empty"),
    Case(
      "JSON nested too deep", "f.json",
      "[{\"a\":" + String(repeating: "[", count: 300) + String(repeating: "]", count: 300) + "}]",
      "more than 200"),
    Case(
      "an --object-id that no object has", "f.json", "[{\"a\":1}]", "'b', which no object",
      "--object-id", "b", status: 64),
    Case(
      "a --type that no object has", "f.json", "[{\"a\":1}]", "'b', which no object", "--type",
      "b:Int", status: 64),
    Case(
      "a wrong type in a class that exists", "f.json", "[{\"k\":7,\"v\":5}]",
      "record 1: property 'v' is String?, and the value is a number", className: "Old"),
    Case(
      "a property that the class does not have", "f.json", "[{\"k\":7,\"w\":5}]",
      "record 1: class 'Old' has no property 'w'", className: "Old"),
    Case(
      "an objectID that the class has already", "f.csv", "k,n,v\n8,1,x\n1,1,y\n",
      "line 3: its objectID", className: "Old"),
    Case(
      "a nil that the class does not allow", "f.json", "[{\"k\":7,\"n\":null}]",
      "record 1: Property 'n'", className: "Old"),
    Case(
      "a missing value that the class needs", "f.json", "[{\"k\":7}]", "record 1: Property 'n'",
      className: "Old"),
    Case(
      "another --type than the class has", "f.json", "[{\"k\":7,\"n\":1}]", "is Int. Omit --type",
      "--type", "n:Double", className: "Old", status: 64),
    Case(
      "another --object-id than the class has", "f.json", "[{\"k\":7,\"n\":1}]",
      "its objectID is 'k'", "--object-id", "n", className: "Old", status: 64),
  ]

  private func check(_ test: Case) throws {
    let tool = try TestTool.withVault()
    try tool.fill("Old", #"[{"k":1,"n":1,"v":"a"},{"k":2,"n":2}]"#, "old.json", "--object-id", "k")
    let before = try tool.content()
    let path = try tool.write(test.bytes, to: test.name)
    let result = try TestTool.bare(
      ["import", tool.vault, test.className, path] + tool.keyOptions + test.options)
    #expect(result.code == test.status, "\(result.errors)")
    #expect(result.errors.hasPrefix("objectvault: "))
    #expect(result.errors.contains(test.message), "\(result.errors)")
    #expect(!result.errors.contains("secret"), "a value stands in: \(result.errors)")
    // Remedies for the vault, or for a class in Swift, do not help with the file.
    for remedy in ["`@Column`", "`table:`", "update the stored object"] {
      #expect(!result.errors.contains(remedy), "\(result.errors)")
    }
    #expect(result.output.isEmpty)
    // The table of a new class is gone with it.
    #expect(try tool.content() == before)
    let classes = try tool.run("classes", "--format", "json").output
    #expect(!classes.contains("\"New\""))
  }

  @Test("with the place, without the value, and keeps nothing", arguments: cases)
  func refuses(_ test: Case) throws {
    try check(test)
  }

  @Test("text that is not UTF-8", arguments: ["f.json", "f.jsonl", "f.csv"])
  func invalidText(_ name: String) throws {
    var test = Case("", name, "", "not UTF-8")
    test.bytes =
      name == "f.csv"
      ? Array("a\nok\n".utf8) + [0xFF, 0xFE] : Array("{\"a\":\"".utf8) + [0xC3, 0x28] + "\"}".utf8
    if name == "f.json" { test.bytes = [0x5B] + test.bytes + [0x5D] }
    try check(test)
  }

  @Test("NUL bytes in JSON, and UTF-16")
  func zeros() throws {
    var test = Case("", "f.json", "[{\"a\":\"x\0y\"}]", "line 1, column 9: a control character")
    try check(test)
    test = Case("", "f.json", "[\0]", "line 1, column 2: ")
    try check(test)
    test = Case("", "f.csv", "", "not UTF-8")
    test.bytes = [0xFF, 0xFE, 0x61, 0x00, 0x0A, 0x00]
    try check(test)
  }

  @Test("a failure after many good records still keeps nothing")
  func lateFailure() throws {
    let good = (0..<20_000).map { "{\"a\":\($0)}\n" }.joined()
    try check(Case("", "f.jsonl", good + "{\"a\":\"secret\"}\n", "line 20001", "--type", "a:Int"))
  }

  @Test("a missing file, a folder, and the vault itself")
  func wrongFiles() throws {
    let tool = try TestTool.withVault()
    let missing = try tool.run("import", "C", tool.folder.file("none.json"))
    #expect(missing.code == 66)
    #expect(missing.errors.contains("There is no file at"))
    let folder = try tool.run("import", "C", tool.folder.path)
    #expect(folder.code == 66)
    #expect(folder.errors.contains("is a folder"))
    let itself = try tool.run("import", "C", tool.vault)
    #expect(itself.code == 64)
    #expect(itself.errors.contains("belongs to the vault itself"))
    let badType = try tool.run(
      "import", "C", tool.folder.file("none.json"), "--type", "a:Integer")
    #expect(badType.code == 64)
    #expect(badType.errors.contains("The types are Bool, Int, "))
  }
}
