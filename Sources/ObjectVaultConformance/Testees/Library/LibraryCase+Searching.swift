import ObjectVaultConformanceFormat
import ObjectVaultCore

extension LibraryCase {
  func performSearching(
    _ operation: FixtureOperation, _ arguments: RequestArguments, _ store: LibraryStore
  ) throws -> FixtureValue? {
    if operation == .rebuildSearch {
      try store.objects.rebuildSearch()
      return nil
    }
    let found = try query(arguments, store)
      .search(arguments.requiredText("text"), in: arguments.text("in"))
      .matches(snippet: nil)
    return .list(found.map { store.id(of: $0.object) })
  }
}
