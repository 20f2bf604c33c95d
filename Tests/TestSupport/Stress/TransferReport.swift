/// What a transfer scenario did, and what it found broken.
package struct TransferReport: Sendable {
  /// How many transfers were committed.
  package var transfers = 0
  /// How many of them were committed by a process that was killed before it could acknowledge them.
  package var unacknowledged = 0
  /// How many snapshots and how many observed results were checked while the transfers were made.
  package var reads = 0
  package var observed = 0
  /// How many processes were killed, by role.
  package var kills: [String: Int] = [:]
  /// The largest size of the write-ahead log, in bytes.
  package var largestLog = 0
  package var violations: [String] = []

  /// The counts on one line.
  package var line: String {
    let kills = kills.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    let total = self.kills.values.reduce(0, +)
    return "transfers \(transfers) (\(unacknowledged) of them only found after a kill), snapshots "
      + "\(reads), observed results \(observed), kills \(total) (\(kills.joined(separator: ", "))), "
      + "largest log \(largestLog >> 10) KiB, violations \(violations.count)"
  }
}
