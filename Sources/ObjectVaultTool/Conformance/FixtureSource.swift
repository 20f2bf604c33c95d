import Foundation
import ObjectVaultConformance

/// The folder of fixtures that the command line names.
struct FixtureSource {
  let url: URL
  private let name: String

  init(_ path: String) {
    url = URL(fileURLWithPath: path, isDirectory: true)
    name = PrintableText.escaped(path)
  }

  /// The fixtures.
  ///
  /// - Throws: ``ToolError``: `.noInput` where there are none; `.badData` where one is wrong, with
  ///   all that is wrong.
  func fixtures() throws -> [Fixture] {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder),
      isFolder.boolValue
    else {
      throw ToolError(
        .noInput, "There is no folder '\(name)'. Give the folder that the fixtures are in.")
    }
    guard hasFixtures else {
      throw ToolError(
        .noInput, "There are no fixtures in '\(name)': they are the files FOLDER/NAME.yaml in it.")
    }
    let (fixtures, errors) = FixtureLoader.load(url.path)
    guard errors.isEmpty else { throw refusal(errors) }
    return fixtures
  }

  /// The list of what must hold, beside the fixtures.
  ///
  /// - Throws: ``ToolError`` `.badData` where the list is missing or wrong, or a fixture names a row
  ///   that it does not have.
  func acceptanceList(for fixtures: [Fixture]) throws -> AcceptanceList {
    let list: AcceptanceList
    do {
      list = try AcceptanceList(in: url)
    } catch let error as FixtureError {
      throw refusal([error])
    }
    let unknown = list.unknownRows(in: fixtures).map { row, place in
      FixtureError("'covers' names '\(row)', which \(AcceptanceList.fileName) has not", at: place)
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
      "What is wrong with the fixtures must be mended first; nothing was run.\n"
        + lines.joined(separator: "\n"))
  }
}
