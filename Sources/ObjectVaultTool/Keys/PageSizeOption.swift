internal import ArgumentParser

/// The page size of a new file.
struct PageSizeOption: ParsableArguments, Sendable {
  @Option(help: ArgumentHelp("The size of a page, 512 to 65536.", valueName: "bytes"))
  var pageSize: Int?

  func validate() throws {
    if let pageSize, !(512...65_536).contains(pageSize) || pageSize.nonzeroBitCount != 1 {
      throw ValidationError(
        "--page-size must be a power of two from 512 to 65536, not \(pageSize).")
    }
  }
}
