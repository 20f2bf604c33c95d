internal import KeyProviderProgram

/// Keys that a TPM 2.0 seals.
///
/// The wrapped bytes contain the sealed key, which only this TPM loads, until it is cleared. The
/// setting `pcrs=0,7` also requires that these registers of the SHA-256 bank have the values of the
/// time of wrapping.
enum TrustedPlatformModule: ProviderCommands {
  private static let header = "OVT1"

  static func wrap(
    _ secret: borrowing ProtectedBytes, _ request: ProviderRequest
  ) throws(ProviderError) -> [UInt8] {
    let registers = try Registers(request.settings(named: ["pcrs"])["pcrs"])
    guard secret.count <= 128 else {
      throw .failed("A TPM seals at most 128 bytes. Wrap a shorter key.")
    }
    var tpm = try TPM.connected()
    let sealed = try tpm.seal(secret, until: registers)
    return WrappedFields.bytes([registers.numbers, sealed.open, sealed.encrypted], header: header)
  }

  static func unwrap(
    _ wrapped: [UInt8], _ request: ProviderRequest
  ) throws(ProviderError) -> ProtectedBytes {
    _ = try request.settings(named: ["pcrs"])
    let fields = try WrappedFields(wrapped, header: header, count: 3)
    let registers = try Registers(numbers: fields[0])
    var tpm = try TPM.connected()
    return try tpm.unseal(SealedKey(open: fields[1], encrypted: fields[2]), until: registers)
  }

  static func describe(_ wrapped: [UInt8]) throws(ProviderError) -> String {
    let fields = try WrappedFields(wrapped, header: header, count: 3)
    let registers = try Registers(numbers: fields[0])
    guard !registers.numbers.isEmpty else {
      return "TPM 2.0 of this machine, whatever system is started."
    }
    return "TPM 2.0 of this machine, while PCRs \(registers.description) (SHA-256) are unchanged."
  }
}
