// swift-tools-version: 6.1
import CompilerPluginSupport
import PackageDescription

// The façade and its macros need swift-syntax; everything else builds without it. Setting
// OBJECTVAULT_WITHOUT_MACROS leaves them out, which makes a first build minutes shorter.
let withMacros = Context.environment["OBJECTVAULT_WITHOUT_MACROS"] == nil

// Tests of a macro's implementation run on the host, and SwiftPM then compiles every module that any
// test needs for the host as well: twice as much. The scripts therefore build in two steps:
// OBJECTVAULT_TESTS=library leaves those tests out, OBJECTVAULT_TESTS=macros builds them alone.
// OBJECTVAULT_TESTS=primitives builds those that depend on nothing but the cryptographic library.
let testScope = Context.environment["OBJECTVAULT_TESTS"]

// The engine, SQLCipher: the library of the system (Debian, Homebrew), its static archive linked into
// the program (Debian), or the official package for Apple platforms.
enum Engine: String { case system, `static`, official }

#if os(macOS)
  let standardEngine = Engine.official
#else
  let standardEngine = Engine.system
#endif
let engine: Engine = setting("OBJECTVAULT_ENGINE", default: standardEngine)

// The library of the cryptographic primitives. The official package contains no libcrypto that
// other modules could call.
enum Cryptography: String {
  case openSSL = "openssl"
  case swiftCrypto = "swift-crypto"
}

let cryptography: Cryptography = setting(
  "OBJECTVAULT_CRYPTOGRAPHY", default: engine == .system ? .openSSL : .swiftCrypto)

/// Returns the value of an environment variable, or the default if it is not set.
func setting<Value: RawRepresentable<String>>(
  _ name: String, default standard: Value
) -> Value {
  guard let text = Context.environment[name], !text.isEmpty else { return standard }
  guard let value = Value(rawValue: text) else { fatalError("\(name) has no value '\(text)'.") }
  return value
}

#if !os(macOS)
  if engine == .official {
    fatalError("OBJECTVAULT_ENGINE=official is for Apple platforms. Use system or static.")
  }
#endif

var strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]
// Set by Scripts/check. A flag for our targets alone: given to the whole build it would compile
// every dependency a second time.
if Context.environment["OBJECTVAULT_WARNINGS_AS_ERRORS"] != nil {
  strict.append(.unsafeFlags(["-warnings-as-errors"]))
}

// The modules whose types an application compiles into its own code. The build tool compiles a
// module again only if a module that it names changed, and a module that exports others does not
// change with them. So products and targets that import ObjectVaultCore name its parts, too:
// otherwise they would keep using the former layout of a type.
let parts = [
  "ObjectVaultCondition", "ObjectVaultDriver", "ObjectVaultEngine", "ObjectVaultFile",
  "ObjectVaultKeys", "ObjectVaultMaintenance", "ObjectVaultModel", "ObjectVaultPlatform",
  "ObjectVaultPrimitives", "ObjectVaultSchema", "ObjectVaultSession", "ObjectVaultSQL",
  "ObjectVaultStores",
]
let core = (["ObjectVaultCore"] + parts).map { Target.Dependency(stringLiteral: $0) }

// What the engine's C target depends on, and the libraries that it links.
let engineDependencies: [Target.Dependency]
let engineLibraries: [String]
switch engine {
case .system: (engineDependencies, engineLibraries) = (["CSQLCipherSystem"], ["sqlcipher"])
case .static: (engineDependencies, engineLibraries) = ([], [":libsqlcipher.a", ":libcrypto.a"])
case .official:
  engineDependencies = [.product(name: "SQLCipher", package: "SQLCipher.swift")]
  engineLibraries = []
}

