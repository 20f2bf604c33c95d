#if WITH_SERVER
  import SwiftWorkload
  import Workload

  /// Opening and preparing a database of a server.
  extension Runs {
    func runOthers() throws {
      switch request.workload {
      case "prepare": try prepare(rows: request.rows)
      case "prepare-empty": try prepare(rows: 0)
      default: workload_fail("no such workload", request.workload)
      }
    }

    /// Opens the database. C has connected before the measurement, too.
    func vault() throws -> SharedVault {
      let vault = try SharedVault(at: request.path)
      try vault.transaction {}
      return vault
    }

    /// Creates the tables of all classes, which C uses too, and stores persons.
    private func prepare(rows: Int) throws {
      let vault = try vault()
      let store = try T.store(in: vault)
      _ = try vault.store(of: Pet.self)
      _ = try vault.store(of: Keeper.self)
      _ = try vault.store(of: Toy.self)
      try store.insert(contentsOf: (0..<rows).lazy.map { T(Sample($0)) })
      vault.close()
    }
  }
#endif
