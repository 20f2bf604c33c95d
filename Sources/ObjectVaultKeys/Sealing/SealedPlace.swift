/// The place of a sealed value in a file, to which the value is bound.
package struct SealedPlace: Sendable {
  let table: String
  let column: String
  /// The encoded parts of the object ID.
  let objectID: [[UInt8]]

  package init(table: String, column: String, objectID: [[UInt8]]) {
    self.table = table
    self.column = column
    self.objectID = objectID
  }

  /// The place for messages, which name no object.
  var description: String { "Column '\(column)' of table '\(table)'" }

  /// Returns the additional data of a value with the given bytes before its nonce.
  func context(header: [UInt8]) -> [UInt8] {
    var context = LengthPrefixed("OVSV")
    context.append(header)
    context.append(table)
    context.append(column)
    context.append(UInt32(objectID.count))
    for part in objectID { context.append(part) }
    return context.bytes
  }
}
