import ObjectVaultEngine

/// How far statements are that read whole files: the pages that their connections have read.
///
/// Each connection counts for the pages of one file, whatever it reads twice.
struct ReadingProgress {
  private let parts: [(connection: Connection, start: Int)]
  private let pageCount: Int

  /// - Parameter pageCount: The pages of each connection's file.
  init(_ connections: [Connection], pageCount: Int) {
    parts = connections.map { ($0, $0.pagesRead) }
    self.pageCount = pageCount
  }

  var total: Int { pageCount * parts.count }

  var done: Int {
    parts.reduce(0) { $0 + min(pageCount, $1.connection.pagesRead - $1.start) }
  }
}
