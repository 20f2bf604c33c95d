import TestSupport
import Testing

import ObjectVaultCore

@Suite("Pages", .covers("A23", "A24", "D1")) struct PageTests {
  private let test: TestVault
  private let people: ObjectStore<Person>

  init() throws {
    test = try TestVault()
    people = try test.vault.store(of: Person.self)
    try people.insert(contentsOf: (1...7).map { Person(name: "n\($0)", age: $0) })
  }

  private func page(_ number: Int, _ size: Int, of query: Query<Person>? = nil) throws -> Page<Int>
  {
    let page = try (query ?? people.query).page(number: number, size: size)
    return Page(
      items: page.items.map(\.age), number: page.number, size: page.size,
      totalItems: page.totalItems)
  }

  @Test("pages are counted from 1 and say how many there are")
  func counting() throws {
    let first = try page(1, 3)
    #expect(first.items == [1, 2, 3])
    #expect((first.number, first.size, first.totalItems, first.totalPages) == (1, 3, 7, 3))
    #expect(first.hasNext)
    #expect(try page(3, 3).items == [7])
    #expect(try !page(3, 3).hasNext)
    #expect(try page(1, 7).totalPages == 1)
    #expect(try page(1, 8).items.count == 7)
    #expect(try people.page(number: 2, size: 6).items.map(\.age) == [7])
  }

  @Test("a page beyond the last is empty and says the same of the whole")
  func beyond() throws {
    for number in [4, 1000, Int.max] {
      let page = try page(number, 3)
      #expect(page.items.isEmpty && page.totalItems == 7 && page.totalPages == 3)
    }
    #expect(try page(1, .max).items.count == 7)
    #expect(try page(2, .max).items.isEmpty)
  }

  @Test("where nothing is chosen the page is empty and the totals are 0")
  func empty() throws {
    let page = try page(1, 10, of: people.where("age > 100"))
    #expect(page.items.isEmpty && page.totalItems == 0 && page.totalPages == 0 && !page.hasNext)
  }

  @Test("numbers and sizes below 1 are refused", arguments: [(0, 1), (1, 0), (-1, 5), (1, .min)])
  func refusals(number: Int, size: Int) throws {
    #expect(code { _ = try page(number, size) } == .invalidArgument)
  }

  @Test("pages divide what the query chooses, its order and range included")
  func ofQueries() throws {
    let query = people.where("age != 4").sorted(by: .descending("age"))
      .range(offset: 1, length: 4)
    #expect(try page(1, 3, of: query).items == [6, 5, 3])
    #expect(try page(2, 3, of: query).items == [2])
    #expect(try page(2, 3, of: query).totalItems == 4)
  }

  @Test("a page is read without blocking the caller")
  func asynchronous() async throws {
    let page = try await onOwnThread { try people.page(number: 2, size: 5) }
    #expect(page.items.map(\.age) == [6, 7] && page.totalPages == 2)
  }
}
