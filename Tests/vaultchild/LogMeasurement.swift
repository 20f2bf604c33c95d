internal import Foundation
internal import ObjectVaultCore
internal import TestSupport

/// Runs `measure-log PATH [SECONDS] [READERS] [--read-only]`, which measures the write-ahead log's
/// growth.
///
/// One thread writes while others read without a pause. It prints the largest size of the log and
/// the writes and reads per second. With `--read-only` nothing is written: that is for a second
/// process whose readers the first one cannot delay.
func measureLog(_ arguments: [String]) -> Int32 {
  let isReadOnly = arguments.contains("--read-only")
  let arguments = arguments.filter { !$0.hasPrefix("--") }
  guard let path = arguments.first,
    let seconds = arguments.dropFirst().first.map(Double.init) ?? 60,
    let readers = arguments.dropFirst(2).first.map(Int.init) ?? 4
  else {
    report("usage: vaultchild measure-log PATH [SECONDS] [READERS] [--read-only]")
    return 64
  }
  do {
    let vault = try Vault(at: path, key: .ofTests)
    let store = try vault.store(of: Parcel.self)
    if !isReadOnly {
      try vault.transaction {
        for number in try store.count()..<500 { try store.insert(Parcel(number)) }
      }
    }
    let work = LogWork()
    let ids = Array(0..<500)
    for reader in 0..<readers {
      Thread.detachNewThread {
        work.run {
          var reads = 0
          while !work.isOver {
            try vault.read { for id in ids.shuffled().prefix(20) { _ = try store.find(id) } }
            reads += 20
            if reader == 0, reads.isMultiple(of: 400) { work.note(size(path)) }
          }
          return (0, reads)
        }
      }
    }
    if !isReadOnly {
      Thread.detachNewThread {
        work.run {
          var writes = 0
          while !work.isOver {
            let id = ids[writes % ids.count]
            if let parcel = try store.find(id) { try store.update(parcel) }
            writes += 1
          }
          return (writes, 0)
        }
      }
    }
    Thread.sleep(forTimeInterval: seconds)
    let (writes, reads) = try work.end(of: readers + (isReadOnly ? 0 : 1))
    let megabytes = { (bytes: Int) in String(format: "%.1f MiB", Double(bytes) / 1_048_576) }
    print(
      "log at most \(megabytes(work.largest)), at the end \(megabytes(size(path)));",
      String(
        format: "%.0f writes/s, %.0f reads/s", Double(writes) / seconds, Double(reads) / seconds))
    return 0
  } catch {
    report("\(error)")
    return 1
  }
}

/// Returns the size of the write-ahead log in bytes.
private func size(_ path: String) -> Int {
  var status = stat()
  return stat(path + "-wal", &status) == 0 ? Int(status.st_size) : 0
}

/// Threads that work until they are stopped.
private final class LogWork: @unchecked Sendable {
  private let condition = NSCondition()
  private var over = false
  private var ended = 0
  private var counts = (writes: 0, reads: 0)
  private var failure: (any Error)?
  private(set) var largest = 0

  var isOver: Bool { condition.withLock { over } }

  func note(_ size: Int) { condition.withLock { largest = max(largest, size) } }

  func run(_ body: () throws -> (Int, Int)) {
    let result = Result { try body() }
    condition.withLock {
      switch result {
      case .success(let (writes, reads)):
        counts.writes += writes
        counts.reads += reads
      case .failure(let error): failure = error
      }
      ended += 1
      condition.broadcast()
    }
  }

  func end(of threads: Int) throws -> (writes: Int, reads: Int) {
    condition.withLock {
      over = true
      while ended < threads { condition.wait() }
    }
    if let failure { throw failure }
    return counts
  }
}
