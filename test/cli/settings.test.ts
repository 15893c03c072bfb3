import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createPlace, type Place } from "../support/command-line.ts";

let place: Place;
beforeAll(async () => void (place = await createPlace()));
afterAll(() => place.clear());

const SECRET = "s".repeat(32);
const MISSING = "BILLOW_SECRET is missing: with DATABASE_URL it must be set, the same for every process.";

test.each<[Record<string, string>, string]>([
  // environment, the line on stderr
  [{ PORT: "65536" }, 'PORT is "65536", but must be a port from 0 to 65535.'],
  [{ PORT: "http" }, 'PORT is "http", but must be a port from 0 to 65535.'],
  [{ BILLOW_SECRET: "short" }, "BILLOW_SECRET must be at least 32 characters."],
  [{ METRICS_TOKEN: "short" }, "METRICS_TOKEN must be at least 16 characters."],
  [{ DATABASE_URL: "mysql://root:toor@localhost/billow", BILLOW_SECRET: SECRET }, "DATABASE_URL must be a postgres:// address."],
  [{ DATABASE_URL: "postgres://localhost/billow" }, MISSING],
  [{ SMTP_URL: "https://user:secret@mail.example.com" }, "SMTP_URL must be an smtp:// or smtps:// address."],
  [{ SMTP_URL: "smtp://" }, "SMTP_URL must be an smtp:// or smtps:// address."],
  [{ EMAIL_FROM: "Acme <billing@example.com>" }, 'EMAIL_FROM is "Acme <billing@example.com>", but must be an e-mail address.'],
  [{ PUBLIC_BASE_PATHS: "/v2" }, 'PUBLIC_BASE_PATHS is "/v2", but must be paths that end in /public/v2, separated by commas.'],
  [
    { WEBHOOK_ALLOWED_CIDRS: "10.0.0.0/8, 10.0.0.0/33" },
    'WEBHOOK_ALLOWED_CIDRS is "10.0.0.0/8, 10.0.0.0/33", but must be addresses or CIDRs separated by commas.',
  ],
  [{ WEB_CONCURRENCY: "0" }, 'WEB_CONCURRENCY is "0", but must be a whole number from 1 to 64.'],
  [{ LOG_LEVEL: "loud" }, 'LOG_LEVEL is "loud", but must be fatal, error, warn, info, debug, trace, silent.'],
])("%j stops the start", async (environment, line) => {
  expect(await place.run(["start"], environment)).toEqual({ code: 1, stdout: "", stderr: `billow: ${line}\n` });
});

test("a database that does not answer stops the start", async () => {
  const nobody = { DATABASE_URL: "postgres://127.0.0.1:1/billow", BILLOW_SECRET: SECRET };
  const { code, stdout, stderr } = await place.run(["start"], nobody);
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(/^billow: The database can't be reached: .*ECONNREFUSED.*\.\n$/);
});

test(".env counts, and the environment overrides it", async () => {
  const file = join(place.directory, ".env");
  const line = (value: string) => `billow: WEB_CONCURRENCY is "${value}", but must be a whole number from 1 to 64.\n`;
  await writeFile(file, "# how many\nWEB_CONCURRENCY=many\n");
  expect((await place.run(["start"])).stderr).toBe(line("many"));
  expect((await place.run(["start"], { WEB_CONCURRENCY: "few" })).stderr).toBe(line("few"));
  await writeFile(file, "");
});
