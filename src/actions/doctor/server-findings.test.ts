import { describe, expect, test } from "vitest";
import { parseInstant } from "../../domain/calendar.ts";
import { judgeConnections, judgePromotion, judgeReplicas } from "./server-findings.ts";
import type { Capacity, Replica } from "../../store/server-state.ts";

describe("the connections", () => {
  const DEFAULT: Capacity = {
    maxConnections: 100,
    reserved: 3,
    role: "billow",
    roleLimit: null,
    database: "bills",
    databaseLimit: null,
  };
  test.each<[Partial<Capacity>, number, string, string | null]>([
    // the limits, WEB_CONCURRENCY, the words, the remedy
    [{}, 1, "WEB_CONCURRENCY=1 opens up to 44 connections, and PostgreSQL allows 97", null],
    [{}, 3, "WEB_CONCURRENCY=3 opens up to 84 connections, and PostgreSQL allows 97", null],
    [
      {},
      4,
      "opens up to 104 connections, and max_connections (100, of which 3 are reserved) allows 97",
      "Set max_connections to 107 or more, and restart PostgreSQL, or set WEB_CONCURRENCY to 3.",
    ],
    [
      { roleLimit: 30 },
      1,
      "and the connection limit of the role billow allows 30",
      "Give the role billow a CONNECTION LIMIT of 44 or more. ",
    ],
    [
      { roleLimit: 90, databaseLimit: 64, role: "a" },
      8,
      "opens up to 184 connections, and the connection limit of the database bills allows 64",
      "Give the database bills a CONNECTION LIMIT of 184 or more, or set WEB_CONCURRENCY to 2.",
    ],
    [{ roleLimit: 44 }, 1, "PostgreSQL allows 44", null],
    [{ roleLimit: 43 }, 1, "allows 43", "CONNECTION LIMIT of 44 or more. "],
    [{ roleLimit: 50 }, 2, "allows 50", "or set WEB_CONCURRENCY to 1."],
  ])("%j for %d processes: %s", (limits, webConcurrency, says, advice) => {
    expect(judgeConnections({ ...DEFAULT, ...limits }, webConcurrency)).toEqual({
      name: "connections",
      status: advice === null ? "ok" : "warning",
      says: expect.stringContaining(says),
      advice: advice === null ? null : expect.stringContaining(advice),
    });
  });
});

describe("the replicas", () => {
  const replica = (name: string, isAwaited: boolean | null, bytes: number | null, seconds: number | null): Replica => ({
    name,
    isAwaited,
    bytes,
    seconds,
  });
  test.each<[string, Replica[], string, string]>([
    ["none", [], "ok", "no replica follows this server"],
    [
      "one without lag",
      [replica("b", false, 0, 3)],
      "ok",
      "no commit is missing on 1 replica; each commit waits for 0 of them",
    ],
    [
      "one that commits wait for",
      [replica("b", true, 5_000, 1)],
      "ok",
      "no commit is missing on 1 replica; each commit waits for 1 of them",
    ],
    [
      "one behind",
      [replica("b", false, 1, 4)],
      "warning",
      "the replica b is 1 kB behind (4 s): its promotion now loses",
    ],
    [
      "several behind",
      [replica("b", false, 900, 1), replica("c", false, 2_500_000, 60), replica("d", false, null, null)],
      "warning",
      "the replica d has confirmed no commit yet and is not connected (and 2 others less): its promotion now loses",
    ],
    [
      "one that may not be read",
      [replica("b", null, null, null)],
      "warning",
      "the role billow can't read how far 1 replica",
    ],
  ])("%s", (_, replicas, status, says) => {
    expect(judgeReplicas(replicas, "billow")).toMatchObject({ status, says: expect.stringContaining(says) });
  });
});

describe("a promotion", () => {
  const since = parseInstant("2026-03-05T12:00:00Z")!;
  const lost = "PostgreSQL was promoted or restored, and may have lost commits: ";
  test.each<[string, { differences: number; isCompared: boolean }[], boolean, string, string]>([
    ["of none", [], true, "ok", "no charge waits"],
    ["before a worker looks", [], false, "warning", `${lost}the next worker holds off-session charges`],
    [
      "before the comparison",
      [{ differences: 3, isCompared: false }],
      true,
      "warning",
      `${lost}off-session charges of 1 account wait since 2026-03-05T12:00:00.000Z for the provider's book`,
    ],
    [
      "with charges that were lost",
      [
        { differences: 2, isCompared: true },
        { differences: 0, isCompared: false },
      ],
      true,
      "fault",
      "of 2 accounts wait since 2026-03-05T12:00:00.000Z, and the provider's book shows 2 new differences",
    ],
  ])("%s", (_, held, isNoticed, status, says) => {
    const accounts = held.map((each) => ({ since, ...each }));
    expect(judgePromotion(accounts, isNoticed)).toMatchObject({ status, says: expect.stringContaining(says) });
  });
});
