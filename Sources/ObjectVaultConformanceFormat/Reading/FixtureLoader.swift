import Foundation

/// A loader of all fixtures of a folder: exactly the files FOLDER/NAME.yaml in it.
package enum FixtureLoader {
  /// Returns the fixtures, sorted by path, and all errors in them.
  ///
  /// Do not run any fixture if there are errors.
  package static func load(_ folder: String) -> ([Fixture], [FixtureError]) {
    let manager = FileManager.default
    var fixtures: [Fixture] = []
    var errors: [FixtureError] = []
    do {
      for inner in try manager.contentsOfDirectory(atPath: folder).sorted() {
        let path = "\(folder)/\(inner)"
        var isDirectory: ObjCBool = false
        let isFolder =
          manager.fileExists(atPath: path, isDirectory: &isDirectory) && isDirectory.boolValue
        guard isFolder, !inner.hasPrefix(".") else { continue }
        for name in try manager.contentsOfDirectory(atPath: path).sorted()
        where name.hasSuffix(".yaml") && !name.hasPrefix(".") {
          let (fixture, found) = read("\(path)/\(name)", as: "\(inner)/\(name)")
          if let fixture { fixtures.append(fixture) }
          errors += found
        }
      }
    } catch {
      let reason = error.localizedDescription
      errors.append(
        FixtureError(
          "the folder cannot be read: \(reason)", at: SourcePlace(path: folder, line: 1)))
      return (fixtures, errors)
    }
    if fixtures.isEmpty, errors.isEmpty {
      errors.append(
        FixtureError(
          "there are no fixtures here: add files named FOLDER/NAME.yaml",
          at: SourcePlace(path: folder, line: 1)))
    }
    return (fixtures, errors)
  }

  private static func read(
    _ file: String, as path: String
  ) -> (Fixture?, [FixtureError]) {
    func failure(_ message: String) -> (Fixture?, [FixtureError]) {
      (nil, [FixtureError(message, at: SourcePlace(path: path, line: 1))])
    }
    guard let data = FileManager.default.contents(atPath: file) else {
      return failure("the file cannot be read: check its type and its permissions")
    }
    guard let text = String(validating: data, as: UTF8.self) else {
      return failure("the file is not UTF-8: convert it")
    }
    return FixtureReader.read(text, path: path)
  }
}
