import ObjectVaultConformanceFormat
import ObjectVaultCore

extension LibraryCase {
  func performStoring(
    _ operation: FixtureOperation, _ arguments: RequestArguments, _ store: LibraryStore
  ) throws -> FixtureValue? {
    switch operation {
    case .insert: return store.value(of: try store.objects.insert(object(arguments, store)))
    case .replace: return store.value(of: try store.objects.replace(object(arguments, store)))
    case .save: return store.value(of: try store.objects.save(object(arguments, store)))
    case .insertMany:
      let ids = try store.objects.insert(contentsOf: objects(arguments, store))
      return .list(ids.map(store.value(of:)))
    default:
      let ids = try store.objects.save(contentsOf: objects(arguments, store))
      return .list(ids.map(store.value(of:)))
    }
  }

  func performChanging(
    _ operation: FixtureOperation, _ arguments: RequestArguments, _ store: LibraryStore
  ) throws -> FixtureValue? {
    switch operation {
    case .update:
      let object = try object(arguments, store)
      if let only = try arguments.texts("only") {
        try store.objects.update(object, only: only)
      } else {
        try store.objects.update(object)
      }
    case .updateMany: try store.objects.update(contentsOf: objects(arguments, store))
    case .updateWhere:
      return .integer(Int64(try query(arguments, store).update(set: store.values(arguments))))
    default:
      try store.objects.changeID(
        of: store.id(arguments.required("id")), to: store.id(arguments.required("to")))
    }
    return nil
  }

  func performRemoving(
    _ operation: FixtureOperation, _ arguments: RequestArguments, _ store: LibraryStore
  ) throws -> FixtureValue? {
    switch operation {
    case .remove: try store.objects.remove(object(arguments, store))
    case .removeMany: try store.objects.remove(contentsOf: objects(arguments, store))
    case .removeByID: try store.objects.remove(id: store.id(arguments.required("id")))
    case .removeByIDs: try store.objects.remove(ids: store.ids(arguments.requiredList("ids")))
    case .removeAll: return .integer(Int64(try store.objects.removeAll()))
    default: return .integer(Int64(try query(arguments, store).remove()))
    }
    return nil
  }

  private func object(_ arguments: RequestArguments, _ store: LibraryStore) throws -> DynamicObject
  {
    try store.object(arguments.required("object"))
  }

  private func objects(
    _ arguments: RequestArguments, _ store: LibraryStore
  ) throws -> [DynamicObject] {
    try store.objects(arguments.requiredList("objects"))
  }
}
