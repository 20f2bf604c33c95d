import ObjectVaultCore
import TestSupport
import Testing

@Suite("Tables named by the plural of their class") struct TableNameTests {
  @Test(
    "have names by one rule, which never changes", .covers("P54"),
    arguments: [
      ("UserModel", "users"), ("fileMeta", "file_metas"), ("Model", "models"),
      ("FileModelModel", "file_models"), ("Remodel", "remodels"), ("modelModel", "models"),
      ("Bus", "buses"), ("box", "boxes"), ("Waltz", "waltzes"), ("Branch", "branches"),
      ("Dish", "dishes"), ("Category", "categories"), ("Boy", "boys"), ("Guy", "guys"),
      ("Y", "ys"), ("Person", "persons"), ("A", "as"),
      ("HTTPServer", "http_servers"), ("URLSessionTask", "url_session_tasks"), ("ABC", "abcs"),
      ("user_Name", "user_names"), ("page2Text", "page2_texts"),
      ("Page2", "page2_list"), ("用户", "用户_list"), ("Straße", "straßes"), ("Café", "café_list"),
      ("ÄpfelKorb", "Äpfel_korbs"), ("_", "__list"),
    ])
  func rule(name: String, table: String) {
    #expect(TableName.plural.table(ofClass: name) == table)
  }

  @Test("are only those that ask for it")
  func literal() {
    let name: TableName = "People"
    #expect(name.table(ofClass: "PersonModel") == "People")
    #expect(TableName("x") != .plural && TableName("x") == "x")
  }

  @Test("are those of classes described by hand, too", .covers("P54"))
  func byHand() throws {
    let test = try TestVault()
    let described = ClassDescription(
      "UserModel", table: TableName.plural.table(ofClass: "UserModel"),
      properties: [PropertyDescription("name", String.self)])
    let users = try test.vault.store(of: described)
    try users.insert(users.object(from: ["name": "Li"]))
    #expect(try test.vault.row("SELECT count(*) AS n FROM users")?.value("n", as: Int.self) == 1)
    #expect(try test.vault.store(named: "UserModel").count() == 1)
  }
}
