import ObjectVaultConformance
import ObjectVaultConformanceFormat
import ObjectVaultCore
import Testing

@Suite("Reading fixtures that are wrong")
struct RefusalTests {
  @Test("The file that the bad ones are made of has nothing wrong")
  func sound() throws {
    let (fixture, errors) = FixtureReader.read(BadFixture.sound, path: "notes/sound.yaml")
    #expect(errors == [])
    let cases = try #require(fixture).cases
    #expect(cases.map(\.name) == ["a note is found", "a note is kept"])
    #expect(cases.map(\.engine) == [4, nil])
    #expect(cases.map(\.place.line) == [10, 18])
    #expect(cases.first?.covers == ["S1"])
    #expect(cases.first?.steps.map(\.operation) == [.find, .insertMany])
    #expect(cases.last?.steps.first?.steps.first?.place.description == "notes/sound.yaml:23")
    #expect(cases.last?.steps.first?.steps.first?.expected == .returns(.integer(1)))
  }

  @Test("What is wrong is refused with its place", arguments: BadFixture.all)
  func refused(_ bad: BadFixture) {
    let errors = FixtureReader.read(bad.text, path: "notes/bad.yaml").1
    let expected = [(bad.line, bad.message)] + (bad.also.map { [$0] } ?? [])
    #expect(errors.map(\.place.line) == expected.map(\.0), "\(errors)")
    #expect(errors.allSatisfy { $0.place.path == "notes/bad.yaml" })
    for (error, expected) in zip(errors, expected) {
      #expect(error.message.contains(expected.1))
    }
  }

  @Test("All that is wrong with a file is reported at once, in the order of its lines")
  func several() {
    let text = BadFixture.sound
      .replacingFirst("- close: {}", by: "- colse: {}")
      .replacingFirst("counts: {Note: 1}", by: "counts: {Note: one}")
      .replacingFirst("covers: [S1]", by: "covers: [S1, 2B]")
    let errors = FixtureReader.read(text, path: "a/b.yaml").1
    #expect(errors.map(\.place.description) == ["a/b.yaml:11", "a/b.yaml:25", "a/b.yaml:27"])
  }

  @Test("A raw key of any length may stand where a failure is expected")
  func refusedKey() {
    let text = BadFixture.sound.replacingFirst(
      "- close: {}", by: "- open: {key: {raw: \"01\"}}\n        fails: invalidKey")
    #expect(FixtureReader.read(text, path: "a/b.yaml").1 == [])
  }

  @Test("An objectID to change to is no path")
  func changedID() {
    let text = BadFixture.sound.replacingFirst(
      "- close: {}", by: "- changeID: {class: Note, id: /a, to: /b}")
    #expect(FixtureReader.read(text, path: "a/b.yaml").1 == [])
  }

  @Test(
    "Lists in lists without end are refused, and take no more than a line says",
    arguments: [
      200, 2_000, 100_000,
    ])
  func deep(_ depth: Int) {
    let errors = FixtureReader.read(
      "format: " + String(repeating: "[", count: depth) + "\n", path: "a/b.yaml"
    ).1
    #expect(errors.count == 1)
    let closed = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    #expect(FixtureReader.read("format: \(closed)\n", path: "a/b.yaml").1.count == 1)
  }

  @Test("A class whose objectID no property is reaches a testee as it is written")
  func missingObjectID() throws {
    let text = BadFixture.sound.replacingFirst(
      "classes:\n", by: "classes:\n  Memo: {objectID: [b, a], properties: {a: Int}}\n")
    let (fixture, errors) = FixtureReader.read(text, path: "a/b.yaml")
    #expect(errors == [])
    let memo = try #require(fixture?.classes.first)
    #expect(
      memo.jsonValue.compactText == #"{"name":"Memo","table":"Memo","#
        + #""properties":{"a":{"type":"Int","column":"a"}},"objectID":["b","a"]}"#)
  }
}
