import { describe, expect, test } from "vitest";
import { parseInstant } from "../../domain/calendar.ts";
import { judgeConnections, judgePromotion, judgeReplicas, needOf, needOfStart } from "./server-findings.ts";
import type { Capacity, Replica } from "../../store/server-state.ts";

describe("the connections", () => {
  const DEFAULT: Capacity = {
    maxConnections: 100,
    reserved: 3,
    role: "billow",
    roleLimit: null,
    database: "bills",
    databaseLimit: null,
    others: { all: 0, role: 0, database: 0 },
  };
  test.each<[Partial<Capacity>, number, string, string | null]>([
    // the limits, WEB_CONCURRENCY, the words, the remedy
    [{}, 1, "WEB_CONCURRENCY=1 opens up to 44 connections, and PostgreSQL allows 97", null],
    [{}, 3, "WEB_CONCURRENCY=3 opens up to 84 connections, and PostgreSQL allows 97", null],
    [
      {},
      4,
      "opens up to 104 connections, and max_connections (100, of which 3 are reserved) allows 97",
      "Set max_connections to 107 or more, and restart PostgreSQL, or set WEB_CONCURRENCY to 3, or set DATABASE_CONN",
    ],
    [
      { roleLimit: 30 },
      1,
      "and the connection limit of the role billow allows 30",
      "Give the role billow a CONNECTION LIMIT of 44 or more, or set DATABASE_CONNECTIONS to 30. ",
    ],
    [
      { roleLimit: 90, databaseLimit: 64, role: "a" },
      8,
      "opens up to 184 connections, and the connection limit of the database bills allows 64",
      "of 184 or more, or set WEB_CONCURRENCY to 2, or set DATABASE_CONNECTIONS to 7.",
    ],
    [{ roleLimit: 44 }, 1, "PostgreSQL allows 44", null],
    [{ roleLimit: 9 }, 1, "allows 9", "CONNECTION LIMIT of 44 or more. "],
    [{ roleLimit: 50 }, 2, "allows 50", "or set WEB_CONCURRENCY to 1, or set DATABASE_CONNECTIONS to 16."],
    [
      { others: { all: 60, role: 0, database: 0 } },
      1,
      "allows 97, and other programs use 60 of them: requests beyond that get 503",
      "Set max_connections to 107 or more, and restart PostgreSQL, or set DATABASE_CONNECTIONS to 37.",
    ],
    [{ roleLimit: 44, others: { all: 50, role: 0, database: 50 } }, 1, "PostgreSQL allows 44", null],
    [
      { roleLimit: 50, others: { all: 9, role: 7, database: 9 } },
      1,
      "and other programs use 7 of them",
      "of 51 or more",
    ],
  ])("%j for %d processes: %s", (limits, webConcurrency, says, advice) => {
    const need = needOfStart({ webConcurrency, databaseConnections: null });
    expect(judgeConnections({ ...DEFAULT, ...limits }, need, webConcurrency, "none")).toEqual({
      name: "connections",
      status: advice === null ? "ok" : "warning",
      says: expect.stringContaining(says),
      advice: advice === null ? null : expect.stringContaining(advice),
    });
  });

  test("are those that an operator allows each process", () => {
    const need = needOfStart({ webConcurrency: 3, databaseConnections: 20 });
    const says = "WEB_CONCURRENCY=3 with DATABASE_CONNECTIONS=20 opens up to 80 connections, and PostgreSQL allows 97";
    expect(judgeConnections(DEFAULT, need, 3, "none")).toMatchObject({ status: "ok", says });
  });

  test.each([
    ["serve", 20],
    ["work", 24],
  ] as const)("of a process that does %s alone are %d", (duty, connections) => {
    const need = needOf(duty, { webConcurrency: 1, databaseConnections: null });
    expect(judgeConnections({ ...DEFAULT, roleLimit: 15 }, need, 1, "none")).toEqual({
      name: "connections",
      status: "warning",
      says:
        `This process opens up to ${connections} connections, and the connection limit of the role billow allows 15: ` +
        "requests beyond that get 503",
      advice: expect.stringContaining(` of ${connections} or more, or set DATABASE_CONNECTIONS to 15. Other`),
    });
  });

  test("over a pooler are the pooler's", () => {
    const need = needOfStart({ webConcurrency: 8, databaseConnections: null });
    const says =
      "WEB_CONCURRENCY=8 opens up to 184 connections to a pooler, which must accept them (max_client_conn in";
    expect(judgeConnections(DEFAULT, need, 8, "transaction")).toMatchObject({
      status: "ok",
      says: expect.stringContaining(says),
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
