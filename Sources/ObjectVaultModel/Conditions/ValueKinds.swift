public import Foundation

/// A type with an order in conditions: numbers, text, dates, UUIDs, URLs, decimals and optionals.
///
/// Conform a type of your own to compare it by its stored form, such as an enumeration by its raw
/// value:
///
/// ```swift
/// enum Level: Int, OrderedValue { case low, high }
/// ```
public protocol OrderedValue {
  /// The type without `nil`, which has no order.
  associatedtype Ordered = Self
}

/// A type that conditions can search as text: String, Substring, Character, URL, UUID and
/// optionals.
///
/// Conform a type of your own that is stored as text to search it.
public protocol SearchableText {}

/// A type that conditions can calculate with.
public protocol NumericValue: OrderedValue {}

/// The type Bool or an optional Bool.
public protocol TruthValue {}

extension Optional: OrderedValue where Wrapped: OrderedValue {
  /// The type without `nil`.
  public typealias Ordered = Wrapped.Ordered
}
extension Optional: SearchableText where Wrapped: SearchableText {}
extension Optional: NumericValue where Wrapped: NumericValue {}
extension Optional: TruthValue where Wrapped: TruthValue {}
extension Bool: TruthValue {}

extension Int: NumericValue {}
extension Int8: NumericValue {}
extension Int16: NumericValue {}
extension Int32: NumericValue {}
extension Int64: NumericValue {}
extension UInt: NumericValue {}
extension UInt8: NumericValue {}
extension UInt16: NumericValue {}
extension UInt32: NumericValue {}
extension UInt64: NumericValue {}
extension Float: NumericValue {}
extension Double: NumericValue {}

extension String: OrderedValue, SearchableText {}
extension Substring: OrderedValue, SearchableText {}
extension Character: OrderedValue, SearchableText {}
extension URL: OrderedValue, SearchableText {}
extension UUID: OrderedValue, SearchableText {}
extension Date: OrderedValue {}
extension Decimal: OrderedValue {}
