import Foundation
import ObjectVaultCore
@testable import ObjectVaultTool
import TestSupport
import Testing

@Suite("Import of CSV with other delimiters") struct CSVImportTests {
  @Test(
    "finds the delimiter in the header, outside quotes",
    arguments: [
      ("a,b", ","), ("a;b", ";"), ("a\tb", "\t"), ("a", ","), ("", ","), ("\"x;y;z\",b", ","),
      ("\"a,b\";c", ";"), ("price, net;quantity;name", ";"), ("a;b\n1,2,3,4", ";"), ("a|b", ","),
    ])
  func sniffed(header: String, delimiter: String) {
    #expect(CSVDelimiter.sniffed(in: header.utf8).byte == delimiter.utf8.first)
  }

  @Test("A byte order mark that a pipe delivers in pieces is skipped")
  func dividedByteOrderMark() throws {
    let pipe = Pipe()
    defer { withExtendedLifetime(pipe) {} }
    let input = ByteInput(
      descriptor: pipe.fileHandleForReading.fileDescriptor, name: "standard input",
      mustClose: false)
    let writing = pipe.fileHandleForWriting
    writing.write(Data([0xEF]))
    #expect(try input.peek() == 0xEF)
    writing.write(Data([0xBB, 0xBF] + Array("a,b\n1,2\n".utf8)))
    try writing.close()
    let records = try CSVRecords(input, delimiter: .comma)
    #expect(try records.header == ["a", "b"])
    #expect(try records.next()?.members.count == 2)
    #expect(input.position == 11)
  }

  @Test("reads the names and characters of delimiters, and no others")
  func arguments() {
    for (argument, delimiter) in [
      ("comma", ","), ("semicolon", ";"), ("tab", "\t"), ("\\t", "\t"), ("|", "|"), ("\t", "\t"),
    ] {
      #expect(CSVDelimiter(argument: argument)?.byte == delimiter.utf8.first)
    }
    for argument in ["", "ab", "a", "1", "\"", "-", "+", ".", "\n", "é", " "] {
      #expect(CSVDelimiter(argument: argument) == nil, "\(argument)")
    }
  }

  @Test("imports semicolons, tabs and other delimiters, and prints the types")
  func imports() throws {
    let tool = try TestTool.withVault()
    for (className, name, text, options) in [
      ("A", "a.csv", "name;age\nLi;20\n\"x;y\";\n", []),
      ("B", "b.tsv", "name\tage\nLi\t20\nx;y\t\n", []),
      ("C", "c.csv", "name|age\nLi|20\nx;y|\n", ["--delimiter", "|"]),
      ("D", "d.txt", "name\tage\nLi\t20\nx;y\t\n", ["--format", "tsv"]),
    ] as [(String, String, String, [String])] {
      let file = try tool.write(text, to: name)
      let result = try TestTool.bare(
        ["import", tool.vault, className, file] + options + tool.keyOptions)
      #expect(result.code == 0, "\(result.errors)")
      #expect(result.output.hasPrefix("Imported 2 objects into the new class '\(className)'.\n"))
      #expect(result.output.hasSuffix("\nTypes: name String, age Int?.\n"), "\(result.output)")
      let query = try tool.run("query", className, "--format", "jsonl")
      #expect(query.output.contains(#""name":"x;y","age":null"#), "\(query.output)")
    }
  }

  @Test("A name with delimiters is quoted by an export, so that an import detects the comma")
  func delimitersInNames() throws {
    let tool = try TestTool.withVault()
    try tool.fill("T", #"[{"a;b;c;d":"x","e\tf\tg\th":"y;z"}]"#, "t.json")
    let file = tool.folder.file("t.csv")
    #expect(try tool.run("export", "T", "--to", file).code == 0)
    #expect(
      try tool.read("t.csv") == "objectID,\"a;b;c;d\",\"e\tf\tg\th\"\n1,x,\"y;z\"\n")
    let result = try tool.run("import", "U", file)
    #expect(result.code == 0, "\(result.errors)")
    #expect(try tool.run("export", "U", "--format", "csv").output == tool.read("t.csv"))
  }

  @Test("a line with another number of fields names the delimiter")
  func uneven() throws {
    let tool = try TestTool.withVault()
    let file = try tool.write("a;b\n1;2;3\n", to: "a.csv")
    let result = try tool.run("import", "A", file)
    #expect(result.code == 65)
    #expect(result.errors.contains("line 2: 3 fields"), "\(result.errors)")
    #expect(result.errors.contains("a semicolon. Use --delimiter"), "\(result.errors)")
    let json = try tool.write("[]", to: "a.json")
    #expect(try tool.run("import", "A", json, "--delimiter", "tab").code == 64)
  }

  @Test("warns by line and column of the value that makes a column text, without showing it")
  func warning() throws {
    let tool = try TestTool.withVault()
    let file = try tool.write(
      "name,price,note\nA,1.5,1\nB,n/a,x\nC,2,y\nD,3,z\n", to: "prices.csv")
    let result = try tool.run("import", "Price", file)
    #expect(result.code == 0, "\(result.errors)")
    #expect(
      result.errors == """
        Warning: '\(file)', line 3, column 2 ('price') is not a number, so the column \
        becomes text; 3 other values are. Correct the file, or use --type 'price:String' if text \
        is intended.

        """)
    #expect(result.output.contains("price String"), "\(result.output)")
    let json = try tool.run("import", "Lines", file, "--progress", "json")
    for line in json.errors.split(separator: "\n") {
      _ = try JSONSerialization.jsonObject(with: Data(line.utf8))
    }
    #expect(json.errors.contains(#"{"warning":"'"#), "\(json.errors)")
    let meant = try tool.run("import", "Other", file, "--type", "price:String")
    #expect(meant.errors.isEmpty, "\(meant.errors)")
    let types = try tool.run("import", "Typed", file, "--type", "price:Double")
    #expect(types.code == 65)
    #expect(types.errors.contains("line 3"), "\(types.errors)")
  }
}
