import Foundation
import ObjectVaultConformance
import ObjectVaultConformanceFormat
import ObjectVaultCore
import ObjectVaultEngine
import TestSupport
import Testing

@Suite("The library behind the protocol") struct ServeLoopTests {
  /// Gives the program lines, and returns its lines.
  private func serve(_ input: [UInt8]) throws -> [JSONValue] {
    let result = try SpawnedProgram.run("objectvault", ["testee"], input: .file(input))
    #expect(result.exited && result.status == 0, "\(result.status) \(result.errors)")
    #expect(result.errors.isEmpty)
    return try result.output.split(separator: "\n").map { try JSONParser.parse(String($0)) }
  }

  private static let broken: [(line: String, id: Int?)] = [
    ("", nil), (" ", nil), ("nonsense", nil), ("[]", nil), ("null", nil), ("{}", nil),
    (String(repeating: "[", count: 100_000), nil),
    (#"{"id":1}"#, 1), (#"{"operation":"end","arguments":{}}"#, nil),
    (#"{"id":"1","operation":"end","arguments":{}}"#, nil),
    (#"{"id":1.5,"operation":"end","arguments":{}}"#, nil),
    (#"{"id":99999999999999999999,"operation":"end","arguments":{}}"#, nil),
    (#"{"id":2,"operation":"nothing","arguments":{}}"#, 2),
    (#"{"id":3,"operation":"sql","arguments":{"statements":[]}}"#, 3),
    (#"{"id":4,"operation":"open","arguments":{"pth":"a"}}"#, 4),
    (#"{"id":5,"operation":"open","arguments":[]}"#, 5),
    (#"{"id":6,"operation":"open"}"#, 6),
    (#"{"id":7,"operation":"find","arguments":{"class":"A"}}"#, 7),
    (#"{"id":8,"operation":"find","arguments":{"class":7,"id":1}}"#, 8),
    (#"{"id":9,"operation":"open","arguments":{"key":{"raw":1}}}"#, 9),
    (#"{"id":10,"operation":"open","arguments":{},"thread":1}"#, 10),
    (#"{"id":11,"operation":"open","arguments":{},"more":1}"#, 11),
    (#"{"id":12,"operation":"read","arguments":{}}"#, 12),
    (
      #"{"id":13,"operation":"read","arguments":{"steps":[{"operation":"end","arguments":{}}]}}"#,
      13
    ),
    (
      #"{"id":14,"operation":"read","arguments":{"steps":[{"id":1,"operation":"close","arguments":{}}]}}"#,
      14
    ),
    (#"{"id":15,"operation":"begin","arguments":{"format":1,"folder":"/"}}"#, 15),
    (#"{"id":16,"operation":"begin","arguments":{"format":2,"folder":"/","classes":{}}}"#, 16),
    (#"{"id":17,"operation":"begin","arguments":{"format":1,"folder":"x","classes":{}}}"#, 17),
    (
      #"{"id":18,"operation":"begin","arguments":{"format":1,"folder":"/","classes":{"A":{}}}}"#, 18
    ),
    (#"{"id":19,"operation":"close","arguments":{}}"#, 19),
    (#"{"id":20,"operation":"insert","arguments":{"class":"A","object":{"a":null}}}"#, 20),
    (#"{"id":21,"operation":"insert","arguments":{"class":"A","object":{"a":1.5}}}"#, 21),
  ]

  @Test("A line that is no request is answered with an error, and the next one is read")
  func brokenLines() throws {
    let lines = Self.broken.map(\.line) + [#"{"id":22,"operation":"end","arguments":{}}"#]
    // The last line has no end: the input ends instead.
    var answers = try serve(Array(lines.joined(separator: "\n").utf8))
    #expect(answers.popLast() == .object([.init("id", .integer(22))]))
    #expect(answers.count == Self.broken.count)
    for (answer, (line, id)) in zip(answers, Self.broken) {
      let start = line.prefix(100)
      #expect(answer["id"] == id.map(JSONValue.integer), "\(start)")
      #expect(answer["fails"]?["code"] == .string("internalError"), "\(start)")
      #expect(answer["fails"]?["message"]?.kind == "text", "\(start)")
    }
  }

  @Test("Bytes that are no UTF-8 are answered with an error")
  func invalidText() throws {
    let answers = try serve([0xFF, 0xFE, 0x0A, 0x22, 0xC3, 0x28, 0x22, 0x0A])
    #expect(answers.count == 2)
    #expect(answers.allSatisfy { $0["fails"]?["code"] == .string("internalError") })
  }

  @Test("Damaged requests never end the program")
  func damagedRequests() throws {
    let folder = try TemporaryFolder()
    let classes =
      #"{"A":{"properties":{"a":"String","b":{"type":"Int","column":"c","default":4}}}}"#
    let requests = [
      #"{"id":1,"operation":"begin","arguments":{"format":1,"folder":"\#(folder.path)","classes":\#(classes)}}"#,
      #"{"id":2,"operation":"open","arguments":{"key":{"raw":"\#(String(repeating: "0b", count: 32))"}}}"#,
      #"{"id":3,"operation":"insert","arguments":{"class":"A","object":{"a":"x","b":{"int":"5"}}}}"#,
      #"{"id":4,"operation":"values","arguments":{"class":"A","properties":["a"],"where":"b > %@ && a != $n","arguments":[{"double":"1.5"}],"named":{"n":{"date":"2"}},"sort":["-a"],"length":3}}"#,
      #"{"id":5,"operation":"transaction","arguments":{"end":"rollback","steps":[{"operation":"removeWhere","arguments":{"class":"A","where":"b IN {1,5}"},"mayFail":true}]}}"#,
    ]
    var generator = SeededGenerator(for: "damaged requests")
    var input: [UInt8] = []
    let count = 400
    for number in 0..<count {
      var line = Array(requests[number % requests.count].utf8)
      for _ in 0..<Int.random(in: 0...2, using: &generator) {
        let place = Int.random(in: 0..<line.count, using: &generator)
        switch generator.pick([0, 1, 2]) {
        case 0: line[place] = UInt8.random(in: 0x20...0x7E, using: &generator)
        case 1: line.remove(at: place)
        default: line.insert(generator.pick(Array(#"{}[]",:\"#.utf8)), at: place)
        }
      }
      input += line + [0x0A]
    }
    let answers = try serve(input)
    #expect(answers.count == count)
    let failed = answers.filter { $0["fails"] != nil }.count
    #expect(failed > count / 4 && failed < count - count / 20, "\(failed) of \(count) fail")
  }

  @Test("Its help says what it is for")
  func help() throws {
    let result = try SpawnedProgram.run("objectvault", ["testee", "--help"])
    #expect(result.status == 0)
    #expect(result.output.contains("Fixtures/README.md"))
    #expect(result.output.contains("--cipher-format <cipher-format>"))
  }

  @Test("It says which engine it uses, and makes files in the format asked for")
  func formats() throws {
    let testee = try Exchange.program("--cipher-format", "portable")
    let folder = try TemporaryFolder()
    guard case .returns(let facts?) = try testee.answer(.begin(folder: folder.path, classes: []))
    else {
      Issue.record("It does not begin.")
      return
    }
    let version = try Engine.prove()
    #expect(facts["name"] == .text("ObjectVault"))
    #expect(facts["engine"] == .text("SQLCipher \(version.cipherVersion)"))
    func format(_ open: String) throws -> FixtureValue? {
      _ = try testee.answer(Exchange.request("open", open))
      guard case .returns(let cipher) = try testee.answer(Exchange.request("cipher", "{}")) else {
        return nil
      }
      return cipher?["format"]
    }
    #expect(try format(#"{"path":"a.vault"}"#) == .integer(3))
    #expect(
      try format(#"{"path":"b.vault","cipherFormat":"native"}"#)
        == .integer(Int64(version.newestCipherFormat)))
  }

  @Test("It ends when nobody reads its answers")
  func closedOutput() throws {
    let requests = try privatePipe()
    let answers = try privatePipe()
    close(answers.reading)
    defer { for end in [requests.reading, requests.writing, answers.writing] { close(end) } }
    let line = Array(#"{"id":1,"operation":"end","arguments":{}}"#.utf8) + [0x0A]
    #expect(write(requests.writing, line, line.count) == line.count)
    // The input has not ended, so that only the output can be why it returns.
    try ServeLoop(LibraryTestee(), input: requests.reading, output: answers.writing).run()
  }
}
