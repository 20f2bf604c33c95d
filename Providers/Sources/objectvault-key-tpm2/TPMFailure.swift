internal import CTSS2
internal import KeyProviderProgram

/// The errors for answers of a TPM.
enum TPMFailure {
  /// The error of an answer that the library must not return.
  static var unexpected: ProviderError {
    .failed("The TPM returned nothing. Update the TPM software (tpm2-tss).")
  }

  /// Returns the error for an answer other than success.
  static func error(of answer: TSS2_RC) -> ProviderError {
    // Layers are above bit 15. Errors of a parameter, a handle or a session have its number in bits 8 to 11 and bit 6.
    switch answer {
    case _ where answer & 0xF0BF == 0x9F:  // TPM_RC_INTEGRITY
      .failed(
        "This TPM does not load the key: the TPM was cleared, or the key is of another TPM, or the "
          + "wrapped key is damaged. Open the vault with another slot.")
    case _ where answer & 0xF0BF == 0x9D, 0x128:  // TPM_RC_POLICY_FAIL, TPM_RC_PCR_CHANGED
      .locked(
        "The PCRs have other values than at the time of wrapping: firmware or boot configuration "
          + "changed. Start the former system, or open the vault with another slot.")
    case _ where [0x8E, 0xA2].contains(answer & 0xF0BF):  // TPM_RC_AUTH_FAIL, TPM_RC_BAD_AUTH
      .locked("The TPM requires an owner password, which is not supported. Remove the password.")
    case 0x921:  // TPM_RC_LOCKOUT
      .locked("The TPM is locked out after wrong passwords. Wait, or reset the lockout.")
    default:
      .failed(
        "The TPM reports the error 0x\(String(answer, radix: 16)). Decode it with tpm2_rc_decode.")
    }
  }
}
