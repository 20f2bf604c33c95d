import ObjectVaultCondition
import ObjectVaultDriver

extension PropertyDescription {
  /// Returns the property with shared content: the vault stores identical contents once.
  ///
  /// ```swift
  /// PropertyDescription("picture", Data.self).shared()
  /// ```
  ///
  /// Sharing does not change how the property is used. A shared property must be `Data` or
  /// `[UInt8]`, must not be part of an object ID or a reference, must not have a default of 32
  /// bytes or more, and must not have a column definition. Otherwise, the first use of the class
  /// throws `.invalidClass`. A class can start or stop sharing a property later: the stored
  /// contents are converted.
  public func shared() -> PropertyDescription {
    var property = self
    property.isShared = true
    return property
  }
}

extension ClassDescription {
  /// The minimum size in bytes of a content that is stored separately from its objects.
  package static let leastSharedSize = 32

  /// The columns of the shared properties.
  package var sharedColumns: [String] { properties.filter(\.isShared).map(\.column) }

  /// The positions of the shared properties.
  package var sharedPositions: Set<Int> {
    Set(properties.indices.filter { properties[$0].isShared })
  }

  /// Checks the requirements of shared properties.
  ///
  /// - Throws: `.invalidClass` for an invalid shared property.
  func validateSharing() throws(VaultError) {
    for (position, property) in properties.enumerated() where property.isShared {
      func refused(_ problem: String, _ remedy: String) -> VaultError {
        invalid("property '\(property.name)' is shared, but \(problem)", remedy: remedy)
      }
      if property.type != .data {
        throw refused("has type \(property.type.rawValue)", "Share only bytes: Data or [UInt8].")
      }
      if objectIDPositions.contains(position) {
        throw refused("it is part of the object ID", "Share other properties.")
      }
      if references.contains(where: { $0.properties.contains(property.name) }) {
        throw refused("it is part of a reference", "Share other properties.")
      }
      if property.definition != ColumnDefinition() {
        throw refused(
          "its column has its own type, length or constraints",
          "Remove the type, length and constraints: the column stores digests.")
      }
      if case .blob(let bytes)? = property.defaultValue, bytes.count >= Self.leastSharedSize {
        throw refused(
          "its default has \(bytes.count) bytes",
          "Use a default of fewer than \(Self.leastSharedSize) bytes, or none.")
      }
    }
  }
}
