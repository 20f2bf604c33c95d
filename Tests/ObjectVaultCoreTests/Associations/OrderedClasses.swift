import ObjectVaultCore

/// Whether the lists of a playlist are ordered, and their tracks have a history: versions of the
/// same classes.
protocol Ordering: Sendable {
  static var isOrdered: Bool { get }
  static var history: TableOptions.History { get }
}
extension Ordering {
  static var history: TableOptions.History { .changes }
}
enum InOrder: Ordering { static let isOrdered = true }
enum InOrderWithoutHistory: Ordering {
  static let isOrdered = true
  static let history: TableOptions.History = .none
}
enum WithoutOrder: Ordering { static let isOrdered = false }

/// A list of tracks, and another one of those that are played next.
struct Playlist<Version: Ordering>: StoredObject, Hashable {
  var name: String
  var tracks: [PlaylistTrack<Version>]?
  var queue: [PlaylistTrack<Version>]?

  init(
    _ name: String, tracks: [PlaylistTrack<Version>]? = nil, queue: [PlaylistTrack<Version>]? = nil
  ) {
    self.name = name
    self.tracks = tracks
    self.queue = queue
  }

  init(_ name: String, _ titles: [String]) {
    self.init(name, tracks: titles.map { PlaylistTrack($0) })
  }

  var titles: [String] { (tracks ?? []).map(\.title) }

  mutating func move(_ place: Int, to other: Int) {
    guard let moved = tracks?.remove(at: place) else { return }
    tracks?.insert(moved, at: other)
  }

  static var classDescription: ClassDescription {
    ClassDescription(
      "Playlist",
      members: [
        .property(.init("name", String.self)),
        .owned(
          "tracks", PlaylistTrack<Version>.self, reference: "playlist", ordered: Version.isOrdered),
        .owned(
          "queue", PlaylistTrack<Version>.self, reference: "queued", ordered: Version.isOrdered),
      ], objectID: ["name"])
  }
  static var referenceTarget: ReferenceTarget {
    ReferenceTarget(table: "Playlist", columns: ["name"])
  }
  static var referencedClasses: [any StoredObject.Type] { [PlaylistTrack<Version>.self] }
  static var ownedProperties: [OwnedProperty<Playlist>] {
    [
      .many(\.tracks, by: \PlaylistTrack<Version>.playlist),
      .many(\.queue, by: \PlaylistTrack<Version>.queued),
    ]
  }
  init(row: Row) throws { name = try row.value(at: 0) }
  func encode(into binder: Binder) throws { try binder.bind(name, at: 0) }
  var storedObjectID: String? { name }
}

struct PlaylistTrack<Version: Ordering>: StoredObject, GeneratesObjectID, Hashable {
  var objectID: Int64?
  var title: String
  var playlist: Ref<Playlist<Version>>?
  var queued: Ref<Playlist<Version>>?

  init(_ title: String, in playlist: String? = nil) {
    self.title = title
    self.playlist = playlist.map { Ref(id: $0) }
  }

  static var classDescription: ClassDescription {
    ClassDescription(
      "Track",
      members: [
        .property(.init("title", String.self)),
        .reference("playlist", Ref<Playlist<Version>>?.self, onDelete: .cascade),
        .reference("queued", Ref<Playlist<Version>>?.self, onDelete: .nullify),
      ], options: TableOptions(history: Version.history))
  }
  static var referenceTarget: ReferenceTarget { ReferenceTarget(table: "Track") }
  static var referencedClasses: [any StoredObject.Type] { [Playlist<Version>.self] }
  init(row: Row) throws {
    title = try row.value(at: 0)
    playlist = try row.value(at: 1)
    queued = try row.value(at: 2)
    objectID = try row.value(at: 3)
  }
  func encode(into binder: Binder) throws {
    try binder.bind(title, at: 0)
    try binder.bind(playlist, at: 1)
    try binder.bind(queued, at: 2)
  }
}
