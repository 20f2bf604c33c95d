import Foundation
import ObjectVaultCore
import Synchronization
import TestSupport

/// A small class; `onEncode` and `onDecode` let a test do something from inside them.
struct Note: StoredObject, GeneratesObjectID, Sendable {
  @TaskLocal static var onEncode: (@Sendable () throws -> Void)?
  @TaskLocal static var onDecode: (@Sendable () throws -> Void)?

  var objectID: Int64?
  var text: String

  init(_ text: String, objectID: Int64? = nil) {
    self.text = text
    self.objectID = objectID
  }

  static let classDescription = ClassDescription(
    "Note", properties: [PropertyDescription("text", String.self)])

  init(row: Row) throws {
    try Self.onDecode?()
    text = try row.value(at: 0)
    objectID = try row.value(at: 1)
  }

  func encode(into binder: Binder) throws {
    try Self.onEncode?()
    try binder.bind(text, at: 0)
  }
}

/// What a test throws on purpose.
struct OnPurpose: Error {}

/// A vault of notes in a folder of its own.
struct Notes: Sendable {
  let folder: SharedFolder
  let vault: Vault
  let store: ObjectStore<Note>

  final class SharedFolder: @unchecked Sendable {
    let folder: TemporaryFolder
    init() throws { folder = try TemporaryFolder() }
    func file(_ name: String) -> String { folder.file(name) }
  }

  init(_ configuration: VaultConfiguration = VaultConfiguration()) throws {
    folder = try SharedFolder()
    vault = try Vault(at: folder.file("a.vault"), key: .ofTests, configuration: configuration)
    store = try vault.store(of: Note.self)
  }

  var texts: [String] { get throws { try store.all().map(\.text) } }
}

/// A thread of its own for one closure, whose result another thread can wait for.
final class OnThread<R: Sendable>: Sendable {
  private let done = DispatchSemaphore(value: 0)
  private let outcome = Mutex<Result<R, any Error>?>(nil)

  init(_ body: @escaping @Sendable () throws -> R) {
    Thread.detachNewThread { [self] in
      let result = Result { try body() }
      outcome.withLock { $0 = result }
      done.signal()
    }
  }

  struct Hangs: Error {}

  /// Waits for the thread; an hour is taken for ever, since tests share few threads.
  func result() throws -> R {
    guard done.wait(timeout: .now() + 3600) == .success else { throw Hangs() }
    done.signal()
    guard let outcome = outcome.withLock({ $0 }) else { throw Hangs() }
    return try outcome.get()
  }
}

/// A point in an interleaving that one thread reaches and another waits for.
final class Meeting: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  func reach() { semaphore.signal() }

  /// Waits in a task, without keeping its thread from other tasks.
  func reached() async throws {
    try await withCheckedThrowingContinuation { done in
      Thread.detachNewThread { [self] in done.resume(with: Result { try wait() }) }
    }
  }

  /// Waits; an hour is taken for ever, since tests share few threads.
  func wait() throws {
    guard semaphore.wait(timeout: .now() + 3600) == .success else { throw OnThread<Void>.Hangs() }
  }
}

/// The code of the error that an asynchronous operation ends with; `nil` when it throws none.
func code(of operation: Task<Void, any Error>) async throws -> VaultError.Code? {
  do {
    try await operation.value
    return nil
  } catch let error as VaultError {
    return error.code
  }
}
