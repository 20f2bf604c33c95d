import ObjectVaultConformance
import TestSupport
import Testing

/// The same requests, asked of the library in this process and of the program behind the protocol.
@Suite("Operations of the library's testee") struct TesteeOperationTests {
  static let person = #"""
    {"Person":{"properties":{"name":"String","age":"Int","note":"String?"},
    "indexes":[{"properties":["name"],"unique":true}]}}
    """#

  /// A vault with Li (1) and Bo (2).
  static func withPeople(_ kind: Exchange.Kind) throws -> Exchange {
    let exchange = try Exchange(kind, classes: person)
    try exchange.expect("open")
    try exchange.expect(
      "insertMany",
      #"{"class":"Person","objects":[{"name":"Li","age":20},{"name":"Bo","age":7,"note":""}]}"#,
      #"{"returns":[1,2]}"#)
    return exchange
  }

  @Test(
    "Handles are opened, closed, removed, and tell what happened to them",
    arguments: Exchange.Kind.allCases)
  func handles(_ kind: Exchange.Kind) throws {
    let exchange = try Exchange(kind, classes: Self.person)
    try exchange.expect("open", #"{"create":"never"}"#, fails: "noSuchFile")
    try exchange.expect("cipher", "{}", fails: "internalError")
    try exchange.expect("open", #"{"cipherFormat":"portable"}"#)
    try exchange.expect("cipher", "{}", #"{"returns":{"format":3,"pageSize":4096}}"#)
    try exchange.expect("open", #"{"handle":"b","lazily":true,"key":{"passphrase":"wrong"}}"#)
    try exchange.expect("cipher", #"{"handle":"b"}"#, fails: "wrongKey")
    try exchange.expect("store", #"{"class":"Person"}"#)
    try exchange.expect("classes", "{}", #"{"returns":{"described":["Person"],"other":[]}}"#)
    try exchange.expect("removeStore", #"{"class":"Person"}"#)
    try exchange.expect("count", #"{"class":"Person"}"#, fails: "invalidated")
    try exchange.expect("close")
    try exchange.expect("count", #"{"class":"Person"}"#, fails: "closed")
    try exchange.expect(
      "events", "{}", #"{"returns":["storeRemoved Person","closed"]}"#)
    try exchange.expect("events", "{}", #"{"returns":[]}"#)
    try exchange.expect("removeVault", #"{"path":"main.vault"}"#)
    try exchange.expect("removeVault", #"{"path":"main.vault"}"#, fails: "noSuchFile")
    try exchange.expect("events", #"{"handle":"b"}"#, #"{"returns":["removed"]}"#)
    try exchange.expect("events", #"{"handle":"never opened"}"#, #"{"returns":[]}"#)
  }

  @Test(
    "A handle that another of its name takes the place of is let go",
    arguments: Exchange.Kind.allCases)
  func handleTaken(_ kind: Exchange.Kind) throws {
    let exchange = try Self.withPeople(kind)
    try exchange.expect("open", #"{"readOnly":true}"#)
    try exchange.expect("events", "{}", #"{"returns":["closed"]}"#)
    try exchange.expect("count", #"{"class":"Person"}"#, #"{"returns":2}"#)
    try exchange.expect("removeAll", #"{"class":"Person"}"#, fails: "readOnly")
    try exchange.expect("removeVault", #"{"handle":"main"}"#)
    try exchange.expect("events", "{}", #"{"returns":["removed"]}"#)
  }

  @Test("Keys are raw or passphrases, of text or bytes", arguments: Exchange.Kind.allCases)
  func keys(_ kind: Exchange.Kind) throws {
    let exchange = try Exchange(kind)
    let digits = (1...32).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    try exchange.expect("open")
    try exchange.expect("open", #"{"handle":"b","key":{"raw":"\#(digits)"}}"#)
    try exchange.expect("open", #"{"handle":"b","key":{"raw":"0102"}}"#, fails: "invalidKey")
    try exchange.expect("open", #"{"handle":"b","key":{"passphrase":""}}"#, fails: "noKey")
    try exchange.expect("open", #"{"path":"other.vault","key":{"passphrase":"ab"}}"#)
    try exchange.expect("close")
    try exchange.expect(
      "open", #"{"path":"other.vault","key":{"passphrase":{"data":"YWI="}}}"#)
    try exchange.expect("close")
    try exchange.expect("open", #"{"path":"other.vault"}"#, fails: "wrongKey")
    let longKeyFile = String(repeating: "AAAA", count: (64 << 10) / 3 + 1)
    try exchange.expect(
      "open", #"{"path":"k.vault","key":{"keyring":{"keyFile":{"data":"\#(longKeyFile)"}}}}"#,
      fails: "internalError")
    try exchange.expect("open", #"{"path":""}"#, fails: "invalidArgument")
    try exchange.expect("open", #"{"path":"f/x.vault"}"#, fails: "cannotOpen")
    try exchange.expect("open", #"{"busyTimeout":{"double":"-0.5"}}"#, fails: "invalidArgument")
  }

  @Test("A vault gets another key", arguments: Exchange.Kind.allCases)
  func rekey(_ kind: Exchange.Kind) throws {
    let exchange = try Self.withPeople(kind)
    let rekey = #"{"key":{"passphrase":"new"}}"#
    try exchange.expect("rekey", #"{"key":{"passphrase":""}}"#, fails: "noKey")
    try exchange.expect("rekey", rekey)
    try exchange.expect("count", #"{"class":"Person"}"#, #"{"returns":2}"#)
    try exchange.expect("close")
    try exchange.expect("open", fails: "wrongKey")
    try exchange.expect("open", rekey)
    try exchange.expect("count", #"{"class":"Person"}"#, #"{"returns":2}"#)
  }

  @Test("Stores are made anew, also of what the file describes", arguments: Exchange.Kind.allCases)
  func stores(_ kind: Exchange.Kind) throws {
    let exchange = try Exchange(
      kind,
      classes: #"""
        {"Old":{"name":"Item","table":"items","properties":{"name":"String"}},
        "New":{"name":"Item","table":"items","properties":{"name":"Int"}},
        "Absent":{"properties":{"name":"String"}},
        "Wrong":{"table":"sqlite_x","properties":{"name":"String"}}}
        """#)
    try exchange.expect("open")
    try exchange.expect("store", #"{"class":"Old","from":"file"}"#, fails: "noSuchClass")
    try exchange.expect("store", #"{"class":"Old"}"#)
    try exchange.expect(
      "insert", #"{"class":"Old","object":{"name":"a"}}"#,
      #"{"returns":{"objectID":1,"name":"a"}}"#)
    try exchange.expect("store", #"{"class":"New"}"#, fails: "upgradeRefused")
    try exchange.expect("store", #"{"class":"New","from":"file"}"#)
    try exchange.expect(
      "insert", #"{"class":"New","object":{"name":"a"}}"#,
      #"{"returns":{"objectID":2,"name":"a"}}"#)
    try exchange.expect("count", #"{"class":"Old"}"#, #"{"returns":2}"#)
    try exchange.expect("store", #"{"class":"items","from":"file"}"#)
    try exchange.expect("count", #"{"class":"items"}"#, #"{"returns":2}"#)
    try exchange.expect("store", #"{"class":"Wrong"}"#, fails: "invalidClass")
    try exchange.expect("store", #"{"class":"Undeclared"}"#, fails: "internalError")
    try exchange.expect("removeStore", #"{"class":"Absent"}"#, fails: "noSuchClass")
    try exchange.expect("removeStore", #"{"class":"Old"}"#)
    try exchange.expect("count", #"{"class":"Old"}"#, fails: "invalidated")
    try exchange.expect("store", #"{"class":"Old"}"#)
    try exchange.expect("count", #"{"class":"Old"}"#, #"{"returns":0}"#)
  }

  @Test("Objects are written, one and many", arguments: Exchange.Kind.allCases)
  func writing(_ kind: Exchange.Kind) throws {
    let exchange = try Self.withPeople(kind)
    func person(_ rest: String) -> String { #"{"class":"Person",\#(rest)}"# }
    try exchange.expect(
      "insert", person(#""object":{"name":"Ann","age":30}"#),
      #"{"returns":{"objectID":3,"name":"Ann","age":30,"note":{"nil":true}}}"#)
    try exchange.expect("insert", person(#""object":{"name":"Ann","age":1}"#), fails: "duplicate")
    try exchange.expect("insert", person(#""object":{"name":"X"}"#), fails: "invalidValue")
    try exchange.expect("insert", person(#""object":{"height":1}"#), fails: "noSuchProperty")
    try exchange.expect(
      "insert", person(#""object":{"name":"X","age":{"list":[1]}}"#), fails: "invalidValue")
    try exchange.expect(
      "replace", person(#""object":{"objectID":3,"name":"Ann","age":31}"#),
      #"{"returns":{"objectID":3,"name":"Ann","age":31,"note":{"nil":true}}}"#)
    try exchange.expect(
      "save", person(#""object":{"name":"Cy","age":1}"#),
      #"{"returns":{"objectID":4,"name":"Cy","age":1,"note":{"nil":true}}}"#)
    try exchange.expect(
      "saveMany", person(#""objects":[{"objectID":4,"name":"Cy","age":2},{"name":"Di","age":3}]"#),
      #"{"returns":[4,5]}"#)
    try exchange.expect("update", person(#""object":{"objectID":5,"name":"Di","age":4}"#))
    try exchange.expect(
      "update", person(#""object":{"objectID":5,"name":"Ed","age":9},"only":["name"]"#))
    try exchange.expect(
      "find", person(#""id":5"#),
      #"{"returns":{"objectID":5,"name":"Ed","age":4,"note":{"nil":true}}}"#)
    try exchange.expect(
      "update", person(#""object":{"objectID":5},"only":["agee"]"#), fails: "noSuchProperty")
    try exchange.expect("update", person(#""object":{"name":"X","age":1}"#), fails: "noObjectID")
    try exchange.expect(
      "updateMany", person(#""objects":[{"objectID":9,"name":"X","age":1}]"#),
      fails: "noSuchObject")
    try exchange.expect("changeID", person(#""id":5,"to":{"int":"9007199254740993"}"#))
    try exchange.expect(
      "contains", person(#""id":{"int":"9007199254740993"}"#), #"{"returns":true}"#)
    try exchange.expect("changeID", person(#""id":5,"to":6"#), fails: "noSuchObject")
    try exchange.expect("remove", person(#""object":{"objectID":1}"#))
    try exchange.expect("removeMany", person(#""objects":[{"objectID":2}]"#))
    try exchange.expect("removeByID", person(#""id":1"#), fails: "noSuchObject")
    try exchange.expect("removeByIDs", person(#""ids":[3]"#))
    try exchange.expect("removeWhere", person(#""where":"age < 3""#), #"{"returns":1}"#)
    try exchange.expect("removeAll", person(#""handle":"main""#), #"{"returns":1}"#)
  }

  @Test("Objects are asked for", arguments: Exchange.Kind.allCases)
  func asking(_ kind: Exchange.Kind) throws {
    let exchange = try Self.withPeople(kind)
    func person(_ rest: String) -> String { #"{"class":"Person"\#(rest)}"# }
    let li = #"{"objectID":1,"name":"Li","age":20,"note":{"nil":true}}"#
    let bo = #"{"objectID":2,"name":"Bo","age":7,"note":""}"#
    try exchange.expect("find", person(#","id":3"#), #"{"returns":{"nil":true}}"#)
    try exchange.expect("findMany", person(#","ids":[2,3,1]"#), #"{"returns":[\#(bo),\#(li)]}"#)
    try exchange.expect("query", person(""), #"{"returns":[\#(li),\#(bo)]}"#)
    try exchange.expect("query", person(#","sort":["age"],"length":1"#), #"{"returns":[\#(bo)]}"#)
    try exchange.expect("ids", person(#","sort":["-name"]"#), #"{"returns":[1,2]}"#)
    try exchange.expect("ids", person(#","sort":["name"],"offset":1"#), #"{"returns":[1]}"#)
    try exchange.expect(
      "first", person(#","where":"age > %@","arguments":[7]"#), #"{"returns":\#(li)}"#)
    try exchange.expect("first", person(#","where":"age > 20""#), #"{"returns":{"nil":true}}"#)
    try exchange.expect(
      "count", person(#","where":"age IN %@","arguments":[{"list":[7,8]}]"#), #"{"returns":1}"#)
    try exchange.expect(
      "exists", person(#","where":"$low <= age","named":{"low":21}"#), #"{"returns":false}"#)
    try exchange.expect(
      "count",
      person(#","where":"age > 0","and":[{"where":"note == %@","arguments":[{"nil":true}]}]"#),
      #"{"returns":1}"#)
    try exchange.expect(
      "values", person(#","properties":["objectID","note"]"#),
      #"{"returns":[[1,{"nil":true}],[2,""]]}"#)
    try exchange.expect(
      "ids", person(#","where":"age > 1 && agee > 3""#), fails: "noSuchProperty", offset: 11)
    try exchange.expect("ids", person(#","where":"age >""#), fails: "invalidCondition", offset: 5)
    try exchange.expect("ids", person(#","sort":["agee"]"#), fails: "noSuchProperty")
    try exchange.expect("ids", person(#","offset":-1"#), fails: "invalidArgument")
    try exchange.expect("values", person(#","properties":[]"#), fails: "invalidArgument")
    try exchange.expect("count", person(#","arguments":[1]"#), fails: "internalError")
    try exchange.expect("open", #"{"handle":"b","regularExpressions":false}"#)
    try exchange.expect(
      "count", person(#","where":"name MATCHES 'L.'""#), #"{"returns":1}"#)
    try exchange.expect(
      "count", person(#","where":"name MATCHES 'L.'","handle":"b""#), fails: "invalidCondition",
      offset: 0)
  }

  @Test("objectIDs are values, or lists of their parts", arguments: Exchange.Kind.allCases)
  func objectIDs(_ kind: Exchange.Kind) throws {
    let exchange = try Exchange(
      kind,
      classes: #"""
        {"Pair":{"properties":{"a":"String","b":"Int","c":"Int?"},"objectID":["b","a"]},
        "Own":{"properties":{"id":"UUID"},"objectID":"id"}}
        """#)
    try exchange.expect("open")
    try exchange.expect(
      "insertMany", #"{"class":"Pair","objects":[{"a":"x","b":1},{"a":"y","b":1}]}"#,
      #"{"returns":[[1,"x"],[1,"y"]]}"#)
    try exchange.expect(
      "find", #"{"class":"Pair","id":[1,"y"]}"#,
      #"{"returns":{"a":"y","b":1,"c":{"nil":true}}}"#)
    try exchange.expect("ids", #"{"class":"Pair","where":"a = 'x'"}"#, #"{"returns":[[1,"x"]]}"#)
    try exchange.expect("find", #"{"class":"Pair","id":[1]}"#, fails: "invalidArgument")
    try exchange.expect("find", #"{"class":"Pair","id":["x",1]}"#, fails: "invalidValue")
    let (lower, upper) = (
      "0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0", "0F1E2D3C-4B5A-6978-8796-A5B4C3D2E1F0"
    )
    try exchange.expect(
      "insert", #"{"class":"Own","object":{"id":{"uuid":"\#(lower)"}}}"#,
      #"{"returns":{"id":{"uuid":"\#(upper)"}}}"#)
    try exchange.expect(
      "contains", #"{"class":"Own","id":{"uuid":"\#(lower)"}}"#, #"{"returns":true}"#)
  }

  @Test(
    "Values of every type come back as what they are, and can be asked for",
    arguments: Exchange.Kind.allCases)
  func types(_ kind: Exchange.Kind) throws {
    let values: [(type: String, value: String)] = [
      ("Bool", "true"), ("Int8", "-128"), ("Int64", #"{"int":"-9223372036854775808"}"#),
      ("UInt64", #"{"int":"9223372036854775807"}"#), ("Double", #"{"double":"0.1"}"#),
      ("Double", #"{"double":"inf"}"#), ("Float", #"{"double":"0.5"}"#),
      ("String", #""\u0000 \"🏝️\" e\u0301""#), ("Character", #""é""#),
      ("Data", #"{"data":"AAEC"}"#), ("Date", #"{"date":"1700000000.25"}"#),
      ("UUID", #"{"uuid":"0F1E2D3C-4B5A-6978-8796-A5B4C3D2E1F0"}"#),
      ("URL", #"{"url":"https://example.org/a?b=c"}"#), ("Decimal", #"{"decimal":"-1.25"}"#),
      ("JSON", #"{"json":"[\"a\",{\"b\":[1,2.5,null,true]},12345678901234567890123]"}"#),
      ("JSON", #"{"json":"{}"}"#),
    ]
    let properties = values.enumerated().map { #""p\#($0)":"\#($1.type)""# }
    let object = values.enumerated().map { #""p\#($0)":\#($1.value)"# }.joined(separator: ",")
    let exchange = try Exchange(
      kind, classes: #"{"All":{"properties":{\#(properties.joined(separator: ","))}}}"#)
    try exchange.expect("open")
    try exchange.expect(
      "insert", #"{"class":"All","object":{\#(object)}}"#,
      #"{"returns":{"objectID":1,\#(object)}}"#)
    for (index, (_, value)) in values.enumerated() {
      try exchange.expect(
        "values",
        #"{"class":"All","properties":["p\#(index)"],"where":"p\#(index) == %@","arguments":[\#(value)]}"#,
        #"{"returns":[[\#(value)]]}"#)
      try exchange.expect(
        "count",
        #"{"class":"All","where":"p\#(index) IN $list","named":{"list":{"list":[\#(value)]}}}"#,
        #"{"returns":1}"#)
    }
    for wrong in [#"{"uuid":"x"}"#, #"{"decimal":"1,5"}"#, #"{"json":"[1"}"#] {
      try exchange.expect(
        "count", #"{"class":"All","where":"p0 == %@","arguments":[\#(wrong)]}"#,
        fails: "invalidValue")
    }
  }
}
