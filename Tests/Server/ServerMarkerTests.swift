import Foundation
import ObjectVaultCore
import ObjectVaultDriver
import ObjectVaultServer
import ObjectVaultSession
import TestSupport
import Testing

/// Searches everything that a server stores for values of sealed properties.
@Suite("No sealed value reaches a PostgreSQL server", .enabled(if: Server.address != nil))
struct ServerMarkerTests {
  /// Values that occur nowhere else: random letters, without the letters of hexadecimal digits.
  private struct Markers {
    let diagnosis = Markers.word()
    let email = Markers.word()
    let sought = Markers.word()
    let name = Markers.word()
    let tag = Markers.word()

    var sealed: [String] { [diagnosis, email, sought, tag] }

    private static func word() -> String {
      String((0..<24).map { _ in "GHJKLMNPQRSTUVWXYZ".randomElement() ?? "G" })
    }
  }

  private let schema = Server.newSchema()

  /// Returns a vault each of whose statements the server logs with its parameters.
  private func vault() throws -> SharedVault {
    try Server.vault(
      schema, connection: "markers options='-c log_statement=all'", sealingKeys: .ofTests(1))
  }

  private func use(_ markers: Markers) throws {
    let vault = try vault()
    defer { vault.close() }
    let patients = try vault.store(of: Patient.self)
    var patient = Patient(markers.name, "none", email: markers.email)
    patient.tags = [markers.tag]
    patient = try patients.insert(patient)
    patient.diagnosis = markers.diagnosis
    try patients.update(patient)
    try patients.insert(contentsOf: [Patient("Bob", markers.diagnosis)])
    try patients.replace(Patient("Cy", markers.diagnosis, email: markers.sought))
    patient.diagnosis = markers.diagnosis + "2"
    try patients.save(patient)
    try patients.changeID(of: #require(patient.objectID), to: 50)
    #expect(try patients.where("email == %@", markers.email).all().map(\.name) == [markers.name])
    #expect(try patients.where("email IN {%@, 'b'}", markers.sought).all().map(\.name) == ["Cy"])
    #expect(try patients.where("name == %@", markers.name).count() == 1)
    #expect(throws: VaultError.self) {
      try patients.insert(Patient("Cy", "flu", email: markers.email))
    }
    #expect(throws: VaultError.self) {
      try patients.where("diagnosis CONTAINS %@", markers.diagnosis).all()
    }
    try vault.opened().withWriter { try $0.execute("CHECKPOINT") }
  }

  /// Returns the folder of the server, from its address.
  private func folder() throws -> String {
    let words = try #require(Server.address).split(separator: " ")
    return String(try #require(words.first { $0.hasPrefix("host=") }).dropFirst(5))
  }

  /// Returns whether a marker is in one of the files below a folder, as text or hexadecimal digits.
  private func holds(_ marker: String, below folder: String) -> Bool {
    let digits = marker.utf8.map { String($0, radix: 16) }.joined()
    // The server removes files at any time, which the enumeration and `contents` skip.
    let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    return (names.map { "\(folder)/\($0)" } + [folder]).contains { path in
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder),
        !isFolder.boolValue, let content = FileManager.default.contents(atPath: path)
      else { return false }
      return content.range(of: Data(marker.utf8)) != nil
        || content.range(of: Data(digits.utf8)) != nil
    }
  }

  @Test(
    "Not its dump, its data, its log of writes nor its log of statements contains one",
    .covers("E3"))
  func markers() throws {
    let markers = Markers()
    try use(markers)
    let server = try folder()
    let copy = try TemporaryFolder()
    let programs = try #require(
      ProcessInfo.processInfo.environment["OBJECTVAULT_SERVER_PROGRAMS"])
    let dump = try SpawnedProgram.run(
      "\(programs)/pg_dump",
      ["--host", server, "--username", "vault", "--schema", schema, "postgres"])
    #expect(dump.status == 0)
    try dump.output.write(toFile: copy.file("dump"), atomically: false, encoding: .utf8)
    let places = [
      copy.file("dump"), "\(server)/data/base", "\(server)/data/pg_wal", "\(server)/log",
    ]
    for place in places {
      // The name is not sealed, so the search finds it in each place.
      #expect(holds(markers.name, below: place), "the search misses \(place)")
      for marker in markers.sealed { #expect(!holds(marker, below: place), "\(place)") }
    }
    for marker in markers.sealed { #expect(!holds(marker, below: server)) }
  }
}
