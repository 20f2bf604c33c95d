#if !WITH_SERVER
  import SwiftWorkload
  import Workload

  /// The workloads of files, and how all workloads open one.
  extension Runs {
    func runOthers() throws {
      switch request.workload {
      case "prepare": try prepare(key: .raw(rawKey))
      case "prepare-words": try prepare(key: words)
      case "w9", "w9p": try open()
      case "w13": try openPool()
      case "w14": try rekey()
      default: try large()
      }
    }

    var rawKey: [UInt8] { withUnsafeBytes(of: workload_key) { [UInt8]($0) } }

    var words: VaultKey { .passphrase(String(cString: workload_passphrase())) }

    func vault(_ key: VaultKey? = nil, readers: Int = 4) throws -> Vault {
      var configuration = VaultConfiguration()
      configuration.writerCache = .mebibytes(Int(workload_cache()))
      configuration.readerCache = .mebibytes(Int(workload_cache()))
      configuration.maximumReaders = readers
      return try Vault(at: request.path, key: key ?? .raw(rawKey), configuration: configuration)
    }

    func prepare(key: VaultKey) throws {
      let vault = try vault(key)
      let store = try T.store(in: vault)
      if T.self == Person.self { _ = try vault.store(of: Pet.self) }
      try store.insert(contentsOf: (0..<request.rows).lazy.map { T(Sample($0)) })
      vault.close()
    }

    func open() throws {
      let isUnderWords = request.workload == "w9p"
      let count = Int(isUnderWords ? workload_openings_under_words : workload_openings)
      func open(_ count: Int) throws -> Int {
        for _ in 0..<count {
          let vault = try vault(isUnderWords ? words : nil)
          try vault.open()
          vault.close()
        }
        return count
      }
      _ = try open(1)
      try request.measure(count) { try open(count) }
    }

    /// Opens five readers at the same time.
    func openPool() throws {
      try request.measure(5) {
        let vault = try vault(words, readers: 5)
        let store = try T.store(in: vault)
        let meeting = Meeting(of: 5)
        onThreads(5) { _ in
          try vault.read {
            _ = try store.count()
            meeting.arrive()
          }
        }
        vault.close()
        return 5
      }
    }

    func rekey() throws {
      let vault = try vault()
      let key = withUnsafeBytes(of: workload_other_key) { [UInt8]($0) }
      try request.measure(request.rows) {
        try vault.rekey(to: .raw(key))
        return 1
      }
    }
  }
#endif
