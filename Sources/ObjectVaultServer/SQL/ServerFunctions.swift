import ObjectVaultCondition
import ObjectVaultDriver

/// The functions that conditions and insertions call on a server, in the schema `objectvault`.
///
/// They give calculations, comparisons and patterns the meaning that Guides/Conditions.md defines,
/// where the operators of PostgreSQL raise an error or round.
enum ServerFunctions {
  /// The version of the functions; a change of a function increases it.
  static let version = 9

  /// The greatest distance to a given number that a series covers one number at a time.
  private static let longestWalk = 100_000

  /// The start of the name of the function that is there for the version of a schema.
  private static let schemaMark = "objectvault_schema_"

  /// Returns the name of the function that is there for a version of the schema.
  static func schemaMark(_ version: Int64) -> String { "\(schemaMark)\(version)" }

  /// A query that returns whether a schema has the function of its version.
  static func isMarked(_ schema: String) -> String {
    "SELECT (to_regproc(\(SQL.text("\(SQL.quoted(schema)).\(schemaMark)")) || number) IS NOT NULL)"
      + "::integer FROM \(SQL.quoted(schema)).objectvault_schema_changes"
  }

  /// A query of the owner of the functions, without parameters, if this user must not run them.
  ///
  /// The functions run with the rights of the user who calls them. It may run those of superusers,
  /// of the owner of the database, of the owner of the library's tables, and of roles whose rights it
  /// has. A superuser has the rights of all roles, so that says nothing there.
  ///
  /// - Parameter changes: The qualified name of a table of the library.
  /// - Returns: The query, which returns the name or no row.
  static func distrustedOwner(_ changes: String) -> String {
    "SELECT o.rolname::text FROM pg_catalog.pg_namespace AS n JOIN pg_catalog.pg_roles AS o "
      + "ON o.oid = n.nspowner WHERE n.nspname = 'objectvault' AND NOT o.rolsuper "
      + "AND NOT EXISTS (SELECT FROM pg_catalog.pg_database AS d "
      + "WHERE d.datname = current_database() AND d.datdba = o.oid) "
      + "AND NOT EXISTS (SELECT FROM pg_catalog.pg_class AS c "
      + "WHERE c.oid = to_regclass(\(SQL.text(changes))) AND c.relowner = o.oid) "
      + "AND NOT EXISTS (SELECT FROM pg_catalog.pg_roles AS u "
      + "WHERE u.rolname = current_user AND NOT u.rolsuper AND pg_has_role(o.oid, 'USAGE'))"
  }

