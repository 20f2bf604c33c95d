internal import ObjectVaultCore

/// A class of the model-based test, described once for the vault and for the model.
struct ModelClass: Sendable, Hashable {
  struct Property: Sendable, Hashable {
    var name: String
    var type = PropertyType.int64
    var isOptional = false
    var defaultValue: StoredValue?
    var renamedFrom: [String] = []
  }

  struct Reference: Sendable, Hashable {
    var name: String
    /// The ``ModelClass/key`` of the referenced class.
    var target: String
    var rule: DeleteRule
    var isOptional = true
  }

  /// The fixed name of the class in the model, independent of its current table name.
  let key: String
  /// The name of the class and of its table.
  var name: String
  var renamedFrom: [String] = []
  /// The text property that is the objectID; `nil` if the vault generates a number.
  var idProperty: String?
  var properties: [Property]
  var references: [Reference] = []
  var unique: [String] = []
  var indexed: [String] = []
  var search: [String] = []

  init(_ key: String, id: String? = nil, _ properties: [Property], _ references: [Reference] = []) {
    self.key = key
    name = key
    idProperty = id
    self.properties = properties
    self.references = references
  }

  /// The names of the columns that hold values, in order: properties, then references.
  var valueNames: [String] { properties.map(\.name) + references.map(\.name) }

  func isOptional(_ name: String) -> Bool {
    properties.first { $0.name == name }?.isOptional
      ?? references.first { $0.name == name }?.isOptional ?? false
  }

  func reference(_ name: String) -> Reference? { references.first { $0.name == name } }

  /// Returns the class description for the vault.
  func description(among classes: [String: ModelClass]) -> ClassDescription {
    let own = properties.map { property in
      PropertyDescription(
        property.name, type: property.type, isOptional: property.isOptional,
        defaultValue: property.defaultValue, renamedFrom: property.renamedFrom)
    }
    let referring = references.map { reference in
      PropertyDescription(
        reference.name, type: classes[reference.target]?.idProperty == nil ? .int64 : .string,
        isOptional: reference.isOptional)
    }
    return ClassDescription(
      name, properties: own + referring, objectID: idProperty.map { [$0] } ?? [],
      indexes: unique.map { IndexDescription([$0], unique: true) }
        + indexed.map { IndexDescription([$0]) },
      references: references.map { reference in
        let target = classes[reference.target]
        return ReferenceDescription(
          reference.name, target: target?.name ?? reference.target,
          targetColumns: [target?.idProperty ?? ClassDescription.generatedIDColumn],
          onDelete: reference.rule)
      },
      renamedFrom: renamedFrom, search: search.isEmpty ? nil : SearchDescription(search))
  }
}

/// A version of the classes of the model-based test.
///
/// A migration changes it.
struct ModelEdition: Sendable, Hashable {
  enum Note: Sendable, Hashable, CaseIterable { case absent, optional, required }

  var note = Note.absent
  var valueIsText = false
  var labelIsUnique = true
  var nodeSearch = ["text"]
  var leftIsRenamed = false
  var weightIsRenamed = false
  var joinLeftRule = DeleteRule.cascade
  var joinRightRule = DeleteRule.deny
  var lockOwnerRule = DeleteRule.cascade
  var ageIsIndexed = false

