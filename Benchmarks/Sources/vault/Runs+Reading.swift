import SwiftWorkload
import Workload

extension Runs {
  func fetchAll() throws {
    let store = try warmStore()
    try request.measure(request.rows) {
      try store.all().reduce(0) { $0 + $1.ageInYears }
    }
  }

  func fetchByID() throws {
    let store = try warmStore()
    let count = request.size(of: workload_fetches)
    func fetch() throws -> Int {
      var sum = 0
      for k in 0..<count {
        sum += try store.find(T.id(choice(k, below: request.rows) + 1))?.ageInYears ?? 0
      }
      return sum
    }
    if request.workload == "w4i" {
      return try store.database.read(caching: .objects(request.rows)) {
        _ = try store.all()
        try request.measure(count, fetch)
      }
    }
    try request.measure(count) {
      request.workload == "w4" ? try store.database.read(fetch) : try fetch()
    }
  }

  private func wanted(_ count: Int) -> [String] {
    (0..<count).map { Sample(choice($0, below: request.rows)).email }
  }

  func lookUp() throws {
    let store = try warmStore()
    let emails = wanted(request.size(of: workload_lookups))
    try request.measure(emails.count) {
      try store.database.read {
        var sum = 0
        for email in emails {
          sum += try store.where("email == %@", email).first()?.ageInYears ?? 0
        }
        return sum
      }
    }
  }

  func condition() throws {
    let store = try warmStore()
    let count = request.size(of: workload_queries)
    try request.measure(count) {
      try store.database.read {
        var sum = 0
        for k in 0..<count {
          let (age, score) = (choice(2 * k, below: 100), Double(choice(2 * k + 1, below: 1000)))
          sum += try store.where("age >= %@ && score < %@", age, score)
            .sorted(by: "name").range(length: 100).all().reduce(0) { $0 + $1.ageInYears }
        }
        return sum
      }
    }
  }

  func count() throws {
    let store = try warmStore()
    if request.workload == "w10c" {
      let count = request.size(of: workload_counts)
      return try request.measure(count) {
        try (0..<count).reduce(0) { sum, _ in sum + (try store.count()) }
      }
    }
    let count = request.size(of: workload_aggregates)
    try request.measure(count) {
      try (0..<count).reduce(0) { sum, k in
        sum
          + Int(
            try store.where("age >= %@", choice(k, below: 100)).average(of: "score") ?? 0)
      }
    }
  }

  /// Fetches by conditions as text: all different, or the same one again.
  func text() throws {
    let store = try warmStore()
    let emails = wanted(request.size(of: workload_texts))
    let isCached = request.workload == "w16c"
    try request.measure(emails.count) {
      try store.database.read {
        var sum = 0
        for (k, email) in emails.enumerated() {
          let query =
            isCached
            ? store.where("email == %@ && age >= %@ && score < %@", email, 0, 2000.0)
            : store.where("email == '\(email)' && age >= 0 && score < \(2000 + k)")
          sum += try query.first()?.ageInYears ?? 0
        }
        return sum
      }
    }
  }

  func threads() throws {
    let store = try T.store(in: vault())
    let (rows, samples) = (request.rows, (0..<100).map(Sample.init))
    let contest = Contest()
    try request.measure(contest.readCount, otherRate: contest.writeRate) {
      contest.run { number in
        _ = try store.find(T.id(choice(number, below: rows) + 1))
      } write: { number in
        var object = T(samples[number % 100])
        object.assignObjectID(T.id(choice(number, below: rows) + 1))
        try store.update(object, only: "age", "score")
      }
      return 0
    }
  }
}
