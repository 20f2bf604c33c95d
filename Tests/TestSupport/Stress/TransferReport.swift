/// The counts and the violations of a transfer scenario.
package struct TransferReport: Sendable {
  /// The number of committed transfers.
  package var transfers = 0
  /// The number of transfers that a process committed, but could not acknowledge before it was
  /// killed.
  package var unacknowledged = 0
  /// The numbers of snapshots and of observed results that were checked during the transfers.
  package var reads = 0
  package var observed = 0
  /// The number of killed processes by role.
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
