import Foundation
import ObjectVaultConformance
import ObjectVaultConformanceFormat
import ObjectVaultTerminal

/// The folder of fixtures that the command line names.
struct FixtureSource {
  let url: URL
  private let name: String

  init(_ path: String) {
    url = URL(fileURLWithPath: path, isDirectory: true)
    name = PrintableText.escaped(path)
  }

  /// Returns the fixtures in the folder.
  ///
  /// - Throws: ``ToolError``: `.noInput` if the folder has no fixtures; `.badData` with all errors
  ///   if a fixture is invalid.
  func fixtures() throws -> [Fixture] {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder),
      isFolder.boolValue
    else {
      throw ToolError(
        .noInput, "There is no folder '\(name)'. Check the path.")
    }
    guard hasFixtures else {
      throw ToolError(
        .noInput, "There are no fixtures in '\(name)'. Fixtures are its files FOLDER/NAME.yaml.")
    }
    let (fixtures, errors) = FixtureLoader.load(url.path)
    guard errors.isEmpty else { throw refusal(errors) }
    return fixtures
  }

  /// Returns the acceptance list next to the fixtures.
  ///
  /// Checks that it has every row that the fixtures name.
  ///
  /// - Throws: ``ToolError`` `.badData` if the list is missing or invalid, or a fixture names an
  ///   unknown row.
  func acceptanceList(for fixtures: [Fixture]) throws -> AcceptanceList {
    let list: AcceptanceList
    do {
      list = try AcceptanceList(in: url)
    } catch let error as FixtureError {
      throw refusal([error])
    }
    let unknown = list.unknownRows(in: fixtures).map { row, place in
      FixtureError("'covers' names '\(row)', which is not in \(AcceptanceList.fileName)", at: place)
    }
    guard unknown.isEmpty else { throw refusal(unknown) }
    return list
  }

  private var hasFixtures: Bool {
    let manager = FileManager.default
    let folders = (try? manager.contentsOfDirectory(atPath: url.path)) ?? []
    return folders.contains { folder in
      let path = url.appendingPathComponent(folder).path
      return (try? manager.contentsOfDirectory(atPath: path))?
        .contains { $0.hasSuffix(".yaml") && !$0.hasPrefix(".") } == true
    }
  }

  private func refusal(_ errors: [FixtureError]) -> ToolError {
    let lines = errors.map { "\(name)/\(PrintableText.escaped($0.description))" }
    return ToolError(
      .badData,
      "The fixtures are invalid. Correct them first; no case was run.\n"
        + lines.joined(separator: "\n"))
  }
}
