import ObjectVaultModel

/// The object IDs and content digests of a result, for comparison with the next result.
struct ObservedList<ID: ObjectIDValue>: Equatable {
  let ids: [ExactID<ID>]
  let digests: [RowDigest]

  /// Records in `change` the differences between a former list and this list.
  func note<T: VaultObject>(
    differenceFrom former: ObservedList, in change: inout QueryChange<T>
  ) where T.ObjectIDType == ID {
    // Several stored object IDs can be read as one value, such as a UUID in upper and lower case.
    // Then `next` has the next former position of the same value.
    var origins: [ExactID<ID>: Int] = [:]
    var next = [Int?](repeating: nil, count: former.ids.count)
    origins.reserveCapacity(former.ids.count)
    for (position, id) in former.ids.enumerated().reversed() {
      next[position] = origins.updateValue(position, forKey: id)
    }
    // The former and the new position of each remaining object.
    var staying: [(from: Int, to: Int)] = []
    var isStaying = [Bool](repeating: false, count: former.ids.count)
    for (position, id) in ids.enumerated() {
      guard let origin = origins[id], !isStaying[origin] else {
        change.inserted.append(.init(id: id.id, position: position))
        continue
      }
      staying.append((origin, position))
      isStaying[origin] = true
      if let next = next[origin] { origins[id] = next }
      if former.digests[origin] != digests[position] {
        change.changed.append(.init(id: id.id, position: position))
      }
    }
    for (position, id) in former.ids.enumerated() where !isStaying[position] {
      change.removed.append(.init(id: id.id, position: position))
    }
    let fixed = Self.longestIncreasing(staying.map(\.from))
    for (index, place) in staying.enumerated() where !fixed[index] {
      change.moved.append(.init(id: ids[place.to].id, from: place.from, to: place.to))
    }
  }

  /// Returns a flag for each number: whether it is in a longest increasing subsequence (Fredman
  /// 1975).
  private static func longestIncreasing(_ numbers: [Int]) -> [Bool] {
    // The last index of the best subsequence of each length, and the predecessor of each index.
    var ends: [Int] = []
    var before = [Int](repeating: -1, count: numbers.count)
    for (index, number) in numbers.enumerated() {
      var (low, high) = (0, ends.count)
      while low < high {
        let middle = (low + high) / 2
        if numbers[ends[middle]] < number { low = middle + 1 } else { high = middle }
      }
      if low > 0 { before[index] = ends[low - 1] }
      if low == ends.count { ends.append(index) } else { ends[low] = index }
    }
    var chosen = [Bool](repeating: false, count: numbers.count)
    var index = ends.last ?? -1
    while index >= 0 {
      chosen[index] = true
      index = before[index]
    }
    return chosen
  }
}
