internal import CTSS2
internal import Glibc
internal import KeyProviderProgram

/// A connection to a TPM with its storage key, which the TPM derives again each time.
///
/// The environment variable `OBJECTVAULT_TPM2_TCTI` selects the TPM in the notation of tpm2-tss,
/// such as `device:/dev/tpmrm0` or `swtpm:path=/run/swtpm`.
struct TPM: ~Copyable {
  private let connection: OpaquePointer
  private let context: OpaquePointer
  private var storageKey: ESYS_TR = none
  private var handles: [ESYS_TR] = []

  /// Returns a connection with the storage key.
  static func connected() throws(ProviderError) -> TPM {
    var tpm = try TPM()
    try tpm.createStorageKey()
    return tpm
  }

  private init() throws(ProviderError) {
    var connection: OpaquePointer?
    guard Tss2_TctiLdr_Initialize(getenv("OBJECTVAULT_TPM2_TCTI"), &connection) == 0,
      let connection
    else {
      throw .missing(
        "No TPM 2.0 is reachable. Check that /dev/tpmrm0 exists and that you may read it (group "
          + "tss), or set OBJECTVAULT_TPM2_TCTI.")
    }
    var context: OpaquePointer?
    guard Esys_Initialize(&context, connection, nil) == 0, let context else {
      var unused: OpaquePointer? = connection
      Tss2_TctiLdr_Finalize(&unused)
      throw .failed("The TPM library does not start. Update it (tpm2-tss).")
    }
    self.connection = connection
    self.context = context
  }

  deinit {
    for handle in handles.reversed() { Esys_FlushContext(context, handle) }
    var (context, connection) = (Optional(context), Optional(connection))
    Esys_Finalize(&context)
    Tss2_TctiLdr_Finalize(&connection)
  }

  /// Seals a secret to the present values of registers.
  mutating func seal(
    _ secret: borrowing ProtectedBytes, until registers: Registers
  ) throws(ProviderError) -> SealedKey {
    var template = Template.sealed(hasPolicy: !registers.numbers.isEmpty)
    if !registers.numbers.isEmpty {
      try checkBank(of: registers)
      template.publicArea.authPolicy = try policy(of: registers)
    }
    var sensitive = TPM2B_SENSITIVE_CREATE()
    defer { withUnsafeMutableBytes(of: &sensitive) { wipe($0.baseAddress!, $0.count) } }
    sensitive.sensitive.data.size = UInt16(secret.count)
    withUnsafeMutableBytes(of: &sensitive.sensitive.data.buffer) { buffer in
      secret.withUnsafeBytes { buffer.copyBytes(from: $0) }
    }
    let session = try session(Attribute.decrypt)
    var (outside, creation) = (TPM2B_DATA(), TPML_PCR_SELECTION())
    var publicPart: UnsafeMutablePointer<TPM2B_PUBLIC>?
    var privatePart: UnsafeMutablePointer<TPM2B_PRIVATE>?
    defer {
      Esys_Free(publicPart)
      Esys_Free(privatePart)
    }
    try check(
      Esys_Create(
        context, storageKey, session, none, none, &sensitive, &template, &outside, &creation,
        &privatePart, &publicPart, nil, nil, nil))
    guard let publicPart, let privatePart else { throw TPMFailure.unexpected }
    return try SealedKey(publicPart, privatePart)
  }

  /// Returns the secret of a sealed key.
  mutating func unseal(
    _ key: SealedKey, until registers: Registers
  ) throws(ProviderError) -> ProtectedBytes {
    var (publicPart, privatePart) = try key.structures()
    var object = none
    let loading = try session(0)
    try check(
      Esys_Load(
        context, storageKey, loading, none, none, &privatePart, &publicPart, &object))
    handles.append(object)
    let hasPolicy = !registers.numbers.isEmpty
    let session = try session(
      Attribute.encrypt, sessionKind: hasPolicy ? SessionKind.policy : SessionKind.hmac)
    if hasPolicy { try require(registers, in: session) }
    var data: UnsafeMutablePointer<TPM2B_SENSITIVE_DATA>?
    try check(Esys_Unseal(context, object, session, none, none, &data))
    guard let data else { throw TPMFailure.unexpected }
    defer {
      wipe(data, MemoryLayout<TPM2B_SENSITIVE_DATA>.size)
      Esys_Free(data)
    }
    return withUnsafeBytes(of: &data.pointee.buffer) { buffer in
      ProtectedBytes(copying: buffer.prefix(Int(data.pointee.size)))
    }
  }

  // MARK: Steps

  private mutating func createStorageKey() throws(ProviderError) {
    var sensitive = TPM2B_SENSITIVE_CREATE()
    var template = Template.storageKey
    var (outside, creation) = (TPM2B_DATA(), TPML_PCR_SELECTION())
    try check(
      Esys_CreatePrimary(
        context, owner, password, none, none, &sensitive, &template, &outside, &creation,
        &storageKey, nil, nil, nil, nil))
    handles.append(storageKey)
  }

  /// Starts a session that encrypts parameters between this process and the TPM.
  private mutating func session(
    _ attributes: TPMA_SESSION, sessionKind: TPM2_SE = SessionKind.hmac
  ) throws(ProviderError) -> ESYS_TR {
    var cipher = Template.parameterCipher
    var session = none
    try check(
      Esys_StartAuthSession(
        context, storageKey, none, none, none, none, nil, sessionKind, &cipher, Algorithm.sha256,
        &session))
    handles.append(session)
    try check(
      Esys_TRSess_SetAttributes(
        context, session, attributes | Attribute.continueSession, 0xFF))
    return session
  }

  /// Returns the policy of the present values of registers.
  private mutating func policy(of registers: Registers) throws(ProviderError) -> TPM2B_DIGEST {
    let trial = try session(0, sessionKind: SessionKind.trial)
    try require(registers, in: trial)
    var digest: UnsafeMutablePointer<TPM2B_DIGEST>?
    try check(Esys_PolicyGetDigest(context, trial, none, none, none, &digest))
    guard let digest else { throw TPMFailure.unexpected }
    defer { Esys_Free(digest) }
    return digest.pointee
  }

  private func require(_ registers: Registers, in session: ESYS_TR) throws(ProviderError) {
    var (present, selection) = (TPM2B_DIGEST(), registers.selection)
    try check(Esys_PolicyPCR(context, session, none, none, none, &present, &selection))
  }

  /// Throws an error if the TPM has no SHA-256 bank: a policy would ignore the registers.
  private func checkBank(of registers: Registers) throws(ProviderError) {
    for number in registers.numbers {
      var selection = Registers.selection(of: [number])
      var values: UnsafeMutablePointer<TPML_DIGEST>?
      try check(
        Esys_PCR_Read(context, none, none, none, &selection, nil, nil, &values))
      defer { Esys_Free(values) }
      guard values?.pointee.count == 1 else {
        throw .failed(
          "The TPM does not measure PCR \(number) with SHA-256. Select other registers, or "
            + "activate the SHA-256 bank.")
      }
    }
  }

  private func check(_ answer: TSS2_RC) throws(ProviderError) {
    if answer != 0 { throw TPMFailure.error(of: answer) }
  }
}
