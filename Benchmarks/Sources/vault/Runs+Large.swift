#if !WITH_SERVER
  import SwiftWorkload
  import Workload

  /// The workloads of files that are much larger than the page cache.
  extension Runs {
    func large() throws {
      switch request.workload {
      case "l1": try insertBatches()
      case "l2": try streamAll()
      case "l3": try fetchMany()
      case "l4": try lookUpMany()
      case "l5": try conditionOnAll()
      case "l6": try openMany()
      case "l7": try verify()
      case "l8": try backUp()
      case "l9": try rekey()
      default: workload_fail("no such workload", request.workload)
      }
    }

    private func insertBatches() throws {
      let store = try T.store(in: vault())
      let batch = 10_000
      try request.measure(request.rows) {
        var sum = 0
        for start in stride(from: 0, to: request.rows, by: batch) {
          let numbers = start..<min(start + batch, request.rows)
          sum += try store.insert(contentsOf: numbers.lazy.map { T(Sample($0)) })
            .reduce(0) { $0 + T.number(of: $1) }
        }
        return sum
      }
    }

    private func streamAll() throws {
      let store = try T.store(in: vault())
      try request.measure(request.rows) {
        var sum = 0
        try store.forEach { sum += $0.ageInYears }
        return sum
      }
    }

    private func fetchMany() throws {
      let store = try T.store(in: vault())
      let count = 50_000
      try request.measure(count) {
        try store.database.read {
          try (0..<count).reduce(0) { sum, k in
            sum + (try store.find(T.id(choice(k, below: request.rows) + 1))?.ageInYears ?? 0)
          }
        }
      }
    }

    private func lookUpMany() throws {
      let store = try T.store(in: vault())
      let count = 10_000
      try request.measure(count) {
        try store.database.read {
          try (0..<count).reduce(0) { sum, k in
            let email = Sample(choice(k, below: request.rows)).email
            return sum + (try store.where("email == %@", email).first()?.ageInYears ?? 0)
          }
        }
      }
    }

    private func conditionOnAll() throws {
      let store = try T.store(in: vault())
      let count = 3
      try request.measure(count) {
        try store.database.read {
          try (0..<count).reduce(0) { sum, k in
            try store.where("age >= %@ && score < %@", 40 + 20 * k, 500.0).sorted(by: "name")
              .range(length: 100).all().reduce(sum) { $0 + $1.ageInYears }
          }
        }
      }
    }

    private func openMany() throws {
      func open(_ count: Int) throws -> Int {
        try (0..<count).reduce(0) { sum, _ in
          let vault = try vault()
          defer { vault.close() }
          return sum + (try T.store(in: vault).find(T.id(1))?.ageInYears ?? 0)
        }
      }
      let count = Int(workload_openings)
      // Without the work that a process does once.
      _ = try open(1)
      try request.measure(count) { try open(count) }
    }

    private func verify() throws {
      let vault = try vault()
      try request.measure(request.rows) { try vault.verify().isSound ? 1 : 0 }
    }

    private func backUp() throws {
      let vault = try vault()
      try request.measure(request.rows) {
        try vault.backup(to: request.path + ".copy")
        return 1
      }
    }
  }
#endif
