import ObjectVaultCore
import ObjectVaultSession
import Synchronization

/// An open vault as a page in a browser inspects it: operations on JSON, without HTTP.
///
/// Every operation reads the present state of the vault. Each query has a time limit, and cells,
/// pages and the number of queries at a time are limited, so that no request can exhaust memory.
/// Values occur in requests and answers only, never in an error, an output or a log.
public final class VaultInspection: Sendable {
  let vault: Vault
  let handles = ObjectHandles()
  /// Whether the page can change objects.
  public let isWritable: Bool
  private let queries: QueryLimit
  private let sizes: QueryLimit
  private let idleLimit: Duration
  private let parent = ParentProcess()
  private let lastUse = Mutex(ContinuousClock.now)

  /// Creates an inspection.
  ///
  /// - Parameters:
  ///   - vault: The vault, open for writing if `isWritable`.
  ///   - isWritable: Whether the page can change objects.
  ///   - queryLimit: The time after which a query is stopped.
  ///   - idleLimit: The time without an operation after which the inspection ends.
  init(
    _ vault: Vault, isWritable: Bool, queryLimit: Duration = .seconds(10), idleLimit: Duration
  ) {
    self.vault = vault
    self.isWritable = isWritable
    self.idleLimit = idleLimit
    queries = QueryLimit(count: 4, duration: queryLimit)
    // Measuring reads the whole file.
    sizes = QueryLimit(count: 1, duration: queryLimit * 6)
  }

  /// The reason to end the inspection, or `nil` to continue.
  ///
  /// Poll it a few times per second.
  public var end: InspectionEnd? {
    if StopSignals.wasReceived { return .signal }
    if parent.isGone { return .terminal }
    return lastUse.withLock { $0 + idleLimit < .now } ? .idle : nil
  }

  /// Performs an operation on the calling thread.
  ///
  /// - Parameters:
  ///   - operation: The name of the operation.
  ///   - body: The JSON object with its arguments.
  ///   - isAbandoned: Whether no one waits for the answer any more; polled while a query runs.
  /// - Returns: The answer; errors are answers, too.
  public func answer(
    _ operation: String, _ body: [UInt8],
    isAbandoned: @escaping @Sendable () -> Bool = { false }
  ) -> InspectionAnswer {
    do {
      let request = try InspectionRequest(body)
      if operation == "state" { return InspectionAnswer(state) }
      if !request.isBackground { lastUse.withLock { $0 = .now } }
      guard let perform = try Self.operation(named: operation, isWritable: isWritable) else {
        throw InspectionFailure(404, "There is no such operation.")
      }
      let limit = operation == "sizes" ? sizes : queries
      return InspectionAnswer(
        try limit.run(isAbandoned: isAbandoned) { try perform(self)(request) })
    } catch {
      return InspectionAnswer(failure: error)
    }
  }

  private typealias Operation = (VaultInspection) -> (InspectionRequest) throws -> JSONValue

  /// Returns the operation with a name, or `nil` if there is none.
  private static func operation(named name: String, isWritable: Bool) throws -> Operation? {
    switch name {
    case "vault": return { inspection in { _ in try inspection.overview() } }
    case "count": return VaultInspection.count
    case "objects": return VaultInspection.objects
    case "object": return VaultInspection.object
    case "explain": return VaultInspection.explain
    case "complete": return VaultInspection.complete
    case "sizes": return { inspection in { _ in try inspection.measure() } }
    case "insert", "update", "plan", "remove":
      guard isWritable else {
        throw InspectionFailure(
          403, "The vault is open for reading only. Start the inspector with --write.")
      }
      switch name {
      case "insert": return VaultInspection.insert
      case "update": return VaultInspection.update
      case "plan": return VaultInspection.plan
      default: return VaultInspection.remove
      }
    default: return nil
    }
  }

  /// The state of the file, which a page polls to notice changes.
  var state: JSONValue {
    .object([.init("stamp", .string("\(FileStamp(ofVaultAt: vault.path))"))])
  }

  /// Returns the store of the class that a request names by its table.
  func store(_ request: InspectionRequest) throws -> ObjectStore<DynamicObject> {
    try store(ofTable: try request.text("class"))
  }

  private func store(ofTable table: String) throws -> ObjectStore<DynamicObject> {
    guard let description = try vault.classes().first(where: { $0.table == table }) else {
      return try vault.store(named: table)
    }
    return try vault.presentStore(of: description)
  }

  /// Returns the object that a request names with the number in a member.
  ///
  /// - Throws: ``InspectionFailure`` if the number is unknown or the object does not exist any
  ///   more.
  func found(
    _ request: InspectionRequest, _ member: String = "object"
  ) throws -> (store: ObjectStore<DynamicObject>, object: DynamicObject) {
    let number = try request.number(member, in: 1...Int.max, default: 0)
    guard let key = handles.key(number) else {
      throw InspectionFailure(
        410, "The link to the object has expired. Open the object from a list.")
    }
    let store = try store(ofTable: key.table)
    guard let object = try store.find(key.id) else {
      throw InspectionFailure(404, "The object does not exist any more.")
    }
    return (store, object)
  }
}

/// A reason for the end of an inspection.
public enum InspectionEnd: Sendable {
  /// Control-C or another signal.
  case signal
  /// The program that started the inspection has ended.
  case terminal
  /// The idle limit.
  case idle
}

/// An error of the server of a page, such as a port that is in use.
public struct InspectionServerError: Error {
  let message: String

  /// Creates an error; the message contains what failed and what to do.
  public init(_ message: String) { self.message = message }
}
