// swift-tools-version: 6.1
import PackageDescription

// A package of its own: whoever depends on the library never sees what it is compared with.
//
// The gate on instructions (Scripts/instructions) needs neither macros nor another library: setting
// OBJECTVAULT_WITHOUT_MACROS, as for the library itself, leaves both out.
let withMacros = Context.environment["OBJECTVAULT_WITHOUT_MACROS"] == nil

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "ObjectVault", path: "..")],
  targets: [
    // The engine, for what is written in C here.
    .systemLibrary(
      name: "SQLCipher", pkgConfig: "sqlcipher",
      providers: [.apt(["libsqlcipher-dev"]), .brew(["sqlcipher"])]),
    // What every peer shares: the data, the clock, the threads, and how a result is told.
    .target(name: "Workload"),
    // The same for peers in Swift.
    .target(name: "SwiftWorkload", dependencies: ["Workload"], swiftSettings: strict),
    // The floor: the work in C, straight on the engine.
    .executableTarget(
      name: "floor", dependencies: ["SQLCipher", "Workload"],
      linkerSettings: [.linkedLibrary("crypto")]),
    // This library: structs, classes and objects of classes described at run time.
    .executableTarget(
      name: "vault",
      dependencies: [
        "SwiftWorkload",
        .product(name: withMacros ? "ObjectVault" : "ObjectVaultCore", package: "ObjectVault"),
      ],
      swiftSettings: strict + (withMacros ? [] : [.define("WITHOUT_MACROS")])),
  ]
)

if withMacros {
  package.dependencies.append(
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"))
  package.targets += [
    // What GRDB calls and engines before SQLite 3.20 lack.
    .target(name: "LaterCalls", dependencies: ["SQLCipher"]),
    // GRDB: records written by hand, and Codable ones.
    .executableTarget(
      name: "grdb",
      dependencies: [
        "LaterCalls", "SwiftWorkload", .product(name: "GRDB", package: "GRDB.swift"),
      ],
      swiftSettings: strict),
  ]
}
