import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AddressError, nameOf, parseAddress } from "./database-address.ts";

const parts = (text: string, environment?: Record<string, string>) => {
  const { hosts, user, password, database } = parseAddress(text, environment);
  return [hosts.map(({ host, port }) => `${host} ${port}`).join(", "), user, password, database];
};

describe("an address is read as libpq reads it:", () => {
  const NONE = undefined;
  test.each([
    ["postgres://u:p@db.example.com:6432/billow", ["db.example.com 6432", "u", "p", "billow"]],
    ["postgresql://u@db.example.com/billow", ["db.example.com 5432", "u", NONE, "billow"]],
    ["postgres://db.example.com", ["db.example.com 5432", NONE, NONE, NONE]],
    ["postgres:///billow", ["localhost 5432", NONE, NONE, "billow"]],
    ["postgres://u@a:1,b:2/db", ["a 1, b 2", "u", NONE, "db"]],
    ["postgres://u@a,b/db?port=7000", ["a 7000, b 7000", "u", NONE, "db"]],
    ["postgres://u@[::1]:5433,[fe80::1]/db", ["::1 5433, fe80::1 5432", "u", NONE, "db"]],
    ["postgres://u@/db?host=/run/postgresql", ["/run/postgresql 5432", "u", NONE, "db"]],
    ["postgres://u@%2Frun%2Fpostgresql:5433/db", ["/run/postgresql 5433", "u", NONE, "db"]],
    ["postgres://localhost/db?host=/run&port=5433", ["/run 5433", NONE, NONE, "db"]],
    ["postgres://u%40x:p%3A%2F%25@h/d%20b", ["h 5432", "u@x", "p:/%", "d b"]],
    ["postgres://u:p:q@h/db", ["h 5432", "u", "p:q", "db"]],
    ["postgres://u:p@ss@h/db", ["h 5432", "u", "p@ss", "db"]],
    ["postgres:///?user=u&password=p&dbname=db&host=h", ["h 5432", "u", "p", "db"]],
  ])("%s", (text, expected) => expect(parts(text)).toEqual(expected));

  test("variables stand in for missing parts only", () => {
    const environment = { PGHOST: "/run", PGPORT: "5433", PGSSLMODE: "require" };
    expect(parts("postgres:///db", environment)[0]).toBe("/run 5433");
    expect(parts("postgres://h:1/db", environment)[0]).toBe("h 1");
    expect(parseAddress("postgres://h/db", environment).tls).toHaveLength(1);
    expect(parseAddress("postgres://h/db?sslmode=disable", environment).tls).toEqual([false]);
    expect(parseAddress("postgres://h/db").tls).toMatchObject([{ rejectUnauthorized: false }, false]);
  });

  test("options, a name and the wish for writes", () => {
    const address = parseAddress("postgres://h/db?options=-c%20search_path%3Dbilling&application_name=shop");
    expect(address).toMatchObject({ options: "-c search_path=billing", applicationName: "shop", needs: null });
    expect(parseAddress("postgres://h/db?options=-c+search_path%3Dbilling").options).toBe("-c search_path=billing");
    expect(parseAddress("postgres://h/db?target_session_attrs=read-write").needs).toBe("writes");
    expect(parseAddress("postgres://a,b/db").needs).toBe("writes");
  });

  test("any user, password and name come back", () => {
    const text = fc.string({ unit: "grapheme", minLength: 1 });
    fc.assert(
      fc.property(text, text, text, (user, password, database) => {
        const [u, p, d] = [user, password, database].map(encodeURIComponent);
        expect(parts(`postgres://${u}:${p}@h/${d}`)).toEqual(["h 5432", user, password, database]);
        expect(nameOf(parseAddress(`postgres://${u}:${p}@h/${d}`))).toBe(`${database} at h:5432`);
      }),
    );
  });
});

describe("a wrong address is refused in one line, without user and password:", () => {
  test.each([
    ["mysql://secret@h/db", "DATABASE_URL must be a postgres:// address."],
    ["postgres:h/db", "DATABASE_URL must be a postgres:// address."],
    ["postgres://u:secret/x@h/db", /^In DATABASE_URL, a host must look like host:5432\. In user and password, /],
    ["postgres://u:secret#@h/db", /^DATABASE_URL is no address of the form /],
    ["postgres://u:sec%ret@h/db", /^DATABASE_URL has a % without two hexadecimal digits/],
    ["postgres://h:0/db", "In DATABASE_URL, a port must be a number from 1 to 65535."],
    ["postgres://h:99999/db", "In DATABASE_URL, a port must be a number from 1 to 65535."],
    ["postgres://a,b,c/db?port=1,2", "DATABASE_URL has 3 hosts, but 2 ports."],
    [
      "postgres://h/db?ssl_mode=verify-full",
      'DATABASE_URL has the unknown parameter "ssl_mode". Did you mean `sslmode`?',
    ],
    [
      "postgres://h/db?sslmode=verify_full",
      "In DATABASE_URL, sslmode must be disable, allow, prefer, require, verify-ca or verify-full. " +
        "Did you mean `verify-full`?",
    ],
    ["postgres://h/db?sslmode=", /^In DATABASE_URL, sslmode must be /],
    ["postgres://a,b/db?target_session_attrs=standby", /^In DATABASE_URL, target_session_attrs must be any, /],
    ["postgres://h/db?sslrootcert=system&sslmode=require", /^In DATABASE_URL, sslrootcert=system needs /],
    ["postgres://h/db?sslrootcert=/no/such", /^The file of sslrootcert in DATABASE_URL can't be read: ENOENT/],
    ["postgres://h/db?sslrootcert=package.json", /^The file of sslrootcert in DATABASE_URL holds no certificate/],
    ["postgres://h/db?sslcert=package.json", /^DATABASE_URL has only one of sslcert and sslkey\./],
    ["postgres://h/db?sslcert=package.json&sslkey=package.json", /^The files of sslcert and sslkey in DATABASE_URL/],
  ])("%s", (text, says) => {
    const refusal = (() => {
      try {
        return parseAddress(text);
      } catch (error) {
        return error;
      }
    })();
    expect(refusal).toBeInstanceOf(AddressError);
    const { message } = refusal as AddressError;
    expect(message).toMatch(says);
    expect(message).not.toMatch(/secret|sec%ret|\n/);
  });
});
