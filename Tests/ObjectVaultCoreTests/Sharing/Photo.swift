import Foundation
import ObjectVaultCore

/// A class whose pictures are shared.
struct Photo: StoredObject, GeneratesObjectID, Hashable, Sendable {
  var objectID: Int64?
  var name: String
  var picture: Data
  var preview: [UInt8]?

  init(_ name: String, _ picture: Data, preview: [UInt8]? = nil) {
    (self.name, self.picture, self.preview) = (name, picture, preview)
  }

  static let classDescription = ClassDescription(
    "Photo",
    properties: [
      PropertyDescription("name", String.self),
      PropertyDescription("picture", Data.self).shared(),
      PropertyDescription("preview", [UInt8]?.self).shared(),
    ])

  init(row: Row) throws {
    name = try row.value(at: 0)
    picture = try row.value(at: 1)
    preview = try row.value(at: 2)
    objectID = try row.value(at: 3)
  }

  func encode(into binder: Binder) throws {
    try binder.bind(name, at: 0)
    try binder.bind(picture, at: 1)
    try binder.bind(preview, at: 2)
  }
}

extension Data {
  /// Bytes that look like a picture: long, and another one for each seed.
  static func picture(_ seed: Int, count: Int = 5_000) -> Data {
    var state = UInt64(truncatingIfNeeded: seed) &* 0x9E37_79B9_7F4A_7C15 &+ 1
    return Data(
      (0..<count).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt8(truncatingIfNeeded: state >> 33)
      })
  }
}

extension Vault {
  /// The uses of each content, the least first.
  var sharedUses: [Int] {
    get throws {
      try rows("SELECT uses FROM objectvault_blob_uses ORDER BY uses").map {
        try $0.value("uses", as: Int.self)
      }
    }
  }

  /// How many contents are kept.
  var sharedCount: Int { get throws { try sharedBlobs().contents } }
}

extension ClassDescription {
  /// The class as it is described at run time.
  static func photos(
    isShared: Bool = true, column: String = "picture", table: String = "Photo",
    isOptional: Bool = false, with: [PropertyDescription] = []
  ) -> ClassDescription {
    let picture = PropertyDescription(
      column, column: column, type: .data, isOptional: isOptional,
      renamedFrom: column == "picture" ? [] : ["picture"])
    return ClassDescription(
      "Photo", table: table,
      properties: [
        PropertyDescription("name", type: .string), isShared ? picture.shared() : picture,
      ] + with, renamedFrom: table == "Photo" ? [] : ["Photo"])
  }
}
