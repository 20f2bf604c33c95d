internal import Foundation
internal import ObjectVaultCore
internal import TestSupport

/// Runs `measure-removal [RUNS]`, which measures the removal of owners with all owned objects.
///
/// The objects are owned through three levels. There are three sizes, each sixteen times the
/// previous one. It prints the nanoseconds per removed object and the ratio to the previous size.
/// All figures are medians of interleaved runs.
func measureRemoval(_ arguments: [String]) -> Int32 {
  guard let runs = arguments.first.map(Int.init) ?? 5, runs > 0 else {
    report("usage: vaultchild measure-removal [RUNS]")
    return 64
  }
  do {
    let sizes = [312, 5_000, 80_000]
    var times: [[Double]] = sizes.map { _ in [] }
    for _ in 0..<runs {
      for place in sizes.indices {
        times[place].append(try nanosecondsPerObject(owners: sizes[place]))
      }
    }
    let medians = times.map { $0.sorted()[$0.count / 2] }
    var isKept = true
    for (place, count) in sizes.enumerated() {
      let cost =
        "\(count) owners with \(4 * count) owned objects: \(Int(medians[place])) ns for each"
      guard place > 0 else {
        print(cost)
        continue
      }
      let ratio = medians[place] / medians[place - 1]
      isKept = isKept && ratio <= 1.3
      print(cost + String(format: ", %.2f times as much; promised is at most 1.30", ratio))
    }
    return isKept ? 0 : 1
  } catch {
    report("\(error)")
    return 1
  }
}

private func nanosecondsPerObject(owners count: Int) throws -> Double {
  let folder = try TemporaryFolder()
  let key = VaultKey.raw(Array(repeating: 7, count: 32))
  let filling = try Vault(at: folder.file("owners.vault"), key: key)
  // Each owner has one object of the classes `First` and `Second`, and two of the class `Third`.
  let names = ["Owner", "First", "Second", "Third"]
  let levels = names.indices.map { level in
    ClassDescription(
      names[level],
      properties: [.init("number", type: .int64)]
        + (level == 0 ? [] : [.init("owner", type: .int64, isOptional: true)]),
      references: level == 0
        ? [] : [ReferenceDescription("owner", target: names[level - 1], onDelete: .cascade)])
  }
  func stores(in vault: Vault) throws -> [ObjectStore<DynamicObject>] {
    try levels.map { level in try vault.store(of: level, with: levels.filter { $0 != level }) }
  }
  let filled = try stores(in: filling)
  try filling.transaction {
    for (level, store) in filled.enumerated() {
      let objects = level == 3 ? 2 * count : count
      try store.insert(
        contentsOf: (0..<objects).map { number in
          var object = try DynamicObject(of: levels[level])
          try object.set("number", to: .integer(Int64(number)))
          if level > 0 { try object.set("owner", to: .integer(Int64(number % count + 1))) }
          return object
        })
    }
  }
  // Closing leaves an empty log, so that the measured time includes no checkpoint of the inserts.
  filling.close()
  let vault = try Vault(at: filling.path, key: key)
  defer { vault.close() }
  let stores = try stores(in: vault)
  guard try stores.map({ try $0.count() }) == [count, count, count, 2 * count] else {
    throw VaultError(.damaged, "Not all of \(count) owners were stored.")
  }
  let start = ContinuousClock.now
  let removed = try stores[0].where("number >= 0").remove()
  let duration = ContinuousClock.now - start
  guard removed == count, try stores[3].count() == 0 else {
    throw VaultError(.damaged, "\(removed) of \(count) owners were removed.")
  }
  return duration / .nanoseconds(1) / Double(5 * count)
}
