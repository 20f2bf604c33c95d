import SwiftWorkload
import Workload

/// The workloads, with persons of the type `T`.
struct Runs<T: Subject> {
  let request: Request

  init(_ request: Request) { self.request = request }

  func run() throws {
    switch request.workload {
    case "w1": try insert()
    case "w2": try insertEach()
    case "w3": try fetchAll()
    case "w4", "w4x", "w4i": try fetchByID()
    case "w5": try lookUp()
    case "w6": try condition()
    case "w7", "w7p": try update()
    case "w8s": try insertPets()
    case "w8": try remove()
    case "w10c", "w10a": try count()
    case "w11": try threads()
    case "w12": try insertStreamed()
    case "w15": try owned()
    case "w16", "w16c": try text()
    default: try runOthers()
    }
  }

  // MARK: Objects

  /// Returns the store of a prepared file after reading it once, so that its pages are cached.
  func warmStore() throws -> ObjectStore<T> {
    let store = try T.store(in: vault())
    try store.database.read { try warm(store) }
    return store
  }

  /// Returns the store after reading it once with the writing connection, which has its own cache.
  ///
  /// C uses one connection for everything.
  func warmWriter() throws -> ObjectStore<T> {
    let store = try T.store(in: vault())
    try store.database.transaction { try warm(store) }
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
}
