/// The result of a query after a change, and how it differs from the one before.
///
/// Positions of objects that were removed or moved away are those in the former result, all others
/// those in the present one. To follow a change in a list, ``apply(to:with:)``.
public struct QueryChange<T: VaultObject> {
  /// An object by its place in a result.
  public struct Place: Hashable, Sendable {
    /// The object's ID.
    public var id: T.ObjectIDType
    /// Where it is, from 0.
    public var position: Int
  }

  /// An object that has another place among those that were there before.
  public struct Move: Hashable, Sendable {
    /// The object's ID.
    public var id: T.ObjectIDType
    /// Where it was in the former result.
    public var from: Int
    /// Where it is in the present one.
    public var to: Int
  }

  /// The objects as they are now.
  public internal(set) var objects: [T]
  /// Whether this is the first result, before which there was none: every object is inserted.
  public internal(set) var isInitial: Bool
  /// The objects that were not there before, in order.
  public internal(set) var inserted: [Place] = []
  /// The objects that are not there any more, in their former order.
  public internal(set) var removed: [Place] = []
  /// The fewest objects by whose moves the others keep their order, in the present order.
  public internal(set) var moved: [Move] = []
  /// The objects that were there before with another content, or with other owned objects, in order;
  /// those among them that moved too.
  public internal(set) var changed: [Place] = []

  /// Brings a list with an item for each object of the former result to the present one.
  ///
  /// What is gone or moved away is taken out from behind, then what is new or moved here is put in from
  /// the front, and at last what has changed is made anew.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - item: Makes the item of an object.
  /// - Precondition: The list has as many items as the former result had objects.
  public func apply<Item>(
    to list: inout [Item], with item: (T) throws -> Item
  ) rethrows {
    var movedItems: [Int: Item] = [:]
    let movesByOrigin = Dictionary(
      moved.map { ($0.from, $0.to) }, uniquingKeysWith: { first, _ in first })
    let leaving = (removed.map(\.position) + moved.map(\.from)).sorted(by: >)
    for position in leaving {
      let taken = list.remove(at: position)
      if let destination = movesByOrigin[position] { movedItems[destination] = taken }
    }
    let arriving = (inserted.map(\.position) + moved.map(\.to)).sorted()
    for position in arriving {
      list.insert(try movedItems[position] ?? item(objects[position]), at: position)
    }
    for place in changed { list[place.position] = try item(objects[place.position]) }
  }
}

extension QueryChange: Sendable where T: Sendable {}
