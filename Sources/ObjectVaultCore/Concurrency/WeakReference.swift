/// An object that is not kept alive.
///
/// A class: copies of an optional structure with a weak member and an identifier were seen to read
/// memory that was never set (Swift 6.3, unoptimised).
final class WeakReference<Object: AnyObject>: @unchecked Sendable {
  private(set) weak var object: Object?
  /// Names the object also when it has gone.
  let id: ObjectIdentifier

  init(_ object: Object) {
    self.object = object
    id = ObjectIdentifier(object)
  }
}
