import GRDB
import SwiftWorkload
import Workload

extension Runs {
  func fetchAll() throws {
    let pool = try warmPool()
    try request.measure(request.rows) {
      try pool.read { try T.order(Column("objectID")).fetchAll($0) }.reduce(0) { $0 + $1.age }
    }
  }

  func fetchByID() throws {
    let pool = try warmPool()
    let (count, rows) = (request.size(of: workload_fetches), request.rows)
    try request.measure(count) {
      if request.workload == "w4" {
        return try pool.read { database in
          try (0..<count).reduce(0) { sum, k in
            sum + (try T.fetchOne(database, key: choice(k, below: rows) + 1)?.age ?? 0)
          }
        }
      }
      return try (0..<count).reduce(0) { sum, k in
        sum + (try pool.read { try T.fetchOne($0, key: choice(k, below: rows) + 1) }?.age ?? 0)
      }
    }
  }

  private func wanted(_ count: Int) -> [String] {
    (0..<count).map { Sample(choice($0, below: request.rows)).email }
  }

  func lookUp() throws {
    let pool = try warmPool()
    let emails = wanted(request.size(of: workload_lookups))
    try request.measure(emails.count) {
      try pool.read { database in
        try emails.reduce(0) { sum, email in
          sum + (try T.filter(Column("email") == email).fetchOne(database)?.age ?? 0)
        }
      }
    }
  }

  func condition() throws {
    let pool = try warmPool()
    let count = request.size(of: workload_queries)
    try request.measure(count) {
      try pool.read { database in
        try (0..<count).reduce(0) { sum, k in
          let (age, score) = (choice(2 * k, below: 100), Double(choice(2 * k + 1, below: 1000)))
          return sum
            + (try T.filter(Column("age") >= age && Column("score") < score)
              .order(Column("name"), Column("objectID")).limit(100).fetchAll(database)
              .reduce(0) { $0 + $1.age })
        }
      }
    }
  }

  func count() throws {
    let pool = try warmPool()
    if request.workload == "w10c" {
      let count = request.size(of: workload_counts)
      return try request.measure(count) {
        try (0..<count).reduce(0) { sum, _ in sum + (try pool.read { try T.fetchCount($0) }) }
      }
    }
    let count = request.size(of: workload_aggregates)
    try request.measure(count) {
      try (0..<count).reduce(0) { sum, k in
        let mean = try pool.read { database in
          try T.filter(Column("age") >= choice(k, below: 100))
            .select(average(Column("score")), as: Double.self).fetchOne(database)
        }
        return sum + Int(mean ?? 0)
      }
    }
  }

  /// Fetches by conditions in SQL: all different, or the same one again.
  func text() throws {
    let pool = try warmPool()
    let emails = wanted(request.size(of: workload_texts))
    let isCached = request.workload == "w16c"
    try request.measure(emails.count) {
      try pool.read { database in
        var sum = 0
        for (k, email) in emails.enumerated() {
          let query =
            isCached
            ? T.filter(sql: "email = ? AND age >= ? AND score < ?", arguments: [email, 0, 2000.0])
            : T.filter(sql: "email = '\(email)' AND age >= 0 AND score < \(2000 + k)")
          sum += try query.fetchOne(database)?.age ?? 0
        }
        return sum
      }
    }
  }

  func open() throws {
    let isUnderWords = request.workload == "w9p"
    let count = Int(isUnderWords ? workload_openings_under_words : workload_openings)
    func open(_ count: Int) throws -> Int {
      for _ in 0..<count { try pool(under: isUnderWords ? words : nil).close() }
      return count
    }
    _ = try open(1)
    try request.measure(count) { try open(count) }
  }

  /// Opens five readers at the same time.
  func openPool() throws {
    try request.measure(5) {
      let pool = try pool(under: words, readers: 5)
      let meeting = Meeting(of: 5)
      onThreads(5) { _ in
        try pool.read { database in
          _ = try T.fetchCount(database)
          meeting.arrive()
        }
      }
      try pool.close()
      return 5
    }
  }

  func threads() throws {
    let pool = try pool()
    let (rows, samples) = (request.rows, (0..<100).map(Sample.init))
    let contest = Contest()
    try request.measure(contest.readCount, otherRate: contest.writeRate) {
      contest.run { number in
        _ = try pool.read { try T.fetchOne($0, key: choice(number, below: rows) + 1) }
      } write: { number in
        var record = T(samples[number % 100])
        record.objectID = Int64(choice(number, below: rows) + 1)
        try pool.write { [record] in try record.update($0, columns: ["age", "score"]) }
      }
      return 0
    }
  }
}
