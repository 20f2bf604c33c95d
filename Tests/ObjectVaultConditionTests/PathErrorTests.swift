import ObjectVaultCondition
import TestSupport
import Testing

private func expectError(
  _ text: String, on kind: SchoolSchema.Kind = .student, with arguments: [ConditionArgument] = [],
  _ code: ConditionError.Code, _ offset: Int?, _ message: String,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let checker = ConditionChecker(schema: SchoolSchema(kind: kind), folding: testFolding)
  let error = #expect(throws: ConditionError.self, sourceLocation: sourceLocation) {
    try checker.resolve(try Condition.parse(text), arguments: arguments, text: text)
  }
  #expect(error?.code == code, sourceLocation: sourceLocation)
  #expect(error?.offset == offset, sourceLocation: sourceLocation)
  #expect(error?.message == message, sourceLocation: sourceLocation)
}

@Suite("A path that does not fit the classes", .covers("S39")) struct PathErrorTests {
  @Test(
    "names the class and the name that was probably meant, at its place",
    arguments: [
      ("room.flor == 1", 5, "Room has no property 'flor'. Did you mean 'floor'?"),
      ("rom.floor == 1", 0, "Student has no property 'rom'. Did you mean 'room'?"),
      ("age == 1 && room.sie.code == 1", 17, "Room has no property 'sie'. Did you mean 'site'?"),
      (
        "friend.admirer.@count == 1", 7,
        "Student has no property 'admirer'. Did you mean 'admirers'?"
      ),
      (
        "1 == room.site.x", 15,
        "Site has no property 'x'. Use one of its properties: 'country', 'code', 'budget', 'rooms'."
      ),
      ("ANY room.students.agge < 1", 18, "Student has no property 'agge'. Did you mean 'age'?"),
    ])
  func unknownNames(text: String, offset: Int, message: String) {
    expectError(text, .unknownProperty, offset, message)
  }

  @Test("is named from outside in the parentheses behind a quantifier") func insideAQuantifier() {
    expectError(
      "ANY students (agge > 5)", on: .room, .unknownProperty, 14,
      "Room has no property 'agge'. Use one of its properties: 'name', 'floor', 'open', 'site_country', "
        + "'site_code', 'site', 'teacher', 'students'.")
    expectError(
      "ANY students (age > 5)", on: .room, .unknownProperty, 14,
      "Room has no property 'age'. In these parentheses, write 'students.age' for the property of "
        + "the quantified object.")
  }

  @Test("crosses nothing but associations") func onlyAssociations() {
    expectError(
      "room.floor.x == 1", .notAnAssociation, 5,
      "'floor' has type Int and is not an association. Write a path that ends at it.")
    expectError(
      "room.floor.@count == 1", .notAnAssociation, 5,
      "'floor' has type Int and is not an association. Use '@count' with an association.")
    expectError(
      "admirers.age.@count == 1", .notAnAssociation, 9,
      "'age' has type Int and is not an association. Use '@count' with an association.")
  }

  @Test(
    "leads to one value", arguments: ["==", "<", "IN", "BETWEEN", "LIKE"])
  func manyObjects(op: String) {
    let right = op == "IN" || op == "BETWEEN" ? "{1, 2}" : "1"
    expectError(
      "room.students.age \(op) \(right)", .manyObjects, 0,
      "'room.students.age' leads to many objects. Query them with ANY, ALL or NONE on the left of "
        + "a comparison, or query one value of all of them, such as 'room.students.@count'.")
  }

  @Test("leads to one value also on the right, in lists and alone") func manyObjectsElsewhere() {
    let message =
      "'admirers.age' leads to many objects. Query them with ANY, ALL or NONE on the left of a "
      + "comparison, or query one value of all of them, such as 'admirers.@count'."
    expectError("age == admirers.age", .manyObjects, 7, message)
    expectError("age IN {1, admirers.age}", .manyObjects, 11, message)
    expectError("ANY admirers.age < admirers.age", .manyObjects, 19, message)
    expectError("admirers.age", .manyObjects, 0, message)
  }

  @Test("names the parts where the objectID of its end has several") func severalParts() {
    expectError(
      "site == 1", on: .room, .typeMismatch, 0,
      "The object ID of 'site' has several parts. Query each part: 'site.country', 'site.code'.")
    expectError(
      "room.site != nil", .typeMismatch, 0,
      "The object ID of 'room.site' has several parts. Query each part: 'room.site.country', "
        + "'room.site.code'."
    )
  }

  @Test("has a quantifier only where it leads to many objects") func quantifiers() {
    expectError(
      "ANY age > 1", .notAnAssociation, 4,
      "'age' is one value of type Int and not an association. Use ANY with a path across an "
        + "association.")
    expectError(
      "ALL room.floor > 1", .notAnAssociation, 4,
      "'room.floor' leads to at most one object. Remove ALL.")
    expectError(
      "NONE admirers.@count > 1", .notAnAssociation, 5,
      "'admirers.@count' is one value of all objects. Remove NONE.")
    expectError(
      "ANY 5 < admirers.age", .typeMismatch, 4,
      "ANY needs a path across an association. Write the name of one.")
  }

  @Test("has an aggregate only where it leads to many objects") func aggregates() {
    expectError(
      "room.@count > 1", .notAnAssociation, 0,
      "'room' leads to at most one object. Use '@count' with a path to many objects.")
    expectError(
      "room.@max.floor > 1", .notAnAssociation, 0,
      "'room' leads to at most one object. Use '@max' with a path to many objects.")
    expectError(
      "age.@min > 1", .notAnAssociation, 0,
      "'age' has type Int and is not an association. Use '@min' with an association.")
    expectError(
      "admirers.@min > 1", .notAnAssociation, 0,
      "'@min' needs a property of the objects. Write 'admirers.@min.name', for example.")
  }

  @Test("has an aggregate that its values allow") func valuesOfAggregates() {
    expectError(
      "admirers.@sum.name > 1", .unsupportedOperator, 0,
      "'admirers.@sum.name' calculates with values of type String, but only numbers have sums and "
        + "means. Use another property.")
    expectError(
      "admirers.@avg.born > 1", .unsupportedOperator, 0,
      "'admirers.@avg.born' calculates with values of type Date, but only numbers have sums and "
        + "means. Use another property.")
    expectError(
      "admirers.@avg.fee > 1", .unsupportedOperator, 0,
      "'admirers.@avg.fee' is the mean of Decimals, which is not an exact Decimal. Compare their "
        + "@sum."
    )
    expectError(
      "admirers.@max.photo == nil", .unsupportedOperator, 0,
      "'admirers.@max.photo' needs an order, which Data does not have. Use another property.")
    expectError(
      "admirers.@sum.age == fee", .typeMismatch, 21,
      "'admirers.@sum.age' has type Int64 and cannot be compared with 'fee', which has type "
        + "Decimal. Compare properties of matching types.")
  }

  @Test("crosses eight associations at most") func limit() throws {
    let checker = ConditionChecker(schema: SchoolSchema(kind: .student), folding: testFolding)
    let eight = String(repeating: "friend.", count: 8)
    #expect(throws: Never.self) { try checker.resolve(try Condition.parse("\(eight)age == 1")) }
    expectError(
      "\(eight)friend.age == 1", .limit, 56,
      "The path crosses more than 8 associations. Shorten it.")
  }

  @Test("says what its end holds") func types() {
    expectError(
      "room.floor == 'x'", .typeMismatch, 14,
      "'room.floor' has type Int and cannot be compared with a text that is not a number. Pass a "
        + "number.")
    expectError(
      "room.floor", .typeMismatch, 0,
      "'room.floor' has type Int, but only a property of type Bool is a condition by itself. "
        + "Compare it with a value.")
    expectError(
      "ANY admirers.age LIKE 'x'", .unsupportedOperator, 4,
      "'admirers.age' has type Int, but LIKE works only on text. Use another operator.")
    expectError(
      "admirers.@count < nil", .comparisonWithNil, 18,
      "nil has no order: '<' needs a value. Write == nil or != nil.")
  }

  @Test("is spelled as it must in an argument of %K") func arguments() {
    func name(_ text: String) -> [ConditionArgument] { [.value(.text(text), .string)] }
    expectError(
      "%K == 1", with: name("room.flor"), .unknownProperty, 0,
      "Room has no property 'flor'. Did you mean 'floor'?")
    expectError(
      "%K == 1", with: name("admirers.@count.age"), .arguments, 0,
      "Argument 1 has an aggregate at a position where none is allowed. Write one aggregate at the "
        + "end of the path.")
    expectError(
      "ANY %K == 1", with: name("@min.age"), .arguments, 4,
      "Argument 1 has an aggregate at a position where none is allowed. Write one aggregate at the "
        + "end of the path.")
    expectError(
      "%K == 1", with: name("room."), .unknownProperty, 0,
      "Room has no property ''. Use one of its properties: 'name', 'floor', 'open', 'site_country', "
        + "'site_code', 'site', 'teacher', 'students'.")
  }
}
