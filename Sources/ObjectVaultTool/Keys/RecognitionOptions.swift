internal import ArgumentParser
import ObjectVaultCore

/// The cipher settings that the user specifies instead of having them detected.
struct RecognitionOptions: ParsableArguments, Sendable {
  @Option(
    help: ArgumentHelp(
      "The rounds of key derivation ('kdf_iter'), if they are not the format's own and not 1, "
        + "4000, 64000 or 256000.",
      valueName: "count"))
  var fromKdfIter: Int?

  @Option(
    help: ArgumentHelp(
      "The cipher format, 1 to 4. Format 1 has no page authentication and is accepted only if "
        + "named here.",
      valueName: "number"))
  var fromFormat: Int?

  @Option(help: ArgumentHelp("The size of a page, 512 to 65536.", valueName: "bytes"))
  var fromPageSize: Int?

  @Flag(
    help: ArgumentHelp(
      "The pages have no authentication codes ('cipher_use_hmac = OFF'). Never accepted "
        + "unless named."))
  var fromNoHmac = false

  @Option(
    help: ArgumentHelp(
      "The byte order of page numbers ('cipher_hmac_pgno'): le, be, or native for that of "
        + "this machine.",
      valueName: "order"))
  var fromHmacPgno: ByteOrder?

  @Option(
    help: ArgumentHelp(
      "The mask of the HMAC salt ('cipher_hmac_salt_mask') as two hexadecimal digits, if it "
        + "is not 3a or 00.",
      valueName: "digits"))
  var fromHmacSaltMask: SaltMaskDigits?

  @Option(
    help: ArgumentHelp(
      "The rounds of the HMAC key ('fast_kdf_iter'), if they are not 2 or 4000.",
      valueName: "count"))
  var fromFastKdfIter: Int?

  /// The byte orders of `cipher_hmac_pgno`.
  enum ByteOrder: String, ExpressibleByArgument, CaseIterable, Sendable {
    case le, be, native

    var order: PageAuthenticationSettings.ByteOrder {
      switch self {
      case .le: .littleEndian
      case .be: .bigEndian
      case .native: 1.littleEndian == 1 ? .littleEndian : .bigEndian
      }
    }
  }

  /// Two hexadecimal digits.
  struct SaltMaskDigits: ExpressibleByArgument, Sendable {
    let value: UInt8

    init?(argument: String) {
      guard argument.utf8.count == 2, let value = UInt8(argument, radix: 16) else { return nil }
      self.value = value
    }
  }

  func validate() throws {
    if let fromKdfIter, !(1...Int(Int32.max)).contains(fromKdfIter) {
      throw ValidationError("--from-kdf-iter must be from 1 to \(Int32.max), not \(fromKdfIter).")
    }
    if let fromFormat, !(1...4).contains(fromFormat) {
      throw ValidationError("--from-format must be 1, 2, 3 or 4, not \(fromFormat).")
    }
    if let fromFastKdfIter, !(1...Int(Int32.max)).contains(fromFastKdfIter) {
      throw ValidationError(
        "--from-fast-kdf-iter must be from 1 to \(Int32.max), not \(fromFastKdfIter).")
    }
    if fromNoHmac || fromFormat == 1,
      fromHmacPgno != nil || fromHmacSaltMask != nil || fromFastKdfIter != nil
    {
      throw ValidationError(
        "--from-hmac-pgno, --from-hmac-salt-mask and --from-fast-kdf-iter require page "
          + "authentication. Omit them.")
    }
    if let fromPageSize, !(512...65_536).contains(fromPageSize) || fromPageSize.nonzeroBitCount != 1
    {
      throw ValidationError(
        "--from-page-size must be a power of two from 512 to 65536, not \(fromPageSize).")
    }
  }

  /// Returns a file with the given settings.
  func file(
    _ path: String, key: VaultKey, busyTimeout: Duration = .seconds(5)
  ) throws -> DatabaseFile {
    try DatabaseFile(
      at: path, key: key, cipherFormat: fromFormat, pageSize: fromPageSize,
      derivationRounds: fromKdfIter, pageAuthentication: pageAuthentication,
      busyTimeout: busyTimeout)
  }

  private var pageAuthentication: PageAuthenticationSettings {
    var settings = PageAuthenticationSettings()
    settings.isOff = fromNoHmac
    settings.pageNumberOrder = fromHmacPgno?.order
    settings.saltMask = fromHmacSaltMask?.value
    settings.rounds = fromFastKdfIter
    return settings
  }

  var isEmpty: Bool { optionsGiven.isEmpty }

  var optionsGiven: String {
    [
      fromKdfIter.map { "--from-kdf-iter \($0)" }, fromFormat.map { "--from-format \($0)" },
      fromPageSize.map { "--from-page-size \($0)" }, fromNoHmac ? "--from-no-hmac" : nil,
      fromHmacPgno.map { "--from-hmac-pgno \($0.rawValue)" },
      fromHmacSaltMask.map { _ in "--from-hmac-salt-mask" },
      fromFastKdfIter.map { "--from-fast-kdf-iter \($0)" },
    ].compactMap(\.self).joined(separator: " and ")
  }
}
