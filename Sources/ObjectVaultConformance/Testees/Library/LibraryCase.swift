import Foundation
import ObjectVaultConformanceFormat
import ObjectVaultCore
import ObjectVaultDriver

/// The state of the library testee during one case.
///
/// The threads of a case take turns, each while the others wait, so the state is never accessed
/// concurrently.
final class LibraryCase: @unchecked Sendable {
  let settings: LibraryTestee.Settings
  private let folder: String
  private let classes: [String: ClassDescription]
  var handles: [String: LibraryHandle] = [:]
  /// The event logs by handle name.
  ///
  /// They outlive the handles.
  var events: [String: EventLog] = [:]
  private var threads: [String: NamedThread] = [:]
  /// The name of the thread that is answering; `nil` for the first thread.
  private var thread: String?
  /// The reason why the case cannot continue.
  private var ended: TesteeEnded?

  init(folder: String, classes: [FixtureClass], settings: LibraryTestee.Settings) throws {
    guard folder.hasPrefix("/") else {
      throw RequestProblem("The folder of a case must be an absolute path, not '\(folder)'.")
    }
    self.folder = folder
    self.settings = settings
    self.classes = Dictionary(
      classes.map { ($0.label, $0.description) }, uniquingKeysWith: { first, _ in first })
  }

  /// Ends the threads of the case and closes every handle.
  func end() {
    // A thread that does not end still uses its handles, so none are closed.
    let areIdle = threads.values.map { $0.end(within: settings.threadTimeLimit) }
    guard areIdle.allSatisfy({ $0 }) else { return }
    for handle in handles.values { close(handle) }
    handles = [:]
  }

  /// Closes the database of a handle.
  func close(_ handle: LibraryHandle) {
    if let vault = handle.database as? Vault { return vault.close() }
    settings.opening?.close(handle.database)
  }

  // MARK: Answering

  func answer(_ request: Request) throws -> Answer {
    if let ended { throw ended }
    guard let name = request.thread, name != thread else { return try answerHere(request) }
    let asking = thread
    defer { thread = asking }
    thread = name
    let performer = threads[name] ?? NamedThread(name)
    threads[name] = performer
    do {
      return try performer.perform(within: settings.threadTimeLimit) { [self] in
        try answerHere(request)
      }
    } catch let error as TesteeEnded {
      ended = error
      throw error
    }
  }

  private func answerHere(_ request: Request) throws -> Answer {
    guard case .perform(let operation) = request.operation else {
      return try Answer { throw RequestProblem("'begin' and 'end' are not steps.") }
    }
    switch operation {
    case .transaction: return try transaction(request)
    case .read: return try read(request)
    case .crash: return crash()
    case .sql, .copy, .write, .overwrite, .truncate, .delete, .file:
      return .unsupported("'\(operation.rawValue)' is an operation of the runner")
    default:
      do {
        let value = try perform(operation, RequestArguments(request.arguments))
        return .returns(value)
      } catch let error as NotSupported {
        return .unsupported(error.reason)
      } catch let error as VaultError where error.underlying is MissingCapability {
        let missing = error.underlying as? MissingCapability
        return .unsupported(missing?.capability.rawValue ?? "")
      } catch {
        return .fails(try Answer.Failure(error))
      }
    }
  }

  private func perform(
    _ operation: FixtureOperation, _ arguments: RequestArguments
  ) throws -> FixtureValue? {
    if settings.opening != nil, operation.belongsToFile {
      throw NotSupported(reason: "files: '\(operation.rawValue)'")
    }
    switch operation {
    case .open, .close, .removeVault, .cipher, .events, .classes, .rekey, .rotate, .backup,
      .freshness:
      return try performOnVault(operation, arguments)
    case .encrypt, .decrypt, .upgrade, .restore, .verify, .salvage:
      return try performOnFile(operation, arguments)
    case .slots, .testSlot, .addSlot, .removeSlot, .renameSlot, .changeKey:
      return try performOnKeyring(operation, arguments)
    case .store: return try makeStore(arguments)
    case .removeStore: return try removeStore(arguments)
    case .insert, .replace, .save, .insertMany, .saveMany:
      return try performStoring(operation, arguments, store(arguments))
    case .update, .updateMany, .updateWhere, .changeID:
      return try performChanging(operation, arguments, store(arguments))
    case .remove, .removeMany, .removeByID, .removeByIDs, .removeAll, .removeWhere:
      return try performRemoving(operation, arguments, store(arguments))
    case .find, .findMany, .contains:
      return try performFinding(operation, arguments, store(arguments))
    case .query, .ids, .first, .count, .exists, .values:
      return try performAsking(operation, arguments, store(arguments))
    case .distinct, .page, .min, .max, .sum, .average:
      return try performSummarizing(operation, arguments, store(arguments))
    case .search, .rebuildSearch:
      return try performSearching(operation, arguments, store(arguments))
    case .rows, .execute: return try performSQL(operation, arguments)
    case .transaction, .read, .crash, .sql, .copy, .write, .overwrite, .truncate, .delete, .file:
      throw RequestProblem("'\(operation.rawValue)' is not an operation on a vault or store.")
    }
  }

  // MARK: Resolving requests

  /// Returns the handle that the arguments name, or `main` by default.
  func handle(_ arguments: RequestArguments) throws -> LibraryHandle {
    let name = try arguments.handle
    guard let handle = handles[name] else {
      throw RequestProblem("There is no handle '\(name)'. Open it with 'open'.")
    }
    return handle
  }

  /// Returns the class that the arguments name, as declared in the fixture.
  func description(_ arguments: RequestArguments) throws -> ClassDescription {
    guard let description = try declared(arguments) else {
      throw RequestProblem("The case declares no class '\(try arguments.requiredText("class"))'.")
    }
    return description
  }

  /// Returns the class that the arguments name, or `nil` if the case does not declare it.
  func declared(_ arguments: RequestArguments) throws -> ClassDescription? {
    classes[try arguments.requiredText("class")]
  }

  /// Returns the absolute path of a file of the case.
  ///
  /// An empty path stays empty, so that the library rejects it.
  func path(_ relative: String) -> String {
    relative.isEmpty ? "" : "\(folder)/\(relative)"
  }
}

extension FixtureOperation {
  /// Whether the operation works on a file, whatever is open.
  fileprivate var belongsToFile: Bool {
    switch self {
    case .encrypt, .decrypt, .upgrade, .restore, .verify, .salvage, .slots, .testSlot, .addSlot,
      .removeSlot, .renameSlot, .changeKey:
      true
    default: false
    }
  }
}
