import Foundation
import ObjectVaultCore

/// Classes whose objects are told apart as instances.
extension KeptObjectsTests {
  /// A class with a UUID.
  final class Token: StoredObject {
    let id: UUID
    init(_ id: UUID) { self.id = id }
    static let classDescription = ClassDescription(
      "Token", properties: [PropertyDescription("id", UUID.self)], objectID: ["id"])
    init(row: Row) throws { id = try row.value(at: 0) }
    func encode(into binder: Binder) throws { try binder.bind(id, at: 0) }
    var storedObjectID: UUID? { id }
  }

  /// A class with a text.
  final class Word: StoredObject {
    let text: String
    init(_ text: String) { self.text = text }
    static let classDescription = ClassDescription(
      "Word", properties: [PropertyDescription("text", String.self)], objectID: ["text"])
    init(row: Row) throws { text = try row.value(at: 0) }
    func encode(into binder: Binder) throws { try binder.bind(text, at: 0) }
    var storedObjectID: String? { text }
  }

  /// A class with a number that owns others.
  final class Album: StoredObject, GeneratesObjectID {
    var objectID: Int64?
    var songs: [Song]?
    init(_ songs: [Song]) { self.songs = songs }
    static let classDescription = ClassDescription(
      "Album",
      members: [
        .property(.init("isOld", Bool.self)), .owned("songs", Song.self, reference: "album"),
      ])
    static let referenceTarget = ReferenceTarget(table: "Album")
    static var referencedClasses: [any StoredObject.Type] { [Song.self] }
    static var ownedProperties: [OwnedProperty<Album>] { [.many(\.songs, by: \Song.album)] }
    init(row: Row) throws { objectID = try row.value(at: 1) }
    func encode(into binder: Binder) throws { try binder.bind(true, at: 0) }
  }

  /// A class that owns others and whose object ID is its first column.
  final class Shelf: StoredObject {
    let number: Int
    var boxes: [Box]?
    init(_ number: Int, _ boxes: [Box]) { (self.number, self.boxes) = (number, boxes) }
    static let classDescription = ClassDescription(
      "Shelf",
      members: [
        .property(.init("number", Int.self)), .owned("boxes", Box.self, reference: "shelf"),
      ],
      objectID: ["number"])
    static let referenceTarget = ReferenceTarget(table: "Shelf", columns: ["number"])
    static var referencedClasses: [any StoredObject.Type] { [Box.self] }
    static var ownedProperties: [OwnedProperty<Shelf>] { [.many(\.boxes, by: \Box.shelf)] }
    var storedObjectID: Int? { number }
    init(row: Row) throws { number = try row.value(at: 0) }
    func encode(into binder: Binder) throws { try binder.bind(number, at: 0) }
  }

  /// The objects of a shelf.
  final class Box: StoredObject, GeneratesObjectID {
    var objectID: Int64?
    var shelf: Ref<Shelf>?
    init() {}
    static let classDescription = ClassDescription(
      "Box", members: [.reference("shelf", Ref<Shelf>?.self, onDelete: .cascade)])
    static let referenceTarget = ReferenceTarget(table: "Box")
    static var referencedClasses: [any StoredObject.Type] { [Shelf.self] }
    init(row: Row) throws { (shelf, objectID) = (try row.value(at: 0), try row.value(at: 1)) }
    func encode(into binder: Binder) throws { try binder.bind(shelf, at: 0) }
  }

  /// What it owns.
  final class Song: StoredObject, GeneratesObjectID {
    var objectID: Int64?
    var title: String
    var album: Ref<Album>?
    init(_ title: String) { self.title = title }
    static let classDescription = ClassDescription(
      "Song",
      members: [
        .property(.init("title", String.self)),
        .reference("album", Ref<Album>?.self, onDelete: .cascade),
      ])
    static let referenceTarget = ReferenceTarget(table: "Song")
    static var referencedClasses: [any StoredObject.Type] { [Album.self] }
    init(row: Row) throws {
      title = try row.value(at: 0)
      album = try row.value(at: 1)
      objectID = try row.value(at: 2)
    }
    func encode(into binder: Binder) throws {
      try binder.bind(title, at: 0)
      try binder.bind(album, at: 1)
    }
  }
}