let package = Package(
  name: "ObjectVault",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "ObjectVaultCore", targets: ["ObjectVaultCore"] + parts),
    .library(
      name: "ObjectVaultRecords", targets: ["ObjectVaultRecords", "ObjectVaultCore"] + parts),
    .library(name: "ObjectVaultServer", targets: ["ObjectVaultServer", "ObjectVaultCore"] + parts),
    .executable(name: "objectvault", targets: ["ObjectVaultCommand"]),
    .executable(name: "objectvault-server", targets: ["ObjectVaultServerCommand"]),
    // For the package Inspector, which adds a server to the tool.
    .library(name: "ObjectVaultTool", targets: ["ObjectVaultTool"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.0.0"),
  ],
  targets: [
    // The encrypted SQLite engine: its header, and C functions that Swift cannot express.
    .target(
      name: "CSQLCipher", dependencies: engineDependencies,
      linkerSettings: engineLibraries.map { .linkedLibrary($0) }),
    // The C library, and what the other modules need of a process: its number, memory in pages.
    .target(name: "ObjectVaultPlatform", swiftSettings: strict),
    // Condition text -> syntax tree -> meaning. Pure Swift: no Foundation, no SQLite.
    .target(name: "ObjectVaultCondition", swiftSettings: strict),
    // Rows, statements and errors, which an engine provides to the library; locks.
    .target(
      name: "ObjectVaultDriver",
      dependencies: ["CSQLCipher", "ObjectVaultCondition", "ObjectVaultPlatform"],
      swiftSettings: strict),
    // One SQLCipher connection: open, key, prove, prepare, bind, step, hooks, result codes.
    .target(
      name: "ObjectVaultEngine",
      dependencies: [
        "CSQLCipher", "ObjectVaultCondition", "ObjectVaultDriver", "ObjectVaultPlatform",
      ],
      swiftSettings: strict),
    // Cryptographic primitives, as one of two libraries provides them.
    .target(
      name: "ObjectVaultPrimitives",
      dependencies: cryptography == .openSSL
        ? ["COpenSSL"]
        : [
          .product(name: "Crypto", package: "swift-crypto"),
          .product(name: "CryptoExtras", package: "swift-crypto"),
        ],
      exclude: [cryptography == .openSSL ? "SwiftCrypto" : "OpenSSL"],
      swiftSettings: strict,
      linkerSettings: cryptography == .openSSL
        ? [.linkedLibrary(engine == .static ? ":libcrypto.a" : "crypto")] : []),
    // Secrets, key derivation, key sources, cipher formats, page seals: bytes in, answers out.
    .target(
      name: "ObjectVaultKeys", dependencies: ["ObjectVaultPlatform", "ObjectVaultPrimitives"],
      swiftSettings: strict),
    // The sessions of one database: connections, locks, transactions, executors. No class, no file.
    .target(
      name: "ObjectVaultSession", dependencies: ["ObjectVaultDriver", "ObjectVaultPlatform"],
      swiftSettings: strict),
    // How tables are named after classes, for the macros and the library alike. Pure Swift.
    .target(name: "ObjectVaultNames", swiftSettings: strict),
    // Classes, values, conditions, references, and SQL statements as values. No session, no file.
    .target(
      name: "ObjectVaultModel",
      dependencies: ["ObjectVaultCondition", "ObjectVaultDriver", "ObjectVaultNames"],
      swiftSettings: strict),
    // The tables of a database: its catalogue, their definitions and upgrades, and what features
    // keep in it. Knows SQL, but no store.
    .target(
      name: "ObjectVaultSchema",
      dependencies: [
        "ObjectVaultCondition", "ObjectVaultDriver", "ObjectVaultModel", "ObjectVaultSession",
      ],
      swiftSettings: strict),
    // Tables, stores, queries, observers and SQL, of any database. No engine, no key, no file.
    .target(
      name: "ObjectVaultStores",
      dependencies: [
        "ObjectVaultCondition", "ObjectVaultDriver", "ObjectVaultModel", "ObjectVaultSchema",
        "ObjectVaultSession",
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict),
    // SQL by hand: statements, rows, and clauses as values.
    .target(
      name: "ObjectVaultSQL",
      dependencies: [
        "ObjectVaultCondition", "ObjectVaultDriver", "ObjectVaultModel", "ObjectVaultSchema",
        "ObjectVaultSession", "ObjectVaultStores",
      ],
      swiftSettings: strict),
    // Vault: a database in one encrypted file, and how it is opened.
    .target(
      name: "ObjectVaultFile",
      dependencies: [
        "ObjectVaultCondition", "ObjectVaultDriver", "ObjectVaultEngine", "ObjectVaultKeys",
        "ObjectVaultModel", "ObjectVaultPlatform", "ObjectVaultSchema", "ObjectVaultSession",
        "ObjectVaultStores",
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict),
    // A database on a PostgreSQL server: its driver, its SQL, and how it is opened. It seals values
    // as a file does, and opens no file.
    .target(
      name: "ObjectVaultServer",
      dependencies: [
        "CPostgreSQL", "ObjectVaultCondition", "ObjectVaultDriver", "ObjectVaultFile",
        "ObjectVaultKeys", "ObjectVaultMaintenance", "ObjectVaultModel", "ObjectVaultPlatform",
        "ObjectVaultSchema", "ObjectVaultSession", "ObjectVaultStores",
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict),
    // The tool with shared vaults added, for its commands `send` and `receive`. Neither the tool nor
    // applications without shared vaults link libpq.
    .executableTarget(
      name: "ObjectVaultServerCommand",
      dependencies: core + ["ObjectVaultServer", "ObjectVaultTool"], swiftSettings: strict),
    // The client library of PostgreSQL. Programs that use no server need not have it.
    .systemLibrary(
      name: "CPostgreSQL", pkgConfig: "libpq",
      providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
    // Rekeying, backups, salvage, verification, keyrings: operations on whole files.
    .target(
      name: "ObjectVaultMaintenance",
      dependencies: [
        "ObjectVaultCondition", "ObjectVaultDriver", "ObjectVaultEngine", "ObjectVaultFile",
        "ObjectVaultKeys", "ObjectVaultModel", "ObjectVaultPlatform", "ObjectVaultSchema",
        "ObjectVaultSession", "ObjectVaultStores", .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict),
    // The library without macros: it exports its parts and contains nothing.
    .target(
      name: "ObjectVaultCore",
      dependencies: [
        "ObjectVaultCondition", "ObjectVaultDriver", "ObjectVaultFile", "ObjectVaultKeys",
        "ObjectVaultMaintenance", "ObjectVaultModel", "ObjectVaultSchema", "ObjectVaultSQL",
        "ObjectVaultStores",
      ],
      swiftSettings: strict),
    // Vaults by name with the classes that belong to them, and operations on the object itself.
    .target(
      name: "ObjectVaultRecords", dependencies: core,
      swiftSettings: strict),
    // Text for a terminal: widths, escaping, tables, progress lines. Pure Swift.
    .target(name: "ObjectVaultTerminal", swiftSettings: strict),
    // Fixtures: what a file of them contains, and how it is read. No engine, no vault.
    .target(
      name: "ObjectVaultConformanceFormat",
      dependencies: [
        "ObjectVaultCondition", "ObjectVaultDriver", "ObjectVaultModel",
        .product(name: "Yams", package: "Yams"),
      ],
      swiftSettings: strict),
    // The runner of fixtures, and its reports.
    .target(
      name: "ObjectVaultConformance",
      dependencies: core + ["ObjectVaultConformanceFormat", "ObjectVaultTerminal"],
      swiftSettings: strict),
    // The command-line tool: one file per subcommand.
    .target(
      name: "ObjectVaultTool",
      dependencies: core + [
        "ObjectVaultConformance", "ObjectVaultConformanceFormat", "ObjectVaultTerminal",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: strict),
    // The program `objectvault`: it calls the tool. Neither is named after the program, since file
    // systems that overlook case would mix it with ObjectVault; and tests cannot rely on importing
    // a program.
    .executableTarget(
      name: "ObjectVaultCommand", dependencies: ["ObjectVaultTool"], swiftSettings: strict),
    // The evaluation and the printing of conditions without an engine, for tests alone.
    .target(
      name: "ConditionReference", dependencies: ["ObjectVaultCondition"],
      path: "Tests/ConditionReference", swiftSettings: strict),
    // What several test targets share: traits, temporary folders, file scans, child processes.
    .target(
      name: "TestSupport",
      dependencies: core + ["ConditionReference"], path: "Tests/TestSupport",
      swiftSettings: strict),
    // A program the tests start as another process: crashes, second writers, stress.
    .executableTarget(
      name: "vaultchild",
      dependencies: core + ["TestSupport"], path: "Tests/vaultchild", swiftSettings: strict),
    // The tool with cheap slots of keyrings, for tests that start it.
    .executableTarget(
      name: "cheap-objectvault", dependencies: ["ObjectVaultKeys", "ObjectVaultTool"],
      path: "Tests/cheap-objectvault", swiftSettings: strict),
    // A program that answers fixtures from a PostgreSQL server.
    .executableTarget(
      name: "servertestee",
      dependencies: core + [
        "ObjectVaultConformance", "ObjectVaultConformanceFormat", "ObjectVaultServer",
      ],
      path: "Tests/servertestee", swiftSettings: strict),
    // A program that tests and scripts start as another process that uses a server.
    .executableTarget(
      name: "serverchild",
      dependencies: core + ["ObjectVaultServer", "TestSupport"], path: "Tests/serverchild",
      swiftSettings: strict),
    .testTarget(
      name: "ObjectVaultConditionTests",
      dependencies: ["ConditionReference", "ObjectVaultCondition", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "ObjectVaultEngineTests",
      dependencies: core + ["CSQLCipher", "TestSupport", "vaultchild"],
      swiftSettings: strict),
    .testTarget(
      name: "ObjectVaultPrimitivesTests", dependencies: ["ObjectVaultPrimitives"],
      swiftSettings: strict),
    .testTarget(
      name: "ObjectVaultKeysTests",
      dependencies: ["ObjectVaultKeys", "ObjectVaultPrimitives", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "ObjectVaultCoreTests",
      dependencies: core + [
        "ConditionReference", "TestSupport", "vaultchild",
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "ObjectVaultRecordsTests", dependencies: core + ["ObjectVaultRecords", "TestSupport"],
      swiftSettings: strict),
    // Processes that are killed while they transfer amounts, and random operations held against a model:
    // short here, for as long as is asked for by Scripts/stress.
    .testTarget(
      name: "StressTests", dependencies: ["TestSupport", "vaultchild"], path: "Tests/Stress",
      swiftSettings: strict),
    // The SQL of another engine, as text: stores do not depend on the one engine that there is.
    .testTarget(
      name: "DialectTests",
      dependencies: [
        "ObjectVaultCondition", "ObjectVaultConformanceFormat", "ObjectVaultDriver",
        "ObjectVaultModel", "ObjectVaultSchema", "ObjectVaultServer", "ObjectVaultStores",
      ],
      path: "Tests/Dialect", exclude: ["PostgreSQL.txt"], swiftSettings: strict),
    // A database on a server, for which Scripts/server starts one.
    .testTarget(
      name: "ServerTests",
      dependencies: core + [
        "CPostgreSQL", "ConditionReference", "ObjectVaultServer", "TestSupport", "serverchild",
      ],
      path: "Tests/Server", exclude: ["Differences.txt"], swiftSettings: strict),
    .testTarget(
      name: "ConformanceTests",
      dependencies: core + [
        "ObjectVaultConformance", "ObjectVaultConformanceFormat", "ObjectVaultCommand",
        "ObjectVaultTerminal", "TestSupport", "cheap-objectvault",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "ToolTests",
      dependencies: core + [
        "ObjectVaultConformance", "ObjectVaultConformanceFormat", "ObjectVaultTool",
        "ObjectVaultCommand", "ObjectVaultTerminal", "TestSupport", "cheap-objectvault",
      ],
      swiftSettings: strict),
  ]
)

if engine == .system {
  // The compiler flags of the installed SQLCipher, wherever it is.
  package.targets.append(
    .systemLibrary(
      name: "CSQLCipherSystem", pkgConfig: "sqlcipher",
      providers: [.apt(["libsqlcipher-dev"]), .brew(["sqlcipher"])]))
}
#if os(macOS)
  if engine == .official {
    package.dependencies.append(
      .package(url: "https://github.com/sqlcipher/SQLCipher.swift", "4.10.0"..<"5.0.0"))
  }
#endif

switch cryptography {
case .openSSL:
  package.targets.append(
    .systemLibrary(
      name: "COpenSSL", pkgConfig: engine == .static ? nil : "libcrypto",
      providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]))
case .swiftCrypto:
  package.dependencies.append(
    .package(url: "https://github.com/apple/swift-crypto", "4.0.0"..<"5.0.0"))
}

let macrosTests = "ObjectVaultMacrosTests"

if withMacros {
  package.products.append(
    .library(name: "ObjectVault", targets: ["ObjectVault", "ObjectVaultCore"] + parts))
  package.dependencies.append(
    .package(url: "https://github.com/swiftlang/swift-syntax", "600.0.1"..<"700.0.0"))
  package.targets += [
    // Compiler plug-in: writes a StoredObject conformance, nothing else.
    .macro(
      name: "ObjectVaultMacros",
      dependencies: [
        "ObjectVaultNames",
        .product(name: "SwiftCompilerPlugin", package: "swift-syntax"),
        .product(name: "SwiftDiagnostics", package: "swift-syntax"),
        .product(name: "SwiftParser", package: "swift-syntax"),
        .product(name: "SwiftSyntax", package: "swift-syntax"),
        .product(name: "SwiftSyntaxBuilder", package: "swift-syntax"),
        .product(name: "SwiftSyntaxMacros", package: "swift-syntax"),
      ],
      swiftSettings: strict),
    // What applications import: Core and the macro declarations.
    .target(
      name: "ObjectVault", dependencies: core + ["ObjectVaultMacros"],
      swiftSettings: strict),
    .testTarget(
      name: macrosTests,
      dependencies: [
        "ObjectVaultMacros",
        .product(name: "SwiftSyntax", package: "swift-syntax"),
        .product(name: "SwiftSyntaxBuilder", package: "swift-syntax"),
        .product(name: "SwiftSyntaxMacroExpansion", package: "swift-syntax"),
        .product(name: "SwiftSyntaxMacrosGenericTestSupport", package: "swift-syntax"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "ObjectVaultTests",
      dependencies: core + ["ObjectVault", "ObjectVaultRecords", "TestSupport"],
      swiftSettings: strict),
  ]
}

// A release build compiles each module as a whole. With the largest module of tests that would
// occupy one processor for five minutes, so the scripts build tests in parts. The parts of tests also
// write the interface of their module: another process would check the expansion of all macros for
// it, half a minute at the end of the build. No module waits for that interface, as others do for
// that of TestSupport.
if testScope != nil {
  let inParts = ["-no-whole-module-optimization", "-enable-batch-mode"]
  for target in package.targets where target.type == .test {
    target.swiftSettings?.append(.unsafeFlags(inParts + ["-no-emit-module-separately"]))
  }
  for target in package.targets where target.name == "TestSupport" {
    target.swiftSettings?.append(.unsafeFlags(inParts))
  }
}

switch testScope {
case "library":
  package.targets.removeAll { $0.name == macrosTests }
  // The example is a package of its own. This builds it with the tests, so that each check runs it.
  if withMacros {
    package.targets.append(
      .executableTarget(
        name: "roster", dependencies: core + ["ObjectVault"], path: "Examples/Roster/Sources/roster"
      ))
  }
case "primitives":
  package.targets.removeAll { $0.type == .test && $0.name != "ObjectVaultPrimitivesTests" }
case "macros": package.targets.removeAll { $0.type == .test && $0.name != macrosTests }
default: break
}

// Set by Scripts/fuzz, which builds with the fuzzer's instrumentation into a folder of its own.
if Context.environment["OBJECTVAULT_FUZZ"] != nil {
  package.targets.append(
    .executableTarget(
      name: "vaultfuzz",
      dependencies: core + [
        "ConditionReference", "ObjectVaultConformance", "ObjectVaultConformanceFormat",
        "ObjectVaultTool",
      ],
      path: "Tests/Fuzz", exclude: ["Corpora"], swiftSettings: strict))
}
