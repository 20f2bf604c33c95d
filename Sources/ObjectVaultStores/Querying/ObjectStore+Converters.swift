import ObjectVaultModel

extension ObjectStore {
  /// Returns the converter of a spelled path; `nil` if its values are stored in the default form.
  func converter(named path: String) -> ValueConverter? {
    state.converters?.converter(named: path)
  }
}
