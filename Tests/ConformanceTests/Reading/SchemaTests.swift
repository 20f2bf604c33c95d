import Foundation
import ObjectVaultCondition
import ObjectVaultConformance
import ObjectVaultConformanceFormat
import ObjectVaultCore
import TestSupport
import Testing

@Suite("JSON Schemas of fixtures")
struct SchemaTests {
  @Test("The fixtures and the list of what must hold have the form of their schemas")
  func fixtures() throws {
    let run = try Self.validate(FixtureFolder.url.path)
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    #expect(run.output.contains("files have the form that their schemas ask for"))
  }

  @Test("The schema refuses of the bad files those whose fault a schema can see, and says where")
  func badFixtures() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder.file("bad"), withIntermediateDirectories: false)
    for (number, bad) in BadFixture.all.enumerated() {
      try Data(bad.text.utf8).write(to: folder.url.appendingPathComponent("bad/\(number).yaml"))
    }
    try Data(BadFixture.sound.utf8).write(to: folder.url.appendingPathComponent("bad/sound.yaml"))
    let run = try Self.validate(folder.path)
    #expect(run.status == 1, "\(run.errors)")
    let lines = run.output.split(separator: "\n")
    #expect(!lines.contains { $0.hasPrefix("bad/sound.yaml") })
    for (number, bad) in BadFixture.all.enumerated() {
      let isRefused = lines.contains { $0.hasPrefix("bad/\(number).yaml:") }
      #expect(isRefused == bad.isSeenBySchema, "\(bad.subject)")
    }
    // The place is that of the reader where both see the same value.
    let number = try #require(BadFixture.all.firstIndex { $0.subject == "an unknown type" })
    #expect(lines.contains { $0.hasPrefix("bad/\(number).yaml:5: classes/Note/properties/text: ") })
  }

  @Test("A list of what must hold that breaks its schema is refused")
  func acceptance() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder.file("notes"), withIntermediateDirectories: false)
    try Data(BadFixture.sound.utf8).write(to: folder.url.appendingPathComponent("notes/a.yaml"))
    try Data(
      """
      format: 1
      features: {sql: Statements.}
      groups: {S: stores}
      rows:
        S1: {must: One., note: It is not open.}
        S2: {must: Two., tests: [T.A/b]}
        S3: {heldBy: tests}
        S4: {must: Four., heldBy: nothing}
        S5: {must: Five., notApplicable: A reason., heldBy: tests}

      """.utf8
    ).write(to: folder.url.appendingPathComponent("acceptance.yaml"))
    let run = try Self.validate(folder.path)
    #expect(run.status == 1, "\(run.errors)")
    let places = run.output.split(separator: "\n").compactMap { $0.split(separator: " ").first }
    #expect(places == (5...9).map { "acceptance.yaml:\($0):" })
  }

  @Test("The schema has the operations of the library, each with its arguments")
  func operations() throws {
    let schema = try Self.schema()
    let step = try #require(schema["$defs"]?["step"])
    let operations = FixtureOperation.allCases
    #expect(
      Self.keys(step["properties"])
        == Set(operations.map(\.rawValue) + ["returns", "fails", "thread", "process"]))
    for operation in operations {
      let form = Self.resolve(step["properties"]?[operation.rawValue], in: schema)
      #expect(
        Self.keys(form?["properties"]) == Set(operation.arguments.map(\.name)), "\(operation)")
      #expect(
        Self.texts(form?["required"])
          == Set(operation.arguments.filter(\.isRequired).map(\.name)), "\(operation)")
      #expect(form?["additionalProperties"] == .bool(false), "\(operation)")
    }
  }

  @Test("The schema has the codes, types and ways of opening of the library")
  func words() throws {
    let definitions = try #require(try Self.schema()["$defs"])
    #expect(Self.texts(definitions["code"]?["enum"]) == Set(FixtureErrorCode.all))
    let types = PropertyType.allCases.flatMap { [$0.rawValue, "\($0.rawValue)?"] }
    #expect(Self.texts(definitions["type"]?["enum"]) == Set(types))
    let opening = FixtureOperation.opening.map(\.name)
    #expect(Self.keys(definitions["vault"]?["then"]?["properties"]) == Set(opening + ["file"]))
  }

  private static let repository = FixtureFolder.url.deletingLastPathComponent()

  /// Runs the script, which says how to install what it lacks and then fails.
  private static func validate(
    _ folder: String
  ) throws -> (status: Int32, output: String, errors: String) {
    let process = Process()
    let output = Pipe()
    let errors = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "bash", repository.appendingPathComponent("Scripts/validate-fixtures").path,
      "--without-setup", folder,
    ]
    process.standardOutput = output
    process.standardError = errors
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let written = try output.fileHandleForReading.readToEnd() ?? Data()
    let complaints = try errors.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (
      process.terminationStatus, String(decoding: written, as: UTF8.self),
      String(decoding: complaints, as: UTF8.self)
    )
  }

  private static func schema() throws -> JSONValue {
    let url = FixtureFolder.url.appendingPathComponent("fixture.schema.json")
    return try JSONParser.parse([UInt8](Data(contentsOf: url)))
  }

  /// What a schema refers to, or itself.
  private static func resolve(_ schema: JSONValue?, in root: JSONValue) -> JSONValue? {
    guard case .string(let reference)? = schema?["$ref"] else { return schema }
    return root["$defs"]?[String(reference.dropFirst("#/$defs/".count))]
  }

  private static func keys(_ value: JSONValue?) -> Set<String>? {
    guard case .object(let members)? = value else { return nil }
    return Set(members.map(\.key))
  }

  private static func texts(_ value: JSONValue?) -> Set<String> {
    guard case .array(let elements)? = value else { return [] }
    return Set(
      elements.compactMap { element in
        if case .string(let text) = element { text } else { nil }
      })
  }
}
