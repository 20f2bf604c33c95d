import Foundation
import ObjectVaultCore
import ObjectVaultSession

/// Writes of several threads in one commit: all or none of them are stored.
struct GroupUnderFaults: FaultedOperation {
  let name = "group"

  func prepare(in folder: String) throws { try ParcelFile(path: folder + "/v").make(.closed) }

  func perform(in folder: String) throws {
    var configuration = VaultConfiguration()
    configuration.commitGrouping = .on
    // The window is long, so that a busy computer does not split the group.
    configuration.groupLimits.window = .seconds(60)
    configuration.durability = .powerFailure
    let vault = try Vault(at: folder + "/v", key: ParcelFile.old, configuration: configuration)
    defer { vault.close() }
    let store = try vault.store(of: Parcel.self)
    let work = GroupOfThreads()
    let first = Result {
      try vault.transaction {
        for parcel in added { work.start { try store.insert(parcel) } }
        work.letWait()
      }
    }
    try work.end()
    try first.get()
  }

  func inspect(_ folder: String, isThorough: Bool) throws -> FaultOutcome {
    try Place(folder: folder).expectPrivateFiles()
    var configuration = VaultConfiguration()
    configuration.creation = .never
    let vault = try Vault(at: folder + "/v", key: ParcelFile.old, configuration: configuration)
    defer { vault.close() }
    let found = try vault.store(of: Parcel.self).sorted(by: .ascending("number")).all()
    guard found.starts(with: ParcelFile.parcels) else {
      throw FaultViolation("the parcels are not what they were")
    }
    let more = Array(found.dropFirst(ParcelFile.parcels.count))
    guard more == added || more.isEmpty else {
      throw FaultViolation("a group was kept in part: \(found.count) parcels")
    }
    return more.isEmpty ? .before : .after
  }

  /// Does nothing, because the content of a log can remain when the disk is full.
  func checkUntouched(_ folder: String, since template: String, mayLackRoom: Bool) throws {}
}

private let added = (10_001...10_003).map(Parcel.init)

/// Threads that wait for the vault while the thread that started them writes.
private final class GroupOfThreads: @unchecked Sendable {
  private let condition = NSCondition()
  private var begun = 0
  private var ended = 0
  private var count = 0
  private var error: (any Error)?

  func start(_ body: @escaping @Sendable () throws -> Void) {
    count += 1
    Thread.detachNewThread { [self] in
      condition.withLock {
        begun += 1
        condition.broadcast()
      }
      let result = Result { try body() }
      condition.withLock {
        if case .failure(let failure) = result { error = failure }
        ended += 1
        condition.broadcast()
      }
    }
  }

  /// Waits until each thread waits for the writer lock.
  func letWait() {
    condition.withLock { while begun < count { condition.wait() } }
    usleep(100_000)
  }

  func end() throws {
    try condition.withLock {
      while ended < count { condition.wait() }
      if let error { throw error }
    }
  }
}
