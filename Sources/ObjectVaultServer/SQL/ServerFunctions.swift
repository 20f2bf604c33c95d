import ObjectVaultCondition
import ObjectVaultDriver

/// The functions that conditions and insertions call on a server, in the schema `objectvault`.
///
/// They give calculations, comparisons and patterns the meaning that Guides/Conditions.md defines,
/// where the operators of PostgreSQL raise an error or round.
enum ServerFunctions {
  /// The version of the functions; a change of a function increases it.
  static let version = 2

  /// The statements that create what the library needs on a server.
  static let definitions: [String] = [
    "CREATE SCHEMA IF NOT EXISTS objectvault",
    "CREATE TABLE IF NOT EXISTS objectvault.functions (version bigint NOT NULL)",
    integers("ov_add", "a::numeric + b"),
    integers("ov_subtract", "a::numeric - b"),
    integers("ov_multiply", "a::numeric * b"),
    function(
      "ov_divide(a bigint, b bigint) RETURNS bigint",
      "CASE WHEN b = 0 OR a = \(least) AND b = -1 THEN NULL ELSE a / b END"),
    function(
      "ov_remainder(a bigint, b bigint) RETURNS bigint",
      "CASE WHEN a IS NULL OR b = 0 THEN NULL WHEN b = -1 THEN 0 ELSE a % b END"),
    reals("ov_add_real", "a + b"),
    reals("ov_subtract_real", "a - b"),
    reals("ov_multiply_real", "a * b"),
    reals("ov_divide_real", "a / b"),
    // Rounding is monotone, so integers decide only if the rounded value is equal.
    function(
      "ov_cmp(i bigint, d double precision) RETURNS integer",
      "CASE WHEN d IS NULL OR i IS NULL THEN NULL WHEN i::double precision < d THEN -1 "
        + "WHEN i::double precision > d THEN 1 WHEN d >= 9223372036854775808 THEN -1 ELSE CASE WHEN i < d::bigint THEN -1 "
        + "WHEN i > d::bigint THEN 1 ELSE 0 END END"),
    // A cached statement can meet a constant of the other type.
    function(
      "ov_cmp(a double precision, b double precision) RETURNS integer",
      "CASE WHEN a < b THEN -1 WHEN a > b THEN 1 WHEN a = b THEN 0 END"),
    function(
      "ov_cmp(a bigint, b bigint) RETURNS integer",
      "CASE WHEN a < b THEN -1 WHEN a > b THEN 1 WHEN a = b THEN 0 END"),
    function(
      "ov_cmp(d double precision, i bigint) RETURNS integer", "- objectvault.ov_cmp(i, d)"),
    // A backslash at the end is a backslash.
    function(
      "ov_pattern(pattern text) RETURNS text",
      "CASE WHEN right(regexp_replace(pattern, '\\\\.', '', 'g'), 1) = '\\' "
        + "THEN pattern || '\\' ELSE pattern END"),
    """
    CREATE OR REPLACE FUNCTION objectvault.ov_number(series regclass, given bigint)
    RETURNS bigint LANGUAGE plpgsql VOLATILE AS $body$
    DECLARE last bigint;
    BEGIN
      IF given IS NULL THEN RETURN nextval(series); END IF;
      EXECUTE format('SELECT last_value FROM %s', series) INTO last;
      IF given >= last THEN
        PERFORM pg_advisory_xact_lock(series::oid::bigint);
        EXECUTE format('SELECT last_value FROM %s', series) INTO last;
        IF given >= last THEN PERFORM setval(series, given); END IF;
      END IF;
      RETURN given;
    END $body$
    """,
  ]

  /// Returns the statement that creates the folding of texts.
  ///
  /// The lists are those of this process, so that a server folds as a file does. A server finds a
  /// scalar in them one by one, so other texts than ASCII are slow.
  static func folding() -> String {
    var (from, to, marks) = ("", "", "")
    for value in UInt32(0x80)...0x1FFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      if scalar.isFoldedMark {
        marks.unicodeScalars.append(scalar)
        continue
      }
      let folded = SimpleCaseFolding.fold(scalar)
      guard folded != scalar else { continue }
      from.unicodeScalars.append(scalar)
      to.unicodeScalars.append(folded)
    }
    let letters = String(decoding: UInt8(ascii: "A")...UInt8(ascii: "Z"), as: UTF8.self)
    let (upper, lower) = (letters + from, letters.lowercased() + to)
    return function(
      "ov_fold(value text, options bigint) RETURNS text",
      "CASE WHEN octet_length(value) = char_length(value) THEN "
        + "CASE WHEN options & 1 = 1 THEN lower(value COLLATE \"C\") ELSE value END "
        + "WHEN options = 1 THEN translate(value, \(SQL.text(upper)), \(SQL.text(lower))) "
        + "WHEN options = 2 THEN translate(normalize(value, NFD), \(SQL.text(marks)), '') "
        + "WHEN options = 3 THEN translate(normalize(value, NFD), \(SQL.text(upper + marks)), "
        + "\(SQL.text(lower))) ELSE value END")
  }

  private static let least = "(-9223372036854775808)"

  private static func function(_ head: String, _ body: String) -> String {
    "CREATE OR REPLACE FUNCTION objectvault.\(head) LANGUAGE sql IMMUTABLE PARALLEL SAFE "
      + "AS $body$ SELECT \(body) $body$"
  }

  private static func integers(_ name: String, _ result: String) -> String {
    function(
      "\(name)(a bigint, b bigint) RETURNS bigint",
      "CASE WHEN \(result) BETWEEN \(least) AND 9223372036854775807 THEN (\(result))::bigint END")
  }

  /// Returns a function whose result is NULL if it is not finite, and 0 if it is too small.
  private static func reals(_ name: String, _ result: String) -> String {
    let isSmall = name == "ov_divide_real" ? "abs(a) < abs(b)" : "abs(a) < 1 OR abs(b) < 1"
    return """
      CREATE OR REPLACE FUNCTION objectvault.\(name)(a double precision, b double precision)
      RETURNS double precision LANGUAGE plpgsql IMMUTABLE AS $body$
      DECLARE value double precision;
      BEGIN
        value := \(result);
        IF value IN ('Infinity', '-Infinity', 'NaN') THEN RETURN NULL; END IF;
        RETURN value + 0;
      EXCEPTION
        WHEN division_by_zero THEN RETURN NULL;
        WHEN numeric_value_out_of_range THEN
          RETURN CASE WHEN \(isSmall) THEN 0 END;
      END $body$
      """
  }
}
