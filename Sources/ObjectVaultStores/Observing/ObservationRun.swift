import Logging
import ObjectVaultDriver
import ObjectVaultSession

/// The target of an observation: its vault and the function that reads it.
struct Observed<Element>: Sendable {
  let database: any Database
  /// Creates the read function of one observation.
  ///
  /// The function returns `nil` if the result equals the previous result of the same observation.
  let reading: @Sendable () -> (ObservedReads) throws -> Element?
}

/// One observation in progress.
///
/// It is used by one thread at a time and ends when its last reference is released.
final class ObservationRun<Element>: @unchecked Sendable {
  /// The outcome of a read.
  enum Outcome {
    case value(Element)
    case same
    case over(Observer.End)
  }

  let observer = Observer()
  let database: any Database
  private let read: (ObservedReads) throws -> Element?
  /// Whether the end was reported.
  var isOver = false
  /// Whether a read succeeded.
  private var hasRead = false
  /// Whether the last read failed and is repeated.
  private var isDelayed = false
  private var place: (center: ObserverCenter, id: Int, events: EventRegistration)?

  init(_ observed: Observed<Element>) {
    database = observed.database
    read = observed.reading()
  }

  deinit { leave() }

  /// Reads the target; call it after ``Observer/nextTurn()`` returned `.look`.
  func look() -> Outcome {
    do {
      // Registered before the first read, so that no commit is missed.
      try enter()
      let reads = ObservedReads()
      let element = try readWhenPossible(reads)
      (hasRead, isDelayed) = (true, false)
      observer.endLook(dependingOn: reads.tables)
      return element.map(Outcome.value) ?? .same
    } catch let error as VaultError where hasRead && error.isTransient {
      delay(error)
      return .same
    } catch {
      return .over(fail(error))
    }
  }

  /// Repeats the read later, after an error that passes by itself.
  private func delay(_ error: VaultError) {
    if !isDelayed {
      database.handle.options.logger?.notice(
        "observation delayed",
        metadata: ["path": "\(database.handle.location)", "error": "\(error.code)"])
    }
    isDelayed = true
    place?.center.repeatLook(of: observer)
  }

  /// Reads the target. A replacement of the file, such as a rekey, only delays that.
  private func readWhenPossible(_ reads: ObservedReads) throws -> Element? {
    while true {
      let readers = try database.opened().sessions.readers
      let count = readers.suspensionCount
      try readers.waitWhileSuspended()
      do {
        return try read(reads)
      } catch let error as VaultError where error.code == .busy {
        guard readers.suspensionCount != count else { throw error }
      }
    }
  }

  /// Ends the observation with an error.
  ///
  /// - Parameter error: The error of a read.
  /// - Returns: The end of the observation.
  func fail(_ error: any Error) -> Observer.End {
    // Closing the vault ends the observation normally; a vault that was already closed is an error.
    let isClosed = (error as? VaultError)?.code == .closed && place != nil
    observer.end(isClosed ? .finished : .failed(error))
    return leave()
  }

  private func enter() throws {
    guard place == nil else { return }
    let center = try database.opened().observers
    let (observer, path) = (observer, database.handle.location)
    let events = database.onEvent { event in
      switch event {
      case .closed: observer.end(.finished)
      case .removed: observer.end(.failed(VaultError.vaultRemoved(path)))
      case .storeRemoved: break
      }
    }
    place = (center, center.add(observer), events)
    // Events from before the registration would be missed.
    _ = try database.opened()
  }

  /// Ends the observation.
  ///
  /// - Returns: The end of the observation.
  @discardableResult
  func leave() -> Observer.End {
    if let place {
      place.events.cancel()
      place.center.remove(place.id)
    }
    place = nil
    if case .over(let end) = observer.nextTurn() { return end }
    observer.end(.finished)
    return .finished
  }
}

extension ObservationRun.Outcome: Sendable where Element: Sendable {}

extension VaultError {
  /// Whether the read that threw the error can succeed later: when a server is reachable again,
  /// others end their transactions, or connections are free.
  fileprivate var isTransient: Bool { [.connectionLost, .conflict, .busy].contains(code) }
}
