/// The form of a value at some position in a fixture or in the protocol.
///
/// The form decides how a mapping is read. If an object is expected, `{text: a}` has a property
/// `text`. Elsewhere it is a tagged text.
package indirect enum FixtureForm: Sendable, Hashable {
  /// A value of a property.
  case value
  /// Text only.
  case text
  /// One of these words.
  case word([String])
  case bool
  /// A whole number.
  case integer
  /// A whole number or a tagged double.
  case number
  /// Bytes: `{data: …}`, or text that is encoded as UTF-8.
  case bytes
  /// An object of a class: names and values.
  case object
  /// A mapping of names to values of one form.
  case named(FixtureForm)
  /// A mapping with these fields.
  case record([Field])
  case list(FixtureForm)
  /// An objectID: a value, or a list of values.
  case objectID
  /// A key: `{raw: …}`, `{passphrase: …}` or `{keyring: …, at: …}`.
  case key
  /// The key of a slot of a keyring: `{passphrase: …}`, `{recoveryCode: …}`, `{keyFile: …}` or
  /// `{raw: …}`.
  ///
  /// With `slot`, it opens only the slot with that name.
  case slotKey
  /// The nested steps of a step.
  case steps
  /// An object, or `{nil: true}`.
  case objectOrNil

  /// A field of a record, or an argument of an operation.
  package struct Field: Sendable, Hashable {
    package var name: String
    package var form: FixtureForm
    package var isRequired: Bool

    package static func required(_ name: String, _ form: FixtureForm) -> Field {
      Field(name: name, form: form, isRequired: true)
    }

    package static func optional(_ name: String, _ form: FixtureForm) -> Field {
      Field(name: name, form: form, isRequired: false)
    }
  }
}
