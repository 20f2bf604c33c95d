import GRDB
import SwiftWorkload
import Workload

extension Runs {
  func insert() throws {
    let pool = try pool()
    try makeTables(pool)
    let records = records(from: 0, count: request.rows)
    try request.measure(request.rows) {
      try pool.write { database in
        var sum = 0
        for var record in records {
          try record.insert(database)
          sum += Int(record.objectID!)
        }
        return sum
      }
    }
  }

  func insertStreamed() throws {
    let pool = try pool()
    try makeTables(pool)
    try request.measure(request.rows) { try pool.write(insertAll) }
  }

  func insertEach() throws {
    let pool = try pool()
    let records = records(from: request.rows, count: request.size(of: workload_transactions))
    try request.measure(records.count) {
      var sum = 0
      for record in records {
        sum += try pool.write { database in
          var record = record
          try record.insert(database)
          return Int(record.objectID!)
        }
      }
      return sum
    }
  }

  /// Updates every second object with values of another person: all of them, or two.
  func update() throws {
    let pool = try warmPool()
    let count = request.size(of: workload_updates)
    var records = try pool.read { database in
      try (0..<count).map { try T.fetchOne(database, key: 2 * $0 + 1)! }
    }
    let isPartial = request.workload == "w7p"
    for index in records.indices {
      let sample = Sample(request.rows + index)
      if isPartial {
        records[index].takePart(of: sample)
      } else {
        records[index].take(sample)
      }
    }
    try request.measure(count) {
      try pool.write { [records] database in
        for record in records {
          if isPartial {
            try record.update(database, columns: ["age", "score"])
          } else {
            try record.update(database)
          }
        }
        return records.count
      }
    }
  }

  private func pets(of owners: Int) -> [PetRecord] {
    (0..<owners * 4).map { PetRecord(name: Sample.pet($0), owner: Int64($0 / 4 + 1)) }
  }

  private func insert(_ pets: [PetRecord], into pool: DatabasePool) throws -> Int {
    try pool.write { database in
      var sum = 0
      for var pet in pets {
        try pet.insert(database)
        sum += Int(pet.objectID!)
      }
      return sum
    }
  }

  func insertPets() throws {
    let pool = try pool()
    let pets = pets(of: request.size(of: workload_owners))
    try request.measure(pets.count) { try insert(pets, into: pool) }
  }

  func remove() throws {
    let pool = try pool()
    let owners = request.size(of: workload_owners)
    _ = try insert(pets(of: owners), into: pool)
    let before = try pool.read { try T.fetchCount($0) + PetRecord.fetchCount($0) }
    try request.measure(owners) {
      try pool.write { database in
        for id in 1...owners { try T.deleteOne(database, key: id) }
        return 0
      }
    } check: {
      try before - pool.read { try T.fetchCount($0) + PetRecord.fetchCount($0) }
    }
  }

  func owned() throws {
    let pool = try pool()
    let samples = (0..<request.size(of: workload_owners)).map(Sample.init)
    try makeTables(pool)
    try request.measure(samples.count) {
      try pool.write { database in
        for sample in samples {
          var keeper = KeeperRecord(name: sample.name)
          try keeper.insert(database)
          for _ in 0..<4 {
            var toy = ToyRecord(name: sample.email, keeper: keeper.objectID)
            try toy.insert(database)
          }
        }
      }
      let keepers = try pool.read(fetchKeepers)
      return keepers.reduce(0) { $0 + $1.toys.count }
    }
  }

  /// Returns all owners with their owned objects, fetched in pages.
  ///
  /// A page binds its object IDs, and SQLite before 3.32 accepts at most 999 of them.
  private func fetchKeepers(_ database: Database) throws -> [KeeperWithToys] {
    var keepers: [KeeperWithToys] = []
    while true {
      let page =
        try KeeperRecord.including(all: KeeperRecord.toys.forKey("toys"))
        .filter(Column("objectID") > keepers.last?.keeper.objectID ?? 0)
        .order(Column("objectID")).limit(database.maximumStatementArgumentCount)
        .asRequest(of: KeeperWithToys.self).fetchAll(database)
      if page.isEmpty { return keepers }
      keepers += page
    }
  }
}
