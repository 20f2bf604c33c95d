import SwiftWorkload
import Workload

/// The workloads, with persons of the type `T`.
struct Runs<T: Subject> {
  let request: Request

  init(_ request: Request) { self.request = request }

  func run() throws {
    switch request.workload {
    case "prepare": try prepare(key: .raw(rawKey))
    case "prepare-words": try prepare(key: words)
    case "w1": try insert()
    case "w2": try insertEach()
    case "w3": try fetchAll()
    case "w4", "w4x", "w4i": try fetchByID()
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
    case "w14": try rekey()
    case "w15": try owned()
    case "w16", "w16c": try text()
    default: try large()
    }
  }

  // MARK: The vault

  var rawKey: [UInt8] { withUnsafeBytes(of: workload_key) { [UInt8]($0) } }

  var words: VaultKey { .passphrase(String(cString: workload_passphrase())) }

  func vault(_ key: VaultKey? = nil, readers: Int = 4) throws -> Vault {
    var configuration = VaultConfiguration()
    configuration.writerCache = .mebibytes(Int(workload_cache()))
    configuration.readerCache = .mebibytes(Int(workload_cache()))
    configuration.maximumReaders = readers
    return try Vault(at: request.path, key: key ?? .raw(rawKey), configuration: configuration)
  }

  /// Returns the store of a prepared file after reading it once, so that its pages are cached.
  func warmStore() throws -> ObjectStore<T> {
    let store = try T.store(in: vault())
    try store.vault.read { try warm(store) }
    return store
  }

  /// Returns the store after reading it once with the writing connection, which has its own cache.
  ///
  /// C uses one connection for everything.
  func warmWriter() throws -> ObjectStore<T> {
    let store = try T.store(in: vault())
    try store.vault.transaction { try warm(store) }
    return store
  }

  /// Reads the objects and their index.
  private func warm(_ store: ObjectStore<T>) throws {
    try store.forEach { _ in }
    _ = try store.count()
  }

  func objects(from first: Int, count: Int) -> [T] {
    (first..<first + count).map { T(Sample($0)) }
  }

  func prepare(key: VaultKey) throws {
    let vault = try vault(key)
    let store = try T.store(in: vault)
    if T.self == Person.self { _ = try vault.store(of: Pet.self) }
    try store.insert(contentsOf: (0..<request.rows).lazy.map { T(Sample($0)) })
    vault.close()
  }
}
