import ObjectVault
import TestSupport
import Testing

private struct Spot: Codable, Hashable {
  var x: Int
}

@Stored
private struct Walk: Hashable {
  var name: String
  var spots: Lazy<[Spot]> = Lazy([])
  var length: Lazy<Double>
  @Column("marks") var notes: Lazy<[String: Int]>?
}

@Suite("Properties that are converted when they are read", .covers("A40"))
struct LazyPropertyTests {
  @Test("stand in types made by @Stored")
  func stored() throws {
    let folder = try TemporaryFolder()
    let vault = try Vault(at: folder.file("walks.vault"), key: .passphrase("p"))
    let walks = try vault.store(of: Walk.self)
    try walks.insert(
      Walk(name: "home", spots: Lazy([Spot(x: 1)]), length: Lazy(2.5), notes: Lazy(["a": 1])))
    let walk = try #require(try walks.first())
    #expect(!walk.spots.isConverted && !walk.length.isConverted)
    #expect(try walk.spots.value == [Spot(x: 1)] && walk.length.value == 2.5)
    #expect(try walk.notes?.value == ["a": 1])
    #expect(try walks.where("length > 2 && notes != nil").count() == 1)
    #expect(
      try vault.rows("SELECT spots, marks FROM Walk").map(\.values)
        == [[.text(#"[{"x":1}]"#), .text(#"{"a":1}"#)]])
  }
}
