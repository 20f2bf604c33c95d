import Foundation
import ObjectVault
import TestSupport
import Testing

/// The Swift of the guide "Performance", line by line as it stands there.
@Suite("The guide to performance") struct PerformanceGuideTests {
  @Stored(indexes: [["city", "age"]])
  struct Citizen {
    var name: String
    @Indexed var email: String
    var city: String
    var age: Int
    var score = 0.0
    var portrait: [UInt8] = []
  }

  @Stored
  struct Letter {
    @Reference(onDelete: .cascade) var addressee: Ref<Citizen>
    var text: String
  }

  private let folder: TemporaryFolder
  private let path: String
  private let key = VaultKey.raw([UInt8](1...32))

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("town.vault")
  }

  @Test("holds no line that is not here")
  func whole() throws {
    #expect(try GuideSnippets.missing("Guides/Performance.md", in: #filePath) == [])
    #expect(try GuideSnippets.lines(of: "Guides/Performance.md").count > 20)
  }

  @Test("shows batches, scopes, questions and plans")
  func all() throws {
    var configuration = VaultConfiguration()
    configuration.writerCache = .mebibytes(64)
    configuration.readerCache = .mebibytes(64)
    configuration.queryStatistics = .on
    let vault = try Vault(at: path, key: key, configuration: configuration)
    let citizens = try vault.store(of: Citizen.self)
    let newcomers = (1...100).map {
      Citizen(
        name: "citizen \($0)", email: "\($0)@example.org", city: $0 % 2 == 0 ? "Ulm" : "Bern",
        age: $0)
    }
    try citizens.insert(contentsOf: newcomers)
    var rated = try citizens.where("city == %@", "Ulm").all()
    for index in rated.indices { rated[index].score += 1 }
    try citizens.update(contentsOf: rated, only: "age", "score")
    #expect(try citizens.where("score == 1 && city == %@", "Ulm").count() == 50)
    let ids: [Int64] = [1, 2, 300]
    let found = try vault.read {
      try ids.compactMap { try citizens.find($0) }
    }
    #expect(found.map(\.age) == [1, 2])
    let letters = try vault.store(of: Letter.self)
    try letters.insert(
      contentsOf: [1, 2, 1].map { Letter(addressee: Ref(id: $0), text: "Dear \($0)") })
    let towns = try vault.read(caching: .objects(10_000)) {
      try letters.all().compactMap { try citizens.find($0.addressee)?.city }
    }
    #expect(towns == ["Bern", "Ulm", "Bern"])
    let eldest = try citizens.where("city == %@ && age >= %@", "Ulm", 65).first()
    let count = try citizens.where { $0.city == "Ulm" && $0.age >= 65 }.count()
    #expect(eldest?.age == 66 && count == 18)
    let plan = try citizens.where("age >= %@", 65).sorted(by: "name").explain()
    print(plan.suggestions)
    #expect(!plan.suggestions.isEmpty)
    _ = try citizens.where("name == %@", "citizen 3").all()
    for index in try vault.advisedIndexes() {
      print(index.suggestion.declaration, index.queryCount, index.duration)
    }
    #expect(
      try vault.advisedIndexes().map(\.suggestion.index.properties) == [["name"]])
  }
}
