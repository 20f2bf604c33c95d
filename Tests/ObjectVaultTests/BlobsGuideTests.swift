import Foundation
import ObjectVault
import TestSupport
import Testing

/// The Swift of the guide "Shared blobs", line by line as it stands there.
@Suite("The guide to shared blobs") struct BlobsGuideTests {
  @Stored
  struct Photo {
    var name: String
    @SharedBlob var picture: Data
    @SharedBlob var preview: [UInt8]?
  }

  private let folder: TemporaryFolder
  private let vault: Vault
  private let photos: ObjectStore<Photo>
  private let logo = Data(repeating: 7, count: 10_000)
  private let portrait = Data(repeating: 9, count: 5_000)

  init() throws {
    folder = try TemporaryFolder()
    vault = try Vault(at: folder.file("photos.vault"), key: .raw(1...32))
    photos = try vault.store(of: Photo.self)
  }

  @Test("holds no line that is not here")
  func whole() throws {
    #expect(try GuideSnippets.missing("Guides/Blobs.md", in: #filePath) == [])
    #expect(try GuideSnippets.lines(of: "Guides/Blobs.md").count > 10)
  }

  @Test("says what is kept, and how it is asked for", .covers("X16"))
  func asking() throws {
    try photos.insert(contentsOf: (1...1_000).map { Photo(name: "photo \($0)", picture: logo) })
    let saved = try vault.sharedBlobs()
    print("\(saved.uses) pictures in \(saved.bytes) bytes instead of \(saved.bytesOfObjects)")
    #expect(saved.uses == 1_000 && saved.bytes == 10_000 && saved.bytesOfObjects == 10_000_000)
    let same = try photos.where("picture == %@", logo).all()
    let others = try photos.where { $0.picture != logo }.count()
    try photos.where("name == %@", "photo 7").update(set: ["picture": portrait])
    #expect(same.count == 1_000 && others == 0)
    #expect(try photos.where { $0.picture != logo }.count() == 1)
    let bytes = try vault.value(
      "SELECT ov_content(picture) FROM \(Photo.self) WHERE name = \("photo 7")", as: Data.self)
    try vault.execute(
      "UPDATE \(Photo.self) SET picture = ov_share(\(portrait)) WHERE name = \("photo 8")")
    let found = try photos.objects("SELECT * FROM \(Photo.self) WHERE picture = ov_digest(\(logo))")
    #expect(bytes == portrait && found.count == 998)
    #expect(try vault.sharedBlobs().uses == 1_000)
    try photos.removeAll()
    #expect(try vault.sharedBlobs().contents == 0)
  }
}
