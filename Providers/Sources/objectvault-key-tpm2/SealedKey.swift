internal import CTSS2
internal import KeyProviderProgram

/// A key that a TPM has sealed, in the encoding of the TPM.
struct SealedKey {
  /// The public part: kind and policy.
  let open: [UInt8]
  /// The encrypted part.
  let encrypted: [UInt8]

  /// Returns both parts for the library.
  func structures() throws(ProviderError) -> (TPM2B_PUBLIC, TPM2B_PRIVATE) {
    var (publicPart, privatePart) = (TPM2B_PUBLIC(), TPM2B_PRIVATE())
    var (publicEnd, privateEnd) = (0, 0)
    guard Tss2_MU_TPM2B_PUBLIC_Unmarshal(open, open.count, &publicEnd, &publicPart) == 0,
      Tss2_MU_TPM2B_PRIVATE_Unmarshal(encrypted, encrypted.count, &privateEnd, &privatePart) == 0,
      publicEnd == open.count, privateEnd == encrypted.count
    else { throw .damaged }
    return (publicPart, privatePart)
  }
}

extension SealedKey {
  /// Encodes both parts of the library.
  init(_ publicPart: UnsafePointer<TPM2B_PUBLIC>, _ privatePart: UnsafePointer<TPM2B_PRIVATE>)
    throws(ProviderError)
  {
    var open = [UInt8](repeating: 0, count: MemoryLayout<TPM2B_PUBLIC>.size)
    var encrypted = [UInt8](repeating: 0, count: MemoryLayout<TPM2B_PRIVATE>.size)
    var (publicEnd, privateEnd) = (0, 0)
    guard Tss2_MU_TPM2B_PUBLIC_Marshal(publicPart, &open, open.count, &publicEnd) == 0,
      Tss2_MU_TPM2B_PRIVATE_Marshal(privatePart, &encrypted, encrypted.count, &privateEnd) == 0
    else { throw .failed("The sealed key cannot be encoded. Update the TPM software (tpm2-tss).") }
    self.init(
      open: Array(open.prefix(publicEnd)), encrypted: Array(encrypted.prefix(privateEnd)))
  }
}
