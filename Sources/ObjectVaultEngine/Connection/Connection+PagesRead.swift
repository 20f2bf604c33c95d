internal import CSQLCipher

extension Connection {
  /// The number of pages that the connection has read from the file; 0 if it is closed.
  package var pagesRead: Int {
    guard let database else { return 0 }
    var current: Int32 = 0
    var highest: Int32 = 0
    sqlite3_db_status(database, SQLITE_DBSTATUS_CACHE_MISS, &current, &highest, 0)
    return Int(current)
  }
}
