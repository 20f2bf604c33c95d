internal import ArgumentParser
import ObjectVaultTerminal
import ObjectVaultCore

struct ReindexCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reindex",
    abstract: "Rebuild full-text indexes and recount shared blobs.",
    discussion: """
      The file keeps its full-text indexes up to date by itself. Another program can leave one \
      wrong (REPLACE without recursive triggers, a dump that renumbers rows); 'verify' finds that, \
      and this command fixes it. Without a class, all full-text indexes are rebuilt, and the uses \
      of shared blobs are recounted. Each is one transaction.
      """)

  @OptionGroup var options: VaultOptions

  @Argument(
    help: ArgumentHelp("The classes; all that have an index by default.", valueName: "class"))
  var classNames: [String] = []

  func run() throws {
    let vault = try options.open(for: .writing)
    let names =
      classNames.isEmpty
      ? try vault.classes().filter { $0.search != nil }.map(\.table) : classNames
    // Look up every name before making changes.
    let stores = try names.map { try vault.store(named: $0) }
    for store in stores {
      try store.rebuildSearch()
      let name = PrintableText.escaped(store.classDescription.name)
      try StandardOutput.shared.write("Rebuilt the full-text index of class '\(name)'.\n")
    }
    let sharesBlobs =
      try classNames.isEmpty
      && vault.classes().contains { $0.properties.contains { $0.isShared } }
    if sharesBlobs {
      try vault.recountSharedBlobs()
      try StandardOutput.shared.write("Recounted the uses of shared blobs.\n")
    }
    vault.close()
    if stores.isEmpty, !sharesBlobs {
      try StandardOutput.shared.write("No class has a full-text index. Nothing was changed.\n")
    }
  }
}
