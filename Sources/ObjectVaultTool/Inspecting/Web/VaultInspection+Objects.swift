import ObjectVaultCore

extension VaultInspection {
  /// The numbers of objects on a page.
  private static let pageSizes = 1...200
  /// The length of a cell in a table and of a value of an object, in bytes.
  static let cellLimit = 160
  static let valueLimit = 64 << 10

  /// Returns the objects that a request selects: a class, a condition, search terms and an order.
  ///
  /// An origin (`from`) restricts them to an association of an object.
  func inspected(_ request: InspectionRequest) throws -> InspectedObjects {
    var objects: InspectedObjects
    if let origin = try request.member("from") {
      let object = try found(origin).object
      let name = try origin.text("way")
      guard let way = try ways(from: object).first(where: { $0.name == name }) else {
        throw InspectionFailure(404, "The object has no such association.")
      }
      objects = way.objects
    } else {
      objects = InspectedObjects(try store(request))
    }
    objects.condition = try request.optionalText("condition")
    objects.search = try request.optionalText("search")
    objects.sorts = try request.members("sort").map {
      Sort(property: try $0.text("name"), isAscending: !$0.flag("descending"))
    }
    return objects
  }

  func ways(from object: DynamicObject) throws -> [ObjectNeighbours] {
    try ObjectNeighbours.all(of: object, in: vault, among: vault.classes())
  }

  /// Returns a page of objects.
  ///
  /// The objects are read one at a time, and only the beginnings of their values are retained.
  func objects(_ request: InspectionRequest) throws -> JSONValue {
    let size = try request.number("size", in: Self.pageSizes, default: 50)
    let wanted = try request.number("page", in: 1...Int(Int32.max), default: 1)
    return try vault.read {
      let objects = try inspected(request)
      let query = try objects.query()
      let total = try query.count()
      let pages = max(1, (total + size - 1) / size)
      let page = min(wanted, pages)
      let columns = ObjectColumn.all(of: objects.description)
      var rows: [JSONValue] = []
      let cursor = try query.range(offset: (page - 1) * size, length: size).cursor()
      while let object = try cursor.next() {
        let values = object.allValues
        rows.append(
          .object([
            .init("object", handles.number(of: object).map { .integer($0) } ?? .null),
            .init(
              "cells",
              .array(columns.map { $0.json($0.value(object, values), limit: Self.cellLimit) })),
          ]))
      }
      return .object([
        .init("class", .string(objects.description.table)),
        .init("columns", .array(columns.map(\.header))),
        .init("rows", .array(rows)),
        .init("total", .integer(total)), .init("page", .integer(page)),
        .init("pages", .integer(pages)), .init("size", .integer(size)),
      ])
    }
  }

  /// Returns all properties of an object and its associations.
  func object(_ request: InspectionRequest) throws -> JSONValue {
    try vault.read {
      let (store, object) = try found(request)
      let description = store.classDescription
      let values = object.allValues
      let properties = ObjectColumn.all(of: description).map { column -> JSONValue in
        guard case .object(let header) = column.header else { return column.header }
        let value = column.value(object, values)
        let isFixed =
          column.isGenerated || description.objectIDPositions.contains(column.position)
        return .object(
          header + [
            .init("value", column.json(value, limit: Self.valueLimit)),
            .init("editable", .bool(isWritable && !isFixed && column.isEditable(value))),
          ])
      }
      return .object([
        .init("class", .string(description.table)),
        .init("properties", .array(properties)),
        .init("ways", .array(try ways(from: object).map(way))),
      ])
    }
  }

  /// Returns an association: the object of a reference, or the number of objects at the other end.
  private func way(_ way: ObjectNeighbours) throws -> JSONValue {
    let query = try way.objects.query()
    var members: [JSONValue.Member] = [
      .init("name", .string(way.name)), .init("class", .string(way.objects.description.table)),
    ]
    if way.isReference {
      let number = try query.first().flatMap(handles.number)
      members.append(.init("object", number.map { .integer($0) } ?? .null))
    } else {
      members.append(.init("count", .integer(try query.count())))
    }
    return .object(members)
  }
}
