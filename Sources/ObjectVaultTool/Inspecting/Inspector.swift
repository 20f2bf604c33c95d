import ObjectVaultTerminal
import ObjectVaultCore

/// The navigation of a user through a vault: from class to class, page to page, object to object.
final class Inspector {
  private let vault: Vault
  private let output: any ByteOutput
  private let lineWidth: Int?
  /// The visited objects, the latest last.
  private var visited: [InspectedObjects] = []
  private var pageSize = 20

  /// Creates an inspector.
  ///
  /// `lineWidth` is the width of the terminal in columns, or `nil` without a terminal.
  init(_ vault: Vault, to output: any ByteOutput, lineWidth: Int?) {
    self.vault = vault
    self.output = output
    self.lineWidth = lineWidth
  }

  /// The text before the user's input.
  var prompt: String {
    guard let current = visited.last else { return "> " }
    return "\(PrintableText.escaped(current.description.name)) \(current.page)> "
  }

  /// Performs a command.
  ///
  /// Returns whether the inspection continues.
  func perform(_ command: InspectorCommand) throws -> Bool {
    switch command {
    case .help: try output.write(InspectorCommand.summary)
    case .classes: try listClasses()
    case .list(let className, let condition):
      var objects = InspectedObjects(try vault.store(named: className))
      objects.condition = condition
      try visit(objects)
    case .filter(let condition):
      try change {
        $0.condition = condition
        $0.page = 1
      }
    case .search(let words):
      try change {
        $0.search = words
        $0.page = 1
      }
    case .sort(let keys):
      let sorts = try QueryCommand.sorts(keys.map { [$0] } ?? [], of: current().description)
      try change {
        $0.sorts = sorts
        $0.page = 1
      }
    case .next: try change { $0.page += 1 }
    case .previous: try change { $0.page = max(1, $0.page - 1) }
    case .page(let number): try change { $0.page = number }
    case .size(let size):
      guard size <= Self.largestPage else {
        throw ToolError(.usage, "A page has at most \(Self.largestPage) objects.")
      }
      pageSize = size
      if !visited.isEmpty { try change { $0.page = 1 } }
    case .show(let number): try show(number)
    case .follow(let number, let name): try follow(name, from: number)
    case .back: try goBack()
    case .count: try output.write("\(counted(try current().query().count(), "object"))\n")
    case .explain:
      for line in "\(try current().query().explain())".split(separator: "\n") {
        try output.write(PrintableText.escaped(String(line)) + "\n")
      }
    case .quit: return false
    }
    return true
  }

  private static let largestPage = 1000

  private func current() throws -> InspectedObjects {
    guard let current = visited.last else {
      throw ToolError(.usage, "No class is selected. Select one with 'list CLASS'.")
    }
    return current
  }

  // MARK: Pages

  private func visit(_ objects: InspectedObjects) throws {
    let new = try shown(objects)
    // The list that is left is read again when the user returns to it.
    if !visited.isEmpty { visited[visited.count - 1].shown = [] }
    visited.append(new)
  }

  /// Shows other objects of the same class.
  ///
  /// If that fails, the current state is unchanged.
  private func change(_ body: (inout InspectedObjects) -> Void) throws {
    var objects = try current()
    body(&objects)
    visited[visited.count - 1] = try shown(objects)
  }

  private func goBack() throws {
    guard visited.count > 1 else { throw ToolError(.usage, "There is no earlier list.") }
    let former = try shown(visited[visited.count - 2])
    visited.removeLast(2)
    visited.append(former)
  }

  /// Shows the page of objects, which are read one at a time.
  private func shown(_ objects: InspectedObjects) throws -> InspectedObjects {
    var objects = objects
    objects.shown = []
    let (first, overflows) = (objects.page - 1).multipliedReportingOverflow(by: pageSize)
    try vault.read {
      let query = try objects.query()
      let total = try query.count()
      let pages = (total + pageSize - 1) / pageSize
      guard !overflows, objects.page <= max(1, pages) else {
        throw ToolError(.usage, "Page \(pages) is the last one.")
      }
      if total > 0 {
        let columns = ObjectColumn.all(of: objects.description)
        let table = TextTable(
          [.init(title: "#", alignment: .right)] + columns.map(\.tableColumn), to: output,
          lineWidth: lineWidth)
        let cursor = try query.range(offset: first, length: pageSize).cursor()
        while let object = try cursor.next() {
          objects.shown.append(object.storedObjectID)
          let values = object.allValues
          try table.add(
            ["\(objects.shown.count)"] + columns.map { $0.cell($0.value(object, values)) })
        }
        try table.finish()
      }
      let place = pages > 1 ? ", page \(objects.page) of \(pages)" : ""
      try output.write("\(counted(total, "object"))\(place)\n")
    }
    return objects
  }

  private func listClasses() throws {
    let table = TextTable(
      [.init(title: "class", alignment: .left), .init(title: "objects", alignment: .right)],
      to: output, lineWidth: lineWidth)
    try vault.read {
      for description in try vault.classes() {
        try table.add([description.name, "\(try vault.presentStore(of: description).count())"])
      }
    }
    try table.finish()
  }

  // MARK: Objects

  /// Shows all properties of an object, one per line, and the number of objects related to it.
  private func show(_ number: Int) throws {
    try vault.read {
      let object = try current().object(number)
      let values = object.allValues
      for column in ObjectColumn.all(of: object.classDescription) {
        let value = column.value(object, values)
        try output.write(
          "\(PrintableText.escaped(column.name)): "
            + (value.isNull ? "nil" : PrintableText.escaped(column.cell(value))) + "\n")
      }
      for way in try ways(from: object) {
        let count = way.isReference ? nil : try way.objects.query().count()
        try output.write(
          PrintableText.escaped(
            "\(way.isReference ? "->" : "<-") \(way.name): "
              + (count.map { counted($0, "object") } ?? way.objects.description.name)) + "\n")
      }
    }
  }

  private func follow(_ name: String, from number: Int) throws {
    let ways = try vault.read { try self.ways(from: current().object(number)) }
    guard let way = ways.first(where: { $0.name == name }) else {
      let names = ways.map { "'\($0.name)'" }.joined(separator: ", ")
      throw ToolError(
        .usage,
        "The object has no association '\(name)'. "
          + (names.isEmpty ? "It has none." : "It has \(names)."))
    }
    try visit(way.objects)
  }

  private func ways(from object: DynamicObject) throws -> [ObjectNeighbours] {
    try ObjectNeighbours.all(of: object, in: vault, among: vault.classes())
  }
}