  /// Makes one to three random changes.
  mutating func change(_ random: inout SeededGenerator) {
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      switch Int.random(in: 0..<10, using: &random) {
      case 0: note = random.pick(Note.allCases)
      case 1: valueIsText.toggle()
      case 2: labelIsUnique.toggle()
      case 3: nodeSearch = random.pick([[], ["text"], ["label", "text"]])
      case 4: leftIsRenamed.toggle()
      case 5: weightIsRenamed.toggle()
      case 6: joinLeftRule = random.pick(DeleteRule.allCases)
      case 7: joinRightRule = random.pick(DeleteRule.allCases)
      case 8: lockOwnerRule = random.pick(DeleteRule.allCases)
      default: ageIsIndexed.toggle()
      }
    }
  }

  /// The default value of a required note.
  static let defaultNote = StoredValue.text("none")

  /// The classes by key.
  var classes: [String: ModelClass] {
    Dictionary(
      uniqueKeysWithValues: (Self.ownedClasses + dynamicClasses).map { ($0.key, $0) })
  }

  /// The classes with Swift types.
  ///
  /// They are the classes with owned objects: a shelf owns its books, and a book its chapters and
  /// its cover.
  static let ownedClasses = [
    ModelClass("Shelf", id: "code", [.init(name: "code", type: .string), .init(name: "level")]),
    {
      var book = ModelClass(
        "Book",
        [
          .init(name: "title", type: .string),
          .init(name: "blurb", type: .string, isOptional: true), .init(name: "position"),
        ], [.init(name: "shelf", target: "Shelf", rule: .cascade)])
      book.search = ["title", "blurb"]
      return book
    }(),
    ModelClass(
      "Chapter", [.init(name: "pages")],
      [.init(name: "book", target: "Book", rule: .cascade, isOptional: false)]),
    ModelClass(
      "Cover", [.init(name: "color", type: .string)],
      [.init(name: "book", target: "Book", rule: .cascade)]),
  ]

  /// The keys of the classes that are described at run time.
  ///
  /// Each class refers only to itself and to earlier classes, except for the egg of a hen.
  static let dynamicKeys = [
    "Person", "Node", "Left", "Right", "Join", "Lock", "Loan", "Hen", "Egg",
  ]

  private var dynamicClasses: [ModelClass] {
    var person = ModelClass(
      "Person", id: "name",
      [.init(name: "name", type: .string), .init(name: "age", isOptional: true)],
      [
        .init(name: "mentor", target: "Person", rule: .nullify),
        .init(name: "sponsor", target: "Person", rule: .deny),
      ])
    if ageIsIndexed { person.indexed = ["age"] }
    var left = ModelClass(
      "Left", [weight], [.init(name: "node", target: "Node", rule: .cascade, isOptional: false)])
    left.name = leftIsRenamed ? "LeftSide" : "Left"
    left.renamedFrom = [leftIsRenamed ? "Left" : "LeftSide"]
    return [
      person, node, left,
      ModelClass(
        "Right", [.init(name: "weight")], [.init(name: "node", target: "Node", rule: .cascade)]),
      // The lower end of a diamond: by default one side deletes it (cascade), and the other denies
      // the removal.
      ModelClass(
        "Join", [.init(name: "mark")],
        [
          .init(name: "left", target: "Left", rule: joinLeftRule),
          .init(name: "right", target: "Right", rule: joinRightRule),
        ]),
      ModelClass(
        "Lock", [.init(name: "mark")],
        [
          .init(name: "node", target: "Node", rule: .deny),
          .init(name: "right", target: "Right", rule: .cascade),
          .init(name: "owner", target: "Person", rule: lockOwnerRule),
        ]),
      ModelClass(
        "Loan", [.init(name: "days")],
        [
          .init(name: "book", target: "Book", rule: .deny),
          .init(name: "person", target: "Person", rule: .cascade),
        ]),
      // Two classes that refer to each other.
      ModelClass(
        "Hen", [.init(name: "age")], [.init(name: "egg", target: "Egg", rule: .cascade)]),
      ModelClass(
        "Egg", [.init(name: "age")],
        [
          .init(name: "hen", target: "Hen", rule: .cascade),
          .init(name: "rival", target: "Egg", rule: .noAction),
        ]),
    ]
  }

  private var weight: ModelClass.Property {
    weightIsRenamed
      ? .init(name: "mass", renamedFrom: ["weight"]) : .init(name: "weight", renamedFrom: ["mass"])
  }

  private var node: ModelClass {
    var node = ModelClass(
      "Node",
      [
        .init(name: "label", type: .string, isOptional: true),
        .init(name: "value", type: valueIsText ? .string : .int64),
        .init(name: "text", type: .string, isOptional: true),
      ],
      [
        .init(name: "parent", target: "Node", rule: .cascade),
        .init(name: "twin", target: "Node", rule: .nullify),
      ])
    switch note {
    case .absent: break
    case .optional:
      node.properties.append(.init(name: "note", type: .string, isOptional: true))
    case .required:
      node.properties.append(
        .init(name: "note", type: .string, defaultValue: Self.defaultNote))
    }
    if labelIsUnique { node.unique = ["label"] }
    node.search = nodeSearch
    return node
  }
}
