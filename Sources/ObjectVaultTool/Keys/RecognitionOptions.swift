internal import ArgumentParser
import ObjectVaultCore

/// What the caller says of the files, so that it is not found out.
struct RecognitionOptions: ParsableArguments, Sendable {
  @Option(
    help: ArgumentHelp(
      "The rounds of key derivation ('kdf_iter'), where they are not the format's own. They stay.",
      valueName: "count"))
  var fromKdfIter: Int?

  @Option(help: ArgumentHelp("The cipher format, 1 to 4.", valueName: "number"))
  var fromFormat: Int?

  @Option(help: ArgumentHelp("The size of a page, 512 to 65536.", valueName: "bytes"))
  var fromPageSize: Int?

  func validate() throws {
    if let fromKdfIter, !(1...Int(Int32.max)).contains(fromKdfIter) {
      throw ValidationError("--from-kdf-iter takes 1 to \(Int32.max) rounds, not \(fromKdfIter).")
    }
    if let fromFormat, !(1...4).contains(fromFormat) {
      throw ValidationError("--from-format takes 1, 2, 3 or 4, not \(fromFormat).")
    }
    if let fromPageSize, !(512...65_536).contains(fromPageSize) || fromPageSize.nonzeroBitCount != 1
    {
      throw ValidationError(
        "--from-page-size takes a power of two from 512 to 65536, not \(fromPageSize).")
    }
  }

  /// A file, with what was said of it.
  func file(_ path: String, key: VaultKey, _ work: FileWorkOptions) throws -> DatabaseFile {
    try DatabaseFile(
      at: path, key: key, cipherFormat: fromFormat, pageSize: fromPageSize,
      derivationRounds: fromKdfIter, busyTimeout: work.busyTimeout)
  }

  var isEmpty: Bool { optionsGiven.isEmpty }

  var optionsGiven: String {
    [
      fromKdfIter.map { "--from-kdf-iter \($0)" }, fromFormat.map { "--from-format \($0)" },
      fromPageSize.map { "--from-page-size \($0)" },
    ].compactMap(\.self).joined(separator: " and ")
  }
}
