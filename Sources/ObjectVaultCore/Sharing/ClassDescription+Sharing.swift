import ObjectVaultCondition

extension PropertyDescription {
  /// The property with bytes that objects share: the vault keeps each content once, however many
  /// objects have it.
  ///
  /// ```swift
  /// PropertyDescription("picture", Data.self).shared()
  /// ```
  ///
  /// Nothing else changes for those who use it. What is no `Data`, belongs to an objectID or a
  /// reference, has a default of 32 bytes or more, or says how its column is defined, is
  /// `.invalidClass` when its class is first used. A class may share a property from some version on,
  /// and cease to: the contents are brought into the other form.
  public func shared() -> PropertyDescription {
    var property = self
    property.isShared = true
    return property
  }
}

extension ClassDescription {
  /// The columns of the properties whose bytes objects share.
  var sharedColumns: [String] { properties.filter(\.isShared).map(\.column) }

  /// The positions of the properties whose bytes objects share.
  var sharedPositions: Set<Int> { Set(properties.indices.filter { properties[$0].isShared }) }

  /// - Throws: `.invalidClass` for a shared property that cannot be one.
  func validateSharing() throws(VaultError) {
    for (position, property) in properties.enumerated() where property.isShared {
      func refused(_ problem: String, _ remedy: String) -> VaultError {
        invalid("property '\(property.name)' is shared, and \(problem)", remedy: remedy)
      }
      if property.type != .data {
        throw refused("is \(property.type.rawValue)", "Only bytes are shared: Data or [UInt8].")
      }
      if objectIDPositions.contains(position) {
        throw refused("part of its objectID", "Share other properties.")
      }
      if references.contains(where: { $0.properties.contains(property.name) }) {
        throw refused("part of a reference", "Share other properties.")
      }
      if property.definition != ColumnDefinition() {
        throw refused(
          "its column is defined otherwise than by its type",
          "The column has digests: leave its type, length and constraints out.")
      }
      if case .blob(let bytes)? = property.defaultValue, bytes.count >= SharedBlobs.leastSize {
        throw refused(
          "its default has \(bytes.count) bytes",
          "Give one of fewer than \(SharedBlobs.leastSize), such as none.")
      }
    }
  }
}
