import { beforeAll, describe, expect, test } from "vitest";
import { STAY_REASONS } from "../../src/domain/import/stay-reasons.ts";
import { PERMISSIONS, PREVIEW_PERMISSION } from "../../src/payments/stripe/import/reader.ts";
import { WRITE_PERMISSIONS } from "../../src/payments/stripe/import/writer.ts";
import { blocksOf, commandsOf, readDocument } from "../support/guide.ts";
import { figuresOf, rehearse, reportOf, type Rehearsal } from "./rehearsal.ts";

/** `npm run rehearse` sets this, and prints the forecast by day. */
const PRINTS = process.env["REHEARSE"] === "yes";

describe("a rehearsal with 300 subscriptions", () => {
  let found: Rehearsal;
  let guide: string;
  beforeAll(async () => {
    guide = await readDocument("docs/guides/move-from-stripe.md");
    found = await rehearse();
    if (PRINTS) process.stdout.write(`${reportOf(found)}\n`);
  }, 900_000);

  test("has the same next cycle before and after, but for the totals that the seller has accepted", () => {
    const accepted = found.cutOvers.at(-1)!.out.data.filter(({ result }: { result: string }) => result === "moved");
    expect(found.differing.map(({ subscription }) => subscription).sort()).toEqual(
      accepted.map(({ subscription }: { subscription: string }) => subscription).sort(),
    );
    for (const { before, after } of found.differing)
      expect([before!.day, before!.currency]).toEqual([after!.day, after!.currency]);
  });

  test("charges no buyer twice, and forgets none", () => {
    const { company, charges, after } = found;
    const subscriptions = new Map<string, number>();
    for (const { customer, id } of company.members)
      if (after.has(id)) subscriptions.set(customer, (subscriptions.get(customer) ?? 0) + 1);
    for (const [customer, number] of charges)
      expect(number, customer).toBeLessThanOrEqual(subscriptions.get(customer)!);
    // Credit pays some first renewals without a charge, and an unpaid invoice has none.
    expect([...found.before.keys()].filter((id) => !after.has(id))).toEqual([]);
  });

  test("has the figures and the commands of the guide", () => {
    const printed = blocksOf(guide).find(({ mark }) => mark === "rehearsal")!.code;
    expect(printed.trim()).toBe(figuresOf(found));
    const lines = commandsOf(guide).join("").trim().split("\n");
    const args = lines.map((line) => /^node bin\/billow\.mjs import stripe (.+) < \S+$/.exec(line)![1]!);
    expect(args.filter((each) => !each.startsWith("undo "))).toEqual(found.played);
  });
});

describe("the guide", () => {
  let guide: string;
  beforeAll(async () => void (guide = await readDocument("docs/guides/move-from-stripe.md")));

  test("explains each reason for which a subscription stays", () => {
    const explained = [...guide.matchAll(/^\| `([a-z_]+)` +\|/gm)].map(([, reason]) => reason);
    expect(explained).toEqual(STAY_REASONS);
  });

  test("has each permission of the two keys", () => {
    const [, rows] = /\*\*read\*\* for ([^;|]+); for `import` also \*\*write\*\* for (\w+) /.exec(guide)!;
    expect(rows!.split(", ").map((row) => `${row}: read`)).toEqual(PERMISSIONS.map(([name]) => name));
    expect(guide).toContain("also **write** for Invoices");
    expect(PREVIEW_PERMISSION).toBe("Invoices: write");
    const [, written] = /the same as for `import`, and \*\*write\*\* for ([^|]+?) +\|/.exec(guide)!;
    expect(written!.split(" and ").map((row) => `${row}: write`)).toEqual(WRITE_PERMISSIONS.map(([name]) => name));
  });
});
