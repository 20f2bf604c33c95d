import ObjectVaultEngine

/// The progress of statements that read whole files, measured in pages read by their connections.
///
/// Each connection counts at most the pages of one file, even if it reads some of them twice.
struct ReadingProgress {
  private let parts: [(connection: Connection, start: Int)]
  private let pageCount: Int

  /// Creates a measurement that begins now.
  ///
  /// Each connection's file has `pageCount` pages.
  init(_ connections: [Connection], pageCount: Int) {
    parts = connections.map { ($0, $0.pagesRead) }
    self.pageCount = pageCount
  }

  var total: Int { pageCount * parts.count }

  var done: Int {
    parts.reduce(0) { $0 + min(pageCount, $1.connection.pagesRead - $1.start) }
  }
}
