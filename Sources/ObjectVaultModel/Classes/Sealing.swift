/// The use of a sealed property in conditions.
///
/// The file contains only encrypted values of a sealed property. See
/// ``PropertyDescription/sealed(_:)``.
public struct Sealing: Sendable, Hashable {
  /// The name in the class description in the file.
  package let name: String
  /// The property with the name of the erasable key; `nil` for values under the vault's keys alone.
  package let keyProperty: String?

  /// Values cannot be compared; only with `nil`.
  public static let hidden = Sealing(name: "hidden")

  /// Values are found by `==`, `!=` and `IN`, and can be unique.
  ///
  /// The file shows which objects have equal values, so that frequent values can be recognised. A
  /// property with few possible values is therefore rejected.
  public static let findable = Sealing(name: "findable")

  /// Values are found as with ``findable``, also for properties with few possible values.
  ///
  /// - Parameter acceptingFrequencies: Whether the class accepts that the frequency of each value
  ///   is visible.
  /// - Returns: The use.
  public static func findable(acceptingFrequencies: Bool) -> Sealing {
    acceptingFrequencies ? Sealing(name: "findableByFrequency") : .findable
  }

  /// Values also need an erasable key, and cannot be compared; only with `nil`.
  ///
  /// See ``PropertyDescription/sealed(by:)``.
  ///
  /// - Parameter property: The name of the property with the name of the key.
  /// - Returns: The use.
  package static func by(_ property: String) -> Sealing {
    Sealing(name: "erasable", keyProperty: property)
  }

  /// Creates a use from its name in a class description; `nil` for an unknown name.
  package init?(named name: String) {
    guard ["hidden", "findable", "findableByFrequency"].contains(name) else { return nil }
    self.init(name: name)
  }

  private init(name: String, keyProperty: String? = nil) {
    self.name = name
    self.keyProperty = keyProperty
  }

  /// Whether conditions can find values.
  package var isFindable: Bool { self != .hidden && keyProperty == nil }
}
