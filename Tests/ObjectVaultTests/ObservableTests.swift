import ObjectVault
import Observation
import TestSupport
import Testing

@Observable @Stored
private final class Track {
  @Indexed var title: String = ""
  var length: Int = 0
  @ObservationIgnored var plays: Int = 0
  @Ignored var isPlaying: Bool = false
}

@Suite("A class that is observable, too")
struct ObservableTests {
  @Test("is stored with all attributes, and its changes are observed")
  func stored() throws {
    let folder = try TemporaryFolder()
    let vault = try Vault(at: folder.file("tracks.vault"), key: .passphrase("p"))
    let tracks = try vault.store(of: Track.self)
    let track = Track()
    (track.title, track.length, track.plays, track.isPlaying) = ("Overture", 240, 3, true)
    try tracks.insert(track)
    let stored = try #require(try tracks.where("title == 'Overture'").first())
    #expect(stored.length == 240 && stored.plays == 3 && !stored.isPlaying)
    #expect(!Track.classDescription.properties.contains { $0.name == "isPlaying" })
    let changed = Flag()
    withObservationTracking {
      _ = stored.title
    } onChange: {
      changed.set()
    }
    stored.title = "Finale"
    #expect(changed.isSet)
  }

  private final class Flag: @unchecked Sendable {
    private(set) var isSet = false
    func set() { isSet = true }
  }
}
