/// A service outside the process that encrypts the secret of a keyring slot, such as a hardware
/// token, a system key store or a cloud service.
///
/// A keyring slot with a provider has a random secret of 32 bytes that unlocks the keyring. The
/// provider encrypts that secret into opaque bytes, which the keyring stores with the provider's
/// name. Opening the slot passes those bytes to ``unwrap(_:label:)``. The provider never receives
/// the keyring, the key of the vault or its data.
///
/// The calls block until the provider answers. They can be made from any thread. A time limit and
/// the cancellation of a call are the provider's responsibility: a provider that waits for a
/// person or a network should give up and throw.
public protocol KeyProvider: Sendable {
  /// The name stored in each slot: 1 to 32 bytes of the characters a-z, 0-9 and `-`.
  var name: String { get }

  /// Encrypts the secret of a new slot.
  ///
  /// ``unwrap(_:label:)`` is called at once with the result. If it does not return the secret, no
  /// slot is written.
  ///
  /// - Parameters:
  ///   - secret: The secret, 32 random bytes.
  ///   - label: A text for people: the UUID of the vault, a space, and the name of the slot. The
  ///     provider can show or store it. It can change, so it must not be part of the encryption.
  /// - Returns: 1 byte to 16 KiB that only the provider can decrypt.
  /// - Throws: ``KeyError``: `.providerMissing`, `.providerLocked` or `.providerFailed`.
  func wrap(_ secret: borrowing Secret, label: String) throws(KeyError) -> [UInt8]

  /// Decrypts the secret of a slot.
  ///
  /// The bytes are not authenticated before they are passed, so the provider must check them.
  ///
  /// - Parameters:
  ///   - wrapped: The bytes that ``wrap(_:label:)`` returned.
  ///   - label: A text for people, as in ``wrap(_:label:)``.
  /// - Returns: The secret, 32 bytes.
  /// - Throws: ``KeyError``: `.wrongKey` if the provider does not have the key of these bytes,
  ///   `.providerMissing`, `.providerLocked` or `.providerFailed`.
  func unwrap(_ wrapped: [UInt8], label: String) throws(KeyError) -> Secret

  /// Returns one line for people about wrapped bytes, such as the token or the key that decrypts
  /// them.
  ///
  /// It needs no person and contains no secret.
  ///
  /// - Parameter wrapped: The bytes that ``wrap(_:label:)`` returned.
  /// - Returns: The description.
  /// - Throws: ``KeyError``: `.providerMissing` or `.providerFailed`.
  func describe(_ wrapped: [UInt8]) throws(KeyError) -> String
}
