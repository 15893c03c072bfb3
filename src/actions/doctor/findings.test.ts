import { describe, expect, test } from "vitest";
import {
  judgeClock,
  judgeMigrations,
  judgeOrigin,
  judgeSecrets,
  judgeSize,
  judgeSpace,
  judgeTaxIds,
  type SecretCounts,
} from "./findings.ts";
import type { MigrationState } from "../../store/migrate.ts";

describe("the clock", () => {
  test.each<[number, number, string, string]>([
    // the database's lead, the uncertainty, the status, the words
    [0, 0, "ok", "agree"],
    [5_000, 0, "ok", "agree"],
    [8_000, 3_000, "ok", "agree"],
    [5_001, 0, "warning", "5 s ahead of"],
    [-60_000, 0, "warning", "60 s behind"],
    [-60_001, 0, "fault", "60 s behind"],
    [86_400_000, 1_000, "fault", "86399 s ahead of"],
  ])("%d ms ahead, ± %d ms: %s", (ahead, uncertain, status, words) => {
    expect(judgeClock(ahead, uncertain)).toMatchObject({ status, says: expect.stringContaining(words) });
  });
});

describe("the disk", () => {
  test.each<[number, string, string]>([
    [0, "fault", "0 MB free for /data"],
    [99_999_999, "fault", "99 MB free for /data"],
    [100_000_000, "warning", "100 MB free for /data"],
    [999_999_999, "warning", "999 MB free for /data"],
    [1_000_000_000, "ok", "1.0 GB free for /data"],
    [2_560_000_000_000, "ok", "2560.0 GB free for /data"],
  ])("with %d free bytes: %s", (free, status, says) => {
    expect(judgeSpace("/data", free)).toMatchObject({ status, says });
  });
});

describe("the size of the database", () => {
  test.each<[number, number | null, number | null, string, string | RegExp]>([
    [12_000_000, null, null, "ok", /^the database has 12 MB$/],
    [12_000_000, 4_321, null, "ok", "12 MB, with about 4321 events, which are kept for ever"],
    [130_000_000_000, 99_999_999, null, "ok", "130.0 GB, with about 100.0 million events, which are kept for ever"],
    [131_000_000_000, 100_000_000, null, "warning", "131.0 GB, with about 100.0 million events"],
    [131_000_000_000, 100_000_000, 400, "warning", "which are kept for 400 days"],
  ])("with %d bytes and %j events that are kept for %j days: %s", (bytes, events, days, status, says) => {
    expect(judgeSize({ bytes, events }, days)).toMatchObject({
      status,
      says: expect.stringMatching(says),
      advice: status === "ok" ? null : expect.stringContaining("docs/operating/growth.md"),
    });
  });
});

describe("the public origin", () => {
  test.each<[string, boolean, boolean, string]>([
    // the origin, a live Organization, loopback, the status
    ["http://127.0.0.1:4000", false, true, "ok"],
    ["http://billing.example.com", false, false, "ok"],
    ["https://billing.example.com", true, false, "ok"],
    ["http://billing.example.com", true, false, "fault"],
    ["https://localhost", true, true, "fault"],
  ])("%s, live: %s: %s", (origin, live, isLoopback, status) => {
    expect(judgeOrigin(origin, { live, isLoopback })).toMatchObject({
      status,
      says: expect.stringContaining(origin),
      advice: status === "ok" ? null : expect.stringContaining("PUBLIC_ORIGIN"),
    });
  });
});

describe("the migrations", () => {
  const NO: MigrationState = { missing: [], edited: [], unknown: [] };
  test.each<[Partial<MigrationState>, string, string]>([
    [{}, "ok", "all migrations are applied"],
    [{ missing: ["0002-b.sql"] }, "fault", "0002-b.sql is not applied"],
    [{ missing: ["0002-b.sql", "0003-c.sql"] }, "fault", "0002-b.sql and 1 other are not applied"],
    [{ edited: ["0001-a.sql"], unknown: ["0009-z.sql"] }, "fault", "0001-a.sql was edited after it was applied"],
    [{ unknown: ["0009-z.sql"] }, "warning", "0009-z.sql was applied by another version of Billow"],
  ])("%j: %s", (state, status, says) => {
    expect(judgeMigrations({ ...NO, ...state })).toMatchObject({ status, says });
  });
});

describe("the stored secrets", () => {
  const NO: SecretCounts = { current: 0, previous: 0, unknown_key: 0, damaged: 0 };
  test.each<[Partial<SecretCounts>, string, string]>([
    [{}, "ok", "0 stored values are under BILLOW_SECRET"],
    [{ current: 1 }, "ok", "1 stored value is under BILLOW_SECRET"],
    [{ current: 1, previous: 2 }, "warning", "2 stored values are under a previous secret"],
    [{ previous: 2, damaged: 1 }, "fault", "1 stored value is damaged"],
    [{ damaged: 1, unknown_key: 1 }, "fault", "1 stored value is under a secret that is not given"],
  ])("%j: %s", (counts, status, says) => {
    expect(judgeSecrets({ values: { ...NO, ...counts }, factors: NO })).toMatchObject({ status, says });
    expect(judgeSecrets({ values: NO, factors: { ...NO, ...counts } })).toMatchObject({ status, says });
  });

  test.each<["unknown_key" | "damaged", string]>([
    ["unknown_key", "2 stored values are under a secret that is not given"],
    ["damaged", "2 stored values are damaged"],
  ])("%s: the advice names the remedy of each kind", (state, says) => {
    const advice = (values: number, factors: number) =>
      judgeSecrets({ values: { ...NO, [state]: values }, factors: { ...NO, [state]: factors } });
    expect(advice(1, 1)).toMatchObject({ says, advice: expect.stringMatching(/connect.*team password EMAIL/) });
    expect(advice(2, 0).advice).not.toContain("team password");
    expect(advice(0, 2).advice).not.toContain("connect the accounts");
  });
});

test.each<[number, string, string]>([
  [0, "ok", "no stored tax id fails its check"],
  [1, "warning", "1 stored tax id fails its check"],
  [2, "warning", "2 stored tax ids fail their check"],
])("%d tax ids that fail: %s", (failed, status, says) => {
  expect(judgeTaxIds(failed)).toMatchObject({ status, says });
});
