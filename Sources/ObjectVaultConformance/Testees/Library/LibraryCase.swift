import Foundation
import ObjectVaultCore

/// What the library's testee keeps during one case.
///
/// The threads of a case take turns, each while the others wait, so that nothing in it is touched
/// by two at once.
final class LibraryCase: @unchecked Sendable {
  let settings: LibraryTestee.Settings
  private let folder: String
  private let classes: [String: ClassDescription]
  var handles: [String: LibraryHandle] = [:]
  /// By handle; they outlive what they tell of.
  var events: [String: EventLog] = [:]
  private var threads: [String: NamedThread] = [:]
  /// The thread that answers now; `nil` for the first.
  private var thread: String?
  /// Why nothing more can be done in the case.
  private var ended: TesteeEnded?

  init(folder: String, classes: [FixtureClass], settings: LibraryTestee.Settings) throws {
    guard folder.hasPrefix("/") else {
      throw RequestProblem("The folder of a case is an absolute path; this one is '\(folder)'.")
    }
    self.folder = folder
    self.settings = settings
    self.classes = Dictionary(
      classes.map { ($0.label, $0.description) }, uniquingKeysWith: { first, _ in first })
  }

  /// Ends the threads of the case and closes every handle.
  func end() {
    // One that does not end still uses what it uses: then nothing is taken from it.
    let areIdle = threads.values.map { $0.end(within: settings.threadTimeLimit) }
    guard areIdle.allSatisfy({ $0 }) else { return }
    for handle in handles.values { handle.vault.close() }
    handles = [:]
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
      return try Answer { throw RequestProblem("'begin' and 'end' are no steps.") }
    }
    switch operation {
    case .transaction: return try transaction(request)
    case .read: return try read(request)
    case .crash: return crash()
    case .sql, .copy, .write, .overwrite, .truncate, .delete, .file:
      return .unsupported("'\(operation.rawValue)' is the runner's own")
    default:
      return try Answer { try perform(operation, RequestArguments(request.arguments)) }
    }
  }

  private func perform(
    _ operation: Operation, _ arguments: RequestArguments
  ) throws -> FixtureValue? {
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
      throw RequestProblem("'\(operation.rawValue)' is no operation on a vault or store.")
    }
  }

  // MARK: What requests name

  /// The handle that the arguments name, `main` where they name none.
  func handle(_ arguments: RequestArguments) throws -> LibraryHandle {
    let name = try arguments.handle
    guard let handle = handles[name] else {
      throw RequestProblem("There is no handle '\(name)': 'open' makes one.")
    }
    return handle
  }

  /// The class that the arguments name, as the fixture describes it.
  func description(_ arguments: RequestArguments) throws -> ClassDescription {
    guard let description = try declared(arguments) else {
      throw RequestProblem("The case declares no class '\(try arguments.requiredText("class"))'.")
    }
    return description
  }

  /// The class that the arguments name, if the case declares it.
  func declared(_ arguments: RequestArguments) throws -> ClassDescription? {
    classes[try arguments.requiredText("class")]
  }

  /// The absolute path of a file of the case. None stays none, which is the library's to refuse.
  func path(_ relative: String) -> String {
    relative.isEmpty ? "" : "\(folder)/\(relative)"
  }
}
