import GRDB
import SwiftWorkload
import Workload

/// The workloads, with persons of the type `T`.
struct Runs<T: PersonRecord> {
  let request: Request

  init(_ request: Request) { self.request = request }

  func run() throws {
    switch request.workload {
    case "prepare": try prepare(under: rawKey)
    case "prepare-words": try prepare(under: words)
    case "w1": try insert()
    case "w2": try insertEach()
    case "w3": try fetchAll()
    case "w4", "w4x": try fetchByID()
    case "w5": try lookUp()
    case "w6": try condition()
    case "w7", "w7p": try update()
    case "w8s": try insertPets()
    case "w8": try remove()
    case "w9", "w9p": try open()
    case "w10c", "w10a": try count()
    case "w11": try threads()
    case "w12": try insertStreamed()
    case "w13": try openPool()
    case "w15": try owned()
    case "w16", "w16c": try text()
    default: workload_fail("no such workload", request.workload)
    }
  }

  // MARK: The file

  var rawKey: String {
    let digits = withUnsafeBytes(of: workload_key) { bytes in
      bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
    return "\"x'\(digits)'\""
  }

  var words: String { "'\(String(cString: workload_passphrase()))'" }

  func pool(under key: String? = nil, readers: Int = 4) throws -> DatabasePool {
    var configuration = Configuration()
    configuration.maximumReaderCount = readers
    // All peers wait. Otherwise the writer fails immediately while a reader opens the log.
    configuration.busyMode = .timeout(5)
    let key = key ?? rawKey
    configuration.prepareDatabase { database in
      try database.execute(sql: "PRAGMA key = \(key)")
      try database.execute(sql: "PRAGMA cipher_page_size = 4096")
      try database.execute(sql: "PRAGMA temp_store = MEMORY")
      try database.execute(sql: "PRAGMA cache_size = -\(workload_cache() * 1024)")
      try database.execute(sql: "PRAGMA synchronous = NORMAL")
    }
    return try DatabasePool(path: request.path, configuration: configuration)
  }

  /// Returns a prepared file after reading it with both connections, so that its pages are cached.
  func warmPool() throws -> DatabasePool {
    let pool = try pool()
    try pool.write { try warm($0) }
    try pool.read { try warm($0) }
    return pool
  }

  /// Reads the persons and their index.
  private func warm(_ database: Database) throws {
    _ = try Int.fetchOne(database, sql: "SELECT sum(length(avatar)) FROM Person")
    _ = try Int.fetchOne(database, sql: "SELECT count(*) FROM Person")
  }

  func records(from first: Int, count: Int) -> [T] {
    (first..<first + count).map { T(Sample($0)) }
  }

  func makeTables(_ pool: DatabasePool) throws {
    try pool.write { database in
      try database.execute(
        sql: """
          CREATE TABLE Person (objectID INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL,
            email TEXT NOT NULL, age INTEGER NOT NULL, score REAL NOT NULL, joined REAL NOT NULL,
            avatar BLOB NOT NULL, note TEXT);
          CREATE INDEX Person_email ON Person (email);
          CREATE TABLE Pet (objectID INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL,
            owner INTEGER REFERENCES Person (objectID) ON UPDATE CASCADE ON DELETE CASCADE
            DEFERRABLE INITIALLY DEFERRED);
          CREATE INDEX Pet_owner ON Pet (owner);
          CREATE TABLE Keeper (objectID INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL);
          CREATE TABLE Toy (objectID INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL,
            keeper INTEGER REFERENCES Keeper (objectID) ON UPDATE CASCADE ON DELETE CASCADE
            DEFERRABLE INITIALLY DEFERRED);
          CREATE INDEX Toy_keeper ON Toy (keeper);
          """)
    }
  }

  func insertAll(_ database: Database) throws -> Int {
    var sum = 0
    for number in 0..<request.rows {
      var record = T(Sample(number))
      try record.insert(database)
      sum += Int(record.objectID!)
    }
    return sum
  }

  func prepare(under key: String) throws {
    let pool = try pool(under: key)
    try makeTables(pool)
    _ = try pool.write(insertAll)
    try pool.close()
  }
}
