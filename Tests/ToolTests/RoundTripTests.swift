import Foundation
import ObjectVaultCore
import TestSupport
import Testing

/// What `export` writes, `import` reads back as the same values: every type, at its extremes.
@Suite("Export and import") struct RoundTripTests {
  /// Values of each type as the file keeps them.
  static func values(_ type: PropertyType) -> [StoredValue] {
    switch type {
    case .bool: [.integer(0), .integer(1)]
    case .int, .int64: [.integer(.min), .integer(9_007_199_254_740_993), .integer(.max)]
    case .int8: [.integer(-128), .integer(127)]
    case .int16: [.integer(-32768), .integer(32767)]
    case .int32: [.integer(-2_147_483_648), .integer(2_147_483_647)]
    case .uint, .uint64: [.integer(0), .integer(.max)]
    case .uint8: [.integer(0), .integer(255)]
    case .uint16: [.integer(0), .integer(65535)]
    case .uint32: [.integer(0), .integer(4_294_967_295)]
    case .float:
      [0.1, .pi, .leastNonzeroMagnitude, .greatestFiniteMagnitude, -.infinity, 16_777_216].map {
        (value: Float) in .real(Double(value))
      }
    case .double:
      [
        0, 0.1, -1e-300, .leastNonzeroMagnitude, .greatestFiniteMagnitude, .infinity, -.infinity,
        9_007_199_254_740_992, 1e22, 5,
      ].map { .real($0) }
    case .string:
      [
        "", " ", "a,b", "\"", "\r\n", "x\0y", "true", "12", "-1.5e3", "004", "null", "é",
        "e\u{301}",
        "😀\u{202E}", "\u{FEFF}x", "'; --", "[]", "{\"a\":1}",
      ].map { .text($0) }
    case .character: [.text("x"), .text("\""), .text(","), .text("👩‍👩‍👧"), .text("\r\n"), .text("7")]
    case .data: [.blob([]), .blob([0, 1, 255]), .blob(Array(0...255))]
    case .date:
      [
        0, 1_772_364_600.25, -0.000001, 1e-6, -62_135_596_800, 253_402_300_799.999,
        -62_167_219_200.5, 1e15, 8_589_934_592.000002, (-3_400_000_000.0).nextDown, .infinity,
        -.infinity,
      ].map { .real($0) }
    case .uuid: [.text("6F9619FF-8B86-D011-B42D-00C04FC964FF")]
    case .url: [.text("https://example.org/a?b=c,d#e"), .text("mailto:x@example.org")]
    case .decimal: [.text("0"), .text("-12345678901234567890.123456789"), .text("0.1")]
    case .json:
      [
        "null", "5", "\"text\"", "\"\"", "true", "[]", "{\"a\":[1,2.5,null]}", "\"a,\\\"b\\u0000\"",
        "9007199254740993",
      ].map { .text($0) }
    }
  }

  /// Whether an optional property keeps the value: JSON cannot tell a null of a composite from nil.
  private static func isKept(_ value: StoredValue, _ type: PropertyType) -> Bool {
    type != .json || value != .text("null")
  }

  private func description(_ type: PropertyType) -> ClassDescription {
    ClassDescription(
      "Thing",
      properties: [
        PropertyDescription("value", type: type),
        PropertyDescription("other", type: type, isOptional: true),
      ])
  }

  private func store(_ tool: TestTool, _ type: PropertyType) throws -> ObjectStore<DynamicObject> {
    try tool.opened().store(of: description(type))
  }

  @Test(
    "gives every type back", arguments: PropertyType.allCases, ["json", "jsonl", "csv"])
  func everyType(_ type: PropertyType, _ format: String) throws {
    let values = Self.values(type)
    #expect(!values.isEmpty)
    let source = try TestTool()
    let first = try store(source, type)
    for (index, value) in values.enumerated() {
      var object = try DynamicObject(of: first.classDescription).with("value", value)
      if index.isMultiple(of: 2), Self.isKept(value, type) {
        object = try object.with("other", value)
      }
      // Numbers with gaps, which must come back too.
      object.assignObjectID(DynamicObjectID(.integer(Int64(index * 3 + 1))))
      try first.insert(object)
    }
    let expected = try first.all()
    // One by one the library gives the same.
    let lines = try expected.map { String(decoding: try first.json(of: $0), as: UTF8.self) + "\n" }
    #expect(try expected.map { try first.object(fromJSON: first.json(of: $0)) } == expected)
    #expect(try expected.map { try first.object(from: first.values(of: $0)) } == expected)
    try first.vault.close()

    let file = source.folder.file("thing.\(format)")
    let exported = try source.run("export", "Thing", "--to", file)
    #expect(exported.code == 0, "\(exported.errors)")
    if format == "jsonl" { #expect(try source.read("thing.jsonl") == lines.joined()) }

    let target = try TestTool()
    let second = try store(target, type)
    let imported = try target.run("import", "Thing", file)
    #expect(imported.code == 0, "\(imported.errors)")
    #expect(try second.all() == expected)
    try second.vault.close()
  }

  @Test(
    "gives the types of JSON back to a new class without being told",
    arguments: ["json", "jsonl", "csv"])
  func inferred(_ format: String) throws {
    let tool = try TestTool.withVault()
    let text = #"""
      [{"i":1,"d":0.5,"b":true,"s":"12","t":"true","n":null,"z":"7"},
       {"i":-2,"d":1e100,"b":false,"s":"","t":"x","n":"y","z":"8"}]
      """#
    try tool.fill("First", text, "t.json")
    let file = tool.folder.file("out.\(format)")
    #expect(try tool.run("export", "First", "--to", file).code == 0)
    #expect(try tool.run("import", "Second", file).code == 0)
    let vault = try tool.opened()
    defer { vault.close() }
    let (first, second) = (try vault.store(named: "First"), try vault.store(named: "Second"))
    #expect(first.classDescription.properties == second.classDescription.properties)
    #expect(second.classDescription.objectID == .generated)
    #expect(try first.all().map(\.allValues) == second.all().map(\.allValues))
    #expect(try first.all().map(\.generatedID) == second.all().map(\.generatedID))
  }
}
