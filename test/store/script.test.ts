import { describe, expect, test } from "vitest";
import { readMigrations } from "../../src/store/migrate.ts";
import { statementsOf } from "../../src/store/driver/script.ts";
import { parse } from "../support/sql-tree.ts";

describe("a script comes apart into its statements", () => {
  const table: [string, string, string[]][] = [
    ["one without a semicolon", "SELECT 1", ["SELECT 1"]],
    ["two", "SELECT 1; SELECT 2;\n", ["SELECT 1;", " SELECT 2;\n"]],
    [
      "with comments before, between and behind",
      "-- a;\nSELECT 1; -- b;\nSELECT /* c; */ 2;\n-- d;\n",
      ["-- a;\nSELECT 1;", " -- b;\nSELECT /* c; */ 2;\n-- d;\n"],
    ],
    [
      "with a comment in a comment",
      "SELECT /* a /* b; */ c; */ 1; SELECT 2",
      ["SELECT /* a /* b; */ c; */ 1;", " SELECT 2"],
    ],
    [
      "with texts",
      "SELECT ';', 'it''s;'; SELECT E'\\';', 'a\\'; SELECT 3",
      ["SELECT ';', 'it''s;';", " SELECT E'\\';', 'a\\';", " SELECT 3"],
    ],
    ["with names in quotes", 'SELECT 1 AS "a;""b;"; SELECT 2', ['SELECT 1 AS "a;""b;";', " SELECT 2"]],
    [
      "with texts between dollars",
      "SELECT $$a;b$$, $x$c;$$;d$x$; SELECT 2",
      ["SELECT $$a;b$$, $x$c;$$;d$x$;", " SELECT 2"],
    ],
    ["with dollars in names", "SELECT 1 AS a$b$; SELECT 2 AS c$b$", ["SELECT 1 AS a$b$;", " SELECT 2 AS c$b$"]],
    ["with a name that ends in E", "SELECT DATE'2026-01-01'; SELECT 2", ["SELECT DATE'2026-01-01';", " SELECT 2"]],
  ];
  test.each(table)("%s", (_, script, statements) => {
    expect(statementsOf(script)).toEqual(statements);
    expect(statements.flatMap(parse)).toHaveLength(statements.length);
  });

  test.each(["SELECT 'a;", 'SELECT "a;', "SELECT $$a;", "SELECT $x$a;$$", "SELECT 1 /* a; /* b */"])(
    "unless %j",
    (script) => {
      expect(() => statementsOf(script)).toThrow("not closed");
    },
  );
});

/** A statement as text, without its position. */
function withoutPositions(statement: unknown): string {
  return JSON.stringify(statement, (key, value: unknown) => (/^location$|_(start|end)$/.test(key) ? undefined : value));
}

test("each migration comes apart as PostgreSQL's own parser takes it apart", async () => {
  const migrations = await readMigrations();
  expect(migrations.length).toBeGreaterThan(20);
  for (const { name, text } of migrations) {
    const statements = statementsOf(text);
    expect(statements.join(""), name).toBe(text);
    const apart = statements.map((each) => parse(each).map(withoutPositions));
    expect(apart, name).toEqual(parse(text).map((node) => [withoutPositions(node)]));
  }
});
