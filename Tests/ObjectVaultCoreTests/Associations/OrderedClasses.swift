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

/// A tape with its songs in order, some of which are also on one of its sides.
struct Mixtape: StoredObject, Hashable {
  var name: String
  var songs: [MixSong]?
  var sides: [MixSide]?

  init(_ name: String, songs: [MixSong], sides: [MixSide]) {
    (self.name, self.songs, self.sides) = (name, songs, sides)
  }

  static let classDescription = ClassDescription(
    "Mixtape",
    members: [
      .property(.init("name", String.self)),
      .owned("songs", MixSong.self, reference: "tape", ordered: true),
      .owned("sides", MixSide.self, reference: "tape"),
    ], objectID: ["name"])
  static let referenceTarget = ReferenceTarget(table: "Mixtape", columns: ["name"])
  static var referencedClasses: [any StoredObject.Type] { [MixSong.self, MixSide.self] }
  static var ownedProperties: [OwnedProperty<Mixtape>] {
    [.many(\.songs, by: \MixSong.tape), .many(\.sides, by: \MixSide.tape)]
  }
  init(row: Row) throws { name = try row.value(at: 0) }
  func encode(into binder: Binder) throws { try binder.bind(name, at: 0) }
  var storedObjectID: String? { name }
}

struct MixSide: StoredObject, GeneratesObjectID, Hashable {
  var objectID: Int64?
  var label: String
  var tape: Ref<Mixtape>?
  var songs: [MixSong]?

  init(_ label: String, songs: [MixSong]) { (self.label, self.songs) = (label, songs) }

  static let classDescription = ClassDescription(
    "MixSide",
    members: [
      .property(.init("label", String.self)),
      .reference("tape", Ref<Mixtape>?.self, onDelete: .cascade),
      .owned("songs", MixSong.self, reference: "side", ordered: true),
    ])
  static let referenceTarget = ReferenceTarget(table: "MixSide")
  static var referencedClasses: [any StoredObject.Type] { [Mixtape.self, MixSong.self] }
  static var ownedProperties: [OwnedProperty<MixSide>] { [.many(\.songs, by: \MixSong.side)] }
  init(row: Row) throws {
    (label, tape) = (try row.value(at: 0), try row.value(at: 1))
    objectID = try row.value(at: 2)
  }
  func encode(into binder: Binder) throws {
    try binder.bind(label, at: 0)
    try binder.bind(tape, at: 1)
  }
}

struct MixSong: StoredObject, GeneratesObjectID, Hashable {
  var objectID: Int64?
  var title: String
  var tape: Ref<Mixtape>?
  var side: Ref<MixSide>?

  init(_ title: String) { self.title = title }

  static let classDescription = ClassDescription(
    "MixSong",
    members: [
      .property(.init("title", String.self)),
      .reference("tape", Ref<Mixtape>?.self, onDelete: .cascade),
      .reference("side", Ref<MixSide>?.self, onDelete: .cascade),
    ])
  static let referenceTarget = ReferenceTarget(table: "MixSong")
  static var referencedClasses: [any StoredObject.Type] { [Mixtape.self, MixSide.self] }
  init(row: Row) throws {
    (title, tape) = (try row.value(at: 0), try row.value(at: 1))
    (side, objectID) = (try row.value(at: 2), try row.value(at: 3))
  }
  func encode(into binder: Binder) throws {
    try binder.bind(title, at: 0)
    try binder.bind(tape, at: 1)
    try binder.bind(side, at: 2)
  }
}
