import SwiftWorkload
import Workload

extension Runs {
  func insert() throws {
    let store = try T.store(in: vault())
    let objects = objects(from: 0, count: request.rows)
    try request.measure(request.rows) {
      try store.insert(contentsOf: objects).reduce(0) { $0 + T.number(of: $1) }
    }
  }

  func insertStreamed() throws {
    let store = try T.store(in: vault())
    try request.measure(request.rows) {
      try store.insert(contentsOf: (0..<request.rows).lazy.map { T(Sample($0)) })
        .reduce(0) { $0 + T.number(of: $1) }
    }
  }

  func insertEach() throws {
    let store = try T.store(in: vault())
    let objects = objects(from: request.rows, count: request.size(of: workload_transactions))
    try request.measure(objects.count) {
      var sum = 0
      for object in objects {
        if let id = try store.insert(object).storedObjectID { sum += T.number(of: id) }
      }
      return sum
    }
  }

  /// Updates every second object with values of another person: all values, or two by name.
  func update() throws {
    let store = try warmWriter()
    let count = request.size(of: workload_updates)
    var objects = try store.find(ids: (0..<count).map { T.id(2 * $0 + 1) })
    let isPartial = request.workload == "w7p"
    for index in objects.indices {
      let sample = Sample(request.rows + index)
      if isPartial {
        try objects[index].takePart(of: sample)
      } else {
        try objects[index].take(sample)
      }
    }
    try request.measure(count) {
      if isPartial {
        try store.update(contentsOf: objects, only: "age", "score")
      } else {
        try store.update(contentsOf: objects)
      }
      return objects.count
    }
  }

  func insertPets() throws {
    let vault = try vault()
    let owners = request.size(of: workload_owners)
    let store = try vault.store(of: Pet.self)
    let pets = pets(of: owners)
    try request.measure(pets.count) {
      try store.insert(contentsOf: pets).reduce(0) { $0 + Int($1) }
    }
  }

  private func pets(of owners: Int) -> [Pet] {
    (0..<owners * 4).map { Pet(name: Sample.pet($0), owner: Ref(id: Int64($0 / 4 + 1))) }
  }

  func remove() throws {
    let vault = try vault()
    let owners = request.size(of: workload_owners)
    let pets = try vault.store(of: Pet.self)
    try pets.insert(contentsOf: self.pets(of: owners))
    let store = try T.store(in: vault)
    let before = try (store.count(), pets.count())
    try request.measure(owners) {
      try store.remove(ids: (1...owners).map(T.id))
      return 0
    } check: {
      try before.0 - store.count() + before.1 - pets.count()
    }
  }

  func owned() throws {
    let store = try vault().store(of: Keeper.self)
    let keepers = (0..<request.size(of: workload_owners)).map { number in
      let sample = Sample(number)
      return Keeper(name: sample.name, toys: (0..<4).map { _ in Toy(name: sample.email) })
    }
    try request.measure(keepers.count) {
      try store.insert(contentsOf: keepers)
      return try store.all().reduce(0) { $0 + ($1.toys?.count ?? 0) }
    }
  }
}
