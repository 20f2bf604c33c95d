/// A weak reference to an object.
///
/// It is a class because copies of an optional structure with a weak member and an identifier were
/// seen to read uninitialised memory (Swift 6.3, unoptimised).
package final class WeakReference<Object: AnyObject>: @unchecked Sendable {
  package private(set) weak var object: Object?
  /// The identifier of the object, also valid after its deallocation.
  package let id: ObjectIdentifier

  package init(_ object: Object) {
    self.object = object
    id = ObjectIdentifier(object)
  }
}
