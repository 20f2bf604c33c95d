import ObjectVaultCore
import Synchronization

/// Numbers for objects, which a page uses in place of object IDs.
///
/// So a URL or the history of a browser never contains a stored value. The oldest numbers are
/// dropped.
final class ObjectHandles: Sendable {
  /// An object: its table and its object ID.
  struct Key: Hashable, Sendable {
    var table: String
    var id: DynamicObjectID
  }

  private struct State {
    var keys: [Int: Key] = [:]
    var numbers: [Key: Int] = [:]
    var last = 0
  }

  private let state = Mutex(State())
  private let capacity: Int

  init(capacity: Int = 5_000) { self.capacity = capacity }

  /// Returns the number of an object, or `nil` if it has no object ID.
  func number(of object: DynamicObject) -> Int? {
    guard let id = object.storedObjectID else { return nil }
    let key = Key(table: object.classDescription.table, id: id)
    return state.withLock { state in
      if let number = state.numbers[key] { return number }
      state.last += 1
      state.keys[state.last] = key
      state.numbers[key] = state.last
      if let dropped = state.keys.removeValue(forKey: state.last - capacity) {
        state.numbers[dropped] = nil
      }
      return state.last
    }
  }

  /// Returns the object with a number, or `nil` if the number is unknown.
  func key(_ number: Int) -> Key? { state.withLock { $0.keys[number] } }
}
