// Selected only if no other overload matches, so that the compiler reports the constant reference
// instead of a list of candidates.

extension OwnedProperty {
  /// Unavailable, because the reference to the owner is a constant.
  @available(
    *, unavailable,
    message:
      "the vault sets the reference of owned objects to their owner; make it a 'var' with a setter that is visible here"
  )
  @_disfavoredOverload
  public static func many<Child: StoredObject>(
    _ property: any WritableKeyPath<Owner, [Child]?> & Sendable,
    by reference: any KeyPath<Child, Ref<Owner>?> & Sendable
  ) -> OwnedProperty where Owner: StoredObject { fatalError("unavailable") }

  /// Unavailable, because the reference to the owner is a constant.
  @available(
    *, unavailable,
    message:
      "the vault sets the reference of owned objects to their owner; make it a 'var' with a setter that is visible here"
  )
  @_disfavoredOverload
  public static func many<Child: StoredObject>(
    _ property: any WritableKeyPath<Owner, [Child]?> & Sendable,
    by reference: any KeyPath<Child, Ref<Owner>> & Sendable
  ) -> OwnedProperty where Owner: StoredObject { fatalError("unavailable") }

  /// Unavailable, because the reference to the owner is a constant.
  @available(
    *, unavailable,
    message:
      "the vault sets the reference of owned objects to their owner; make it a 'var' with a setter that is visible here"
  )
  @_disfavoredOverload
  public static func one<Child: StoredObject>(
    _ property: any WritableKeyPath<Owner, Child?> & Sendable,
    by reference: any KeyPath<Child, Ref<Owner>?> & Sendable
  ) -> OwnedProperty where Owner: StoredObject { fatalError("unavailable") }

  /// Unavailable, because the reference to the owner is a constant.
  @available(
    *, unavailable,
    message:
      "the vault sets the reference of owned objects to their owner; make it a 'var' with a setter that is visible here"
  )
  @_disfavoredOverload
  public static func one<Child: StoredObject>(
    _ property: any WritableKeyPath<Owner, Child?> & Sendable,
    by reference: any KeyPath<Child, Ref<Owner>> & Sendable
  ) -> OwnedProperty where Owner: StoredObject { fatalError("unavailable") }
}
