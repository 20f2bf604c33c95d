// swift-tools-version: 6.1
import PackageDescription

// A separate package, so that packages that depend on the library do not depend on its peers.
//
// Scripts/instructions needs neither macros nor other libraries: OBJECTVAULT_WITHOUT_MACROS, as for
// the library itself, leaves both out.
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
    // The engine, for the C targets.
    .systemLibrary(
      name: "SQLCipher", pkgConfig: "sqlcipher",
      providers: [.apt(["libsqlcipher-dev"]), .brew(["sqlcipher"])]),
    // Shared by all peers: the data, the clock, the threads and the output of results.
    .target(name: "Workload"),
    // The same for the Swift peers.
    .target(name: "SwiftWorkload", dependencies: ["Workload"], swiftSettings: strict),
    // The floor: the work in C, directly on the engine.
    .executableTarget(
      name: "floor", dependencies: ["SQLCipher", "Workload"],
      linkerSettings: [.linkedLibrary("crypto")]),
    // This library: structs, classes, and objects of classes that are described at run time.
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
    // The functions that GRDB calls and that engines before SQLite 3.20 do not have.
    .target(name: "LaterCalls", dependencies: ["SQLCipher"]),
    // GRDB: records written by hand and Codable records.
    .executableTarget(
      name: "grdb",
      dependencies: [
        "LaterCalls", "SwiftWorkload", .product(name: "GRDB", package: "GRDB.swift"),
      ],
      swiftSettings: strict),
  ]
}
