internal import ArgumentParser
import ObjectVaultTerminal
import ObjectVaultCore

struct SizeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "size",
    abstract: "Show the size of classes, indexes, blobs and free space in a file.",
    discussion: """
      FILE is a vault, or a database that another program made with SQLCipher 1 to 4. Every page \
      belongs to one part; the parts are listed from the largest to the smallest. 'objectvault \
      compact' removes free space. Nothing is written, and other processes can use the file at the \
      same time.

      With --format json the result is one object: "file", "pageSize", "bytes" and "parts" (each \
      with "part", "of", "name" and "bytes"). "part" is objects, index, searchIndex, sharedBlobs, \
      catalogue, freeSpace or unknown; "of" is a class or table, and "name" an index, or else null.
      """)

  @Argument(help: "The file to measure.", completion: .file())
  var file: String

  @OptionGroup(title: "Key options (read from the terminal if none is given)")
  var keys: KeyOptions

  @OptionGroup(title: "How the file is encrypted, if that is not detected")
  var recognition: RecognitionOptions

  @Option(help: "The form of the output.")
  var format = VerifyCommand.Format.text

  @OptionGroup var work: FileWorkOptions

  func run() throws {
    try ExistingFile.check(file, isWhat: "file")
    let report = try keys.opening(file) { key in
      try recognition.file(file, key: key, busyTimeout: work.timeout).sizeReport()
    }
    switch format {
    case .json: try StandardOutput.shared.write(report.json(of: file).indentedText + "\n")
    case .text: try StandardOutput.shared.write(report.text(of: file))
    }
  }
}
