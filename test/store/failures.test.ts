import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "../../src/store/driver/db.ts";
import { unavailable, violated } from "../../src/store/driver/failures.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";

let database: TestDatabase;
beforeAll(async () => void (database = await createTestDatabase()));
afterAll(() => database.drop());

function failure(code: string, message: string, constraint?: string): pg.DatabaseError {
  return Object.assign(new pg.DatabaseError(message, message.length, "error"), {
    code,
    ...(constraint && { constraint }),
  });
}
const duplicate = (name: string) => `duplicate key value violates unique constraint "${name}"`;

describe("the constraint that a write ran into", () => {
  const table: [string, unknown, string | null][] = [
    ["is said by itself", failure("23505", duplicate("products_key"), "products_key"), "products_key"],
    ["is in the message alone", failure("23505", duplicate("products_key")), "products_key"],
    ["is that of a shard", failure("23505", duplicate("customers_email_102919")), "customers_email"],
    ["is that of a shard on the same node", failure("23505", "", "customers_email_102919"), "customers_email"],
    [
      "is told by another node as an error of its own",
      failure("XX000", duplicate("events_before_102011")),
      "events_before",
    ],
    ["is not told by an error of another kind", failure("XX000", "cache lookup failed"), null],
    ["is not told where a text only shows such a message", failure("22P02", duplicate("products_key")), null],
    [
      "is not that of a foreign key",
      failure("23503", "violates foreign key constraint", "products_organization_id_fkey"),
      null,
    ],
    ["is not of the database", new Error(duplicate("products_key")), null],
  ];
  test.each(table)("%s", (_, error, name) => expect(violated(error)).toBe(name));

  test("is that of a real write", async () => {
    await database.db.script("CREATE TABLE things (n int CONSTRAINT things_n UNIQUE)");
    const twice = database.db.tx((tx) => tx.query(sql("test.twice", "INSERT INTO things VALUES (1), (1)")));
    expect(violated(await twice.catch((error: unknown) => error))).toBe("things_n");
  });

  test("has no name that ends as that of a shard does", async () => {
    const indexes =
      "SELECT relname::text AS name FROM pg_class WHERE relkind = 'i' AND relnamespace = 'public'::regnamespace";
    const rows = await database.db.read.query<{ name: string }>(sql("test.names", indexes));
    expect(rows.length).toBeGreaterThan(50);
    expect(rows.filter(({ name }) => /_\d+$/.test(name))).toEqual([]);
  });
});

describe("an error of a cluster's node", () => {
  test.each([
    ["a broken connection", "XX000", "failure on connection marked as essential: db1:5432"],
    [
      "a refused connection",
      "08006",
      "connection to the remote node billow@db1:5432 failed with the following error: …",
    ],
    ["a silent node", "08006", "could not establish any connections to the node db1:5432 after 5000 ms"],
    [
      "a COMMIT without an answer",
      "XX000",
      "could not commit transaction for shard 102008 on at least one active node",
    ],
  ])("%s is a database that is away", (_, code, message) => {
    expect(unavailable(failure(code, message))).toMatchObject({ code: "unavailable" });
  });

  test("another internal error is a fault", () => {
    const error = failure("XX000", "cache lookup failed");
    expect(unavailable(error)).toBe(error);
  });
});
