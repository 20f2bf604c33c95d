/// What is observed: the vault that it is in, and how it is read.
struct Observed<Element>: Sendable {
  let vault: Vault
  /// Gives a function that reads, once for each observation: it answers `nil` for what equals that
  /// which it read before.
  let reading: @Sendable () -> (ObservedReads) throws -> Element?
}

/// One observation in progress.
///
/// It is used by one thread at a time, and ends with its last reference.
final class ObservationRun<Element>: @unchecked Sendable {
  /// What a look finds.
  enum Outcome {
    case value(Element)
    case same
    case over(Observer.End)
  }

  let observer = Observer()
  let vault: Vault
  private let read: (ObservedReads) throws -> Element?
  /// Whether the end was told.
  var isOver = false
  private var place: (center: ObserverCenter, id: Int, events: EventRegistration)?

  init(_ observed: Observed<Element>) {
    vault = observed.vault
    read = observed.reading()
  }

  deinit { leave() }

  /// Reads what is observed; after the observer's turn to look.
  func look() -> Outcome {
    do {
      // Before the first look, so that no commit comes in between.
      try enter()
      let reads = ObservedReads()
      let element = try read(reads)
      observer.endLook(dependingOn: reads.tables)
      return element.map(Outcome.value) ?? .same
    } catch {
      return .over(fail(error))
    }
  }

  /// Ends the observation because of an error.
  ///
  /// - Returns: How it ended.
  func fail(_ error: any Error) -> Observer.End {
    // Whoever closes the vault wants no more of it; a vault that was closed before is an error.
    let isClosed = (error as? VaultError)?.code == .closed && place != nil
    observer.end(isClosed ? .finished : .failed(error))
    return leave()
  }

  private func enter() throws {
    guard place == nil else { return }
    let center = try vault.file().observers
    let (observer, path) = (observer, vault.path)
    let events = vault.onEvent { event in
      switch event {
      case .closed: observer.end(.finished)
      case .removed: observer.end(.failed(VaultError.vaultRemoved(path)))
      case .storeRemoved: break
      }
    }
    place = (center, center.add(observer), events)
    // Nobody would be told of what came before.
    _ = try vault.file()
  }

  /// Ends the observation.
  ///
  /// - Returns: How it ended.
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
