/// The database of a store, with its handle.
///
/// A store refers to one object of a known class instead of an existential, which queries would
/// copy more slowly together with the store.
@usableFromInline
final class DatabaseLink: Sendable {
  let database: any Database
  @usableFromInline let handle: DatabaseHandle

  init(_ database: any Database) {
    self.database = database
    handle = database.handle
  }
}
