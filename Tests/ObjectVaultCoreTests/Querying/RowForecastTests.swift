import ObjectVaultCore
import Testing
import TestSupport

@testable import ObjectVaultStores

@Suite("What is known of a long list ahead") struct RowForecastTests {
  private let test: TestVault
  private let tickets: ObjectStore<Ticket>

  init() throws {
    test = try TestVault()
    tickets = try test.vault.store(of: Ticket.self)
  }

  private func store(_ numbers: some Sequence<Int>) throws {
    try tickets.insert(contentsOf: numbers.map { Ticket(number: $0, title: "t\($0)") })
  }

  /// Memory comes in sizes of its own.
  private func isTakenOnce(_ count: Int, of capacity: Int) -> Bool {
    (count...count + count / 6).contains(capacity)
  }

  enum Even: CaseIterable {
    case dense, sparse, widest

    var numbers: [Int] {
      switch self {
      case .dense: Array(1...5000)
      case .sparse: stride(from: -9_000_000, to: 9_000_000, by: 4000).map { $0 }
      case .widest: (0..<4500).map { Int.min &+ $0 &* (Int.max / 2250) }
      }
    }
  }

  @Test("where numbers are even, memory is taken once for all of them", arguments: Even.allCases)
  func evenNumbers(even: Even) throws {
    let numbers = even.numbers
    try store(numbers)
    let all = try tickets.all()
    #expect(all.map(\.number) == numbers)
    #expect(isTakenOnce(numbers.count, of: all.capacity), "\(all.capacity)")
    try test.vault.read(caching: .objects(10_000)) {
      let kept = try tickets.all()
      #expect(kept == all)
      #expect(isTakenOnce(numbers.count, of: kept.capacity), "\(kept.capacity)")
    }
  }

  enum Uneven: CaseIterable {
    case lastOfAll, firstOfAll, farLast, oneLess, exactly, oneMore

    var numbers: [Int] {
      switch self {
      case .lastOfAll: Array(1...1024) + [.max]
      case .firstOfAll: [.min] + Array(2000...4000)
      case .farLast: Array(1...2000) + [1 << 40]
      case .oneLess: Array(1...1023)
      case .exactly: Array(1...1024)
      case .oneMore: Array(1...1025)
      }
    }
  }

  @Test(
    "where they are not, the list has what there is, and no more memory than it may take ahead",
    arguments: Uneven.allCases)
  func unevenNumbers(uneven: Uneven) throws {
    let numbers = uneven.numbers
    try store(numbers)
    let all = try tickets.all()
    #expect(all.map(\.number) == numbers)
    #expect(
      all.capacity <= max(2 * numbers.count, StoreAccess.mostReserved / MemoryLayout<Ticket>.stride)
        + 1024)
  }

  @Test("queries for less than all take what they give")
  func parts() throws {
    try store(1...5000)
    #expect(try tickets.where("number > 1000").all().map(\.number) == Array(1001...5000))
    let part = try tickets.query.range(offset: 10, length: 1500).all()
    #expect(part.map(\.number) == Array(11...1510))
    #expect(part.capacity < 4000)
    let sorted = try tickets.query.sorted(by: .descending("number")).all()
    #expect(sorted.map(\.number) == (1...5000).reversed())
  }

  @Test("what the transaction has inserted counts")
  func transactions() throws {
    try store(1...2000)
    try test.vault.transaction {
      try store(2001...5000)
      let all = try tickets.all()
      #expect(all.count == 5000)
      #expect(isTakenOnce(5000, of: all.capacity), "\(all.capacity)")
    }
  }
}