  /// The statements that create the schema, calculations, sums and generated numbers.
  private static let definitions: [String] = [
    "CREATE SCHEMA IF NOT EXISTS objectvault",
    "CREATE TABLE IF NOT EXISTS objectvault.functions (version bigint PRIMARY KEY)",
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
        + "WHEN i::double precision > d THEN 1 "
        + "WHEN d >= 9223372036854775808::double precision THEN -1 "
        + "WHEN i < d::bigint THEN -1 WHEN i > d::bigint THEN 1 ELSE 0 END"),
    // A cached statement can meet a constant of the other type.
    function(
      "ov_cmp(a double precision, b double precision) RETURNS integer",
      "CASE WHEN a < b THEN -1 WHEN a > b THEN 1 WHEN a = b THEN 0 END"),
    function(
      "ov_cmp(a bigint, b bigint) RETURNS integer",
      "CASE WHEN a < b THEN -1 WHEN a > b THEN 1 WHEN a = b THEN 0 END"),
    function(
      "ov_cmp(d double precision, i bigint) RETURNS integer", "- objectvault.ov_cmp(i, d)"),
    function(
      "ov_special(d double precision) RETURNS double precision",
      "CASE WHEN d IN ('Infinity', '-Infinity', 'NaN') THEN d END"),
    function("ov_special(i bigint) RETURNS double precision", "NULL::double precision"),
    // The significand and the exponent of binary64 (IEEE 754): 2^-k is 5^k * 10^-k.
    function(
      "ov_exact_binary(d double precision) RETURNS numeric",
      """
      sign(d)::integer * m * CASE WHEN e >= 0 THEN power(2::numeric, e)
        ELSE power(5::numeric, -e) * ('1e' || e / 2)::numeric * ('1e' || e - e / 2)::numeric END
      FROM (SELECT bits & 4503599627370495 | CASE WHEN place > 0 THEN 4503599627370496 ELSE 0 END,
          greatest(place, 1) - 1075
        FROM (SELECT bits, (bits >> 52 & 2047)::integer
          FROM (SELECT ('x' || encode(float8send(d), 'hex'))::bit(64)::bigint) AS a (bits)
        ) AS b (bits, place)
      ) AS c (m, e)
      """),
    // A double as a number with all its digits. Most doubles have few bits after the point.
    function(
      "ov_exact(d double precision) RETURNS numeric",
      """
      CASE WHEN d IS NULL OR objectvault.ov_special(d) IS NOT NULL THEN NULL
        WHEN abs(d) >= 8589934592 THEN objectvault.ov_exact_binary(d)
        WHEN d * 1048576 = trunc(d * 1048576)
          THEN (d * 1048576)::bigint * 0.00000095367431640625
        ELSE objectvault.ov_exact_binary(d) END
      """),
    function("ov_exact(i bigint) RETURNS numeric", "i::numeric"),
    // Beyond the greatest double, and half of a unit of its last place, is infinity.
    function(
      "ov_sum(s numeric, special double precision) RETURNS double precision",
      """
      CASE WHEN special = 'NaN' THEN NULL WHEN special IS NOT NULL THEN special
        WHEN s IS NULL THEN 0
        WHEN abs(s) < power(2::numeric, 1024) - power(2::numeric, 970) THEN s::double precision
        WHEN s > 0 THEN 'Infinity' ELSE '-Infinity' END
      """),
    // As in a file, a sum of integers beyond 64 bits is the nearest double.
    function(
      "ov_sum(s numeric) RETURNS numeric",
      """
      CASE WHEN s IS NULL THEN 0 WHEN s BETWEEN \(least) AND 9223372036854775807 THEN s
        ELSE objectvault.ov_exact(s::double precision) END
      """),
    function(
      "ov_mean(s double precision, n bigint) RETURNS double precision",
      """
      CASE WHEN n = 0 THEN NULL WHEN s IN ('Infinity', '-Infinity') THEN s
        ELSE objectvault.ov_divide_real(s, n::double precision) END
      """),
    // A sum beyond the greatest double is divided before it is rounded. Older programs use the
    // function above.
    function(
      "ov_mean(s numeric, special double precision, n bigint) RETURNS double precision",
      """
      CASE WHEN n = 0 OR special = 'NaN' THEN NULL WHEN special IS NOT NULL THEN special
        WHEN abs(s) < power(2::numeric, 1024) - power(2::numeric, 970)
          THEN objectvault.ov_divide_real(s::double precision, n::double precision)
        ELSE (s / n::numeric)::double precision END
      """),
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
      -- The table of another program may have no series.
      IF series IS NULL THEN RETURN given; END IF;
      IF given IS NULL THEN RETURN nextval(series); END IF;
      EXECUTE format('SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM %s', series)
        INTO last;
      IF given <= last THEN RETURN given; END IF;
      -- Unlike nextval, setval can set the series back while others generate numbers, so it is
      -- for distances alone that others do not cover between two statements.
      IF given - last > \(longestWalk) THEN
        PERFORM pg_advisory_xact_lock(series::oid::bigint);
        EXECUTE format('SELECT last_value FROM %s', series) INTO last;
        IF given - last > \(longestWalk) THEN RETURN setval(series, given); END IF;
      END IF;
      WHILE given > last LOOP last := nextval(series); END LOOP;
      RETURN given;
    END $body$
    """,
    // Programs that commit a statement at once name the function of the version that they know.
    """
    CREATE OR REPLACE FUNCTION objectvault.ov_begin_schema_version()
    RETURNS bigint LANGUAGE plpgsql VOLATILE AS $body$
    DECLARE present bigint;
    BEGIN
      UPDATE objectvault_schema_changes SET number = number + 1 RETURNING number INTO present;
      IF present IS NULL THEN RETURN NULL; END IF;
      EXECUTE format('DROP FUNCTION IF EXISTS \(schemaMark)%s()', present - 1);
      EXECUTE format('CREATE OR REPLACE FUNCTION \(schemaMark)%s() RETURNS integer '
        'LANGUAGE sql IMMUTABLE AS ''SELECT 1''', present);
      RETURN present;
    END $body$
    """,
  ]

  /// The statements that create the functions for parts of stored JSON.
  ///
  /// A number with at most 19 digits and no other character is an integer, and any other is the
  /// double with its digits. Numbers are `numeric`, so that `ov_cmp` compares both without rounding.
  private static let collections: [String] = [
    function(
      "ov_json_any(part json) RETURNS bigint",
      "CASE WHEN json_typeof(part) <> 'null' THEN 1::bigint END"),
    function(
      "ov_json_bool(part json) RETURNS bigint",
      "CASE json_typeof(part) WHEN 'boolean' THEN (part::text)::boolean::integer::bigint END"),
    function(
      "ov_json_text(part json) RETURNS text",
      "CASE json_typeof(part) WHEN 'string' THEN part #>> '{}' END"),
    """
    CREATE OR REPLACE FUNCTION objectvault.ov_json_real(digits text)
    RETURNS numeric LANGUAGE plpgsql IMMUTABLE AS $body$
    BEGIN
      RETURN objectvault.ov_exact(digits::double precision);
    EXCEPTION WHEN numeric_value_out_of_range THEN
      RETURN CASE WHEN digits ~ '[eE]-|^-?0' THEN 0 END;
    END $body$
    """,
    function(
      "ov_json_number(part json) RETURNS numeric",
      """
      CASE WHEN json_typeof(part) = 'number' THEN
        CASE WHEN part::text ~ '^-?[0-9]{1,19}$'
            AND (part::text)::numeric BETWEEN \(least) AND 9223372036854775807
          THEN (part::text)::numeric
          ELSE objectvault.ov_json_real(part::text) END
      END
      """),
    function(
      "ov_json_count(part json) RETURNS bigint",
      """
      CASE json_typeof(part) WHEN 'array' THEN json_array_length(part)::bigint
        WHEN 'object' THEN (SELECT count(*) FROM json_object_keys(part)) END
      """),
    """
    CREATE OR REPLACE FUNCTION objectvault.ov_json_elements(part json) RETURNS SETOF json
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $body$
      SELECT json_array_elements(CASE WHEN json_typeof(part) = 'array' THEN part END)
    $body$
    """,
    function(
      "ov_cmp(n numeric, d double precision) RETURNS integer",
      """
      CASE WHEN n IS NULL OR d IS NULL THEN NULL WHEN d = 'Infinity' THEN -1
        WHEN d = '-Infinity' THEN 1 ELSE sign(n - objectvault.ov_exact(d))::integer END
      """),
    function("ov_cmp(n numeric, i bigint) RETURNS integer", "sign(n - i)::integer"),
    function("ov_cmp(d double precision, n numeric) RETURNS integer", "- objectvault.ov_cmp(n, d)"),
    function("ov_cmp(i bigint, n numeric) RETURNS integer", "- objectvault.ov_cmp(n, i)"),
  ]

  /// Returns the statement that creates the conversion of texts to a case.
  ///
  /// The mappings are those of this process, each for one scalar. `replace` follows for those that
  /// become more than one scalar.
  private static func conversion(to textCase: TextCase) -> String {
    var (from, to) = ("", "")
    var longer: [(Unicode.Scalar, String)] = []
    for value in UInt32(0x41)...0x1FFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let mapped = textCase.applied(to: String(scalar))
      guard !mapped.unicodeScalars.elementsEqual(CollectionOfOne(scalar)) else { continue }
      if mapped.unicodeScalars.count == 1 {
        from.unicodeScalars.append(scalar)
        to += mapped
      } else {
        longer.append((scalar, mapped))
      }
    }
    let short = "translate(value, \(SQL.text(from)), \(SQL.text(to)))"
    let long = longer.reduce(short) { call, mapping in
      "replace(\(call), \(SQL.text(String(mapping.0))), \(SQL.text(mapping.1)))"
    }
    let set = String(String.UnicodeScalarView(longer.map(\.0)))
    return function(
      "ov_\(textCase.rawValue)(value text) RETURNS text",
      "CASE WHEN octet_length(value) = char_length(value) "
        + "THEN \(textCase == .lower ? "lower" : "upper")(value COLLATE \"C\") "
        + "WHEN value = translate(value, \(SQL.text(set)), '') THEN \(short) ELSE \(long) END")
  }

  /// Returns the statements that create what the library needs on a server.
  static func all() -> [String] {
    definitions + collections + [folding()] + TextCase.allCases.map(conversion)
  }

  /// Returns the statement that creates the folding of texts.
  ///
  /// The lists are those of this process, so that a server folds as a file does. A server finds a
  /// scalar in them one by one, so other texts than ASCII are slow.
  private static func folding() -> String {
    let letters = String(decoding: UInt8(ascii: "A")...UInt8(ascii: "Z"), as: UTF8.self)
    var (upper, lower, marks) = (letters, letters.lowercased(), "")
    // The marks with another case, of which there is one.
    var (upperMarks, lowerMarks) = ("", "")
    // There are no marks and letters with a case behind the plane of the variation selectors.
    for value in UInt32(0x80)...0xEFFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let isMark = scalar.isFoldedMark
      if isMark { marks.unicodeScalars.append(scalar) }
      let folded = SimpleCaseFolding.fold(scalar)
      guard folded != scalar else { continue }
      if isMark {
        upperMarks.unicodeScalars.append(scalar)
        lowerMarks.unicodeScalars.append(folded)
      } else {
        upper.unicodeScalars.append(scalar)
        lower.unicodeScalars.append(folded)
      }
    }
    return function(
      "ov_fold(value text, options bigint) RETURNS text",
      "CASE WHEN octet_length(value) = char_length(value) THEN "
        + "CASE WHEN options & 1 = 1 THEN lower(value COLLATE \"C\") ELSE value END "
        + "WHEN options = 1 THEN translate(value, \(SQL.text(upper + upperMarks)), "
        + "\(SQL.text(lower + lowerMarks))) "
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
