import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { MAX_AMOUNT } from "../../src/domain/money.ts";
import { sql } from "../../src/store/driver/db.ts";
import type { FaultKind } from "../payments/stripe/faults.ts";
import { startStripe } from "../payments/stripe/server.ts";
import type { Json } from "../support/app.ts";
import {
  after,
  DAY,
  during,
  isBalance,
  isChange,
  isRead,
  MOVED,
  seconds,
  startCutOvers,
  type Asked,
  type CutOvers,
  type Death,
  type Imported,
} from "../support/cut-overs.ts";
import { until } from "../support/until.ts";

let world: CutOvers;
let app: CutOvers["app"];
let stripe: CutOvers["stripe"];
let commands: CutOvers["commands"];
let command: CutOvers["command"];
let imported: CutOvers["imported"];
let minutePasses: CutOvers["minutePasses"];
let movements: CutOvers["movements"];
let bothSides: CutOvers["bothSides"];
let dieAt: CutOvers["dieAt"];
beforeEach(async () => {
  world = await startCutOvers();
  ({ app, stripe, commands, command, imported, minutePasses, movements, bothSides, dieAt } = world);
});
afterEach(() => world.close());

test("a subscription is stopped at Stripe and charged here, with its balance", { timeout: 60_000 }, async () => {
  const one = await imported({}, -700);
  expect(await bothSides(one)).toEqual({ state: "imported", there: "charges", here: "held", balance: [700, 0] });
  const { code, stdout, stderr } = await command("cut-over");
  expect([code, stderr]).toEqual([0, ""]);
  expect(JSON.parse(stdout)).toMatchObject({
    data: [{ subscription: one.ref, result: "moved", reasons: [], stripeInvoice: null, why: null }],
    account: stripe.accountId,
    results: { moved: 1 },
  });
  expect(await bothSides(one)).toEqual({ state: "moved", there: "paused", here: "charges", balance: [0, 700] });
  const again = await command("cut-over");
  expect([again.code, JSON.parse(again.stdout).data]).toEqual([0, []]);
});

/** Never both sides, and neither of them only with the state that raises the alarm. */
async function expectOneSide(one: Imported): Promise<void> {
  const { there, here, state } = await bothSides(one);
  const charging = [there, here].filter((side) => side === "charges").length;
  expect({ charging, state }).toEqual(
    state === "stopping" ? { charging: expect.any(Number), state } : { charging: 1, state },
  );
  expect(charging).toBeLessThan(2);
}

describe("a process that is killed, and a repetition", { timeout: 120_000 }, () => {
  test.each<Death>([
    during("the first reading", isRead),
    during("the second reading", isRead, 2),
    during("the pause", isChange),
    after("the pause", isChange),
    during("the reading of the pause", isRead, 3),
    during("the movement of the balance", isBalance),
    after("the movement of the balance", isBalance),
    during("the reading of the balance", isRead, 4),
    during("the reading after the release", isRead, 5),
  ])("cut over %s, and let one side charge", async (...death) => {
    const one = await imported({}, -700);
    await dieAt("cut-over", death);
    await expectOneSide(one);
    const { code, stdout } = await command("cut-over");
    expect([code, await bothSides(one)]).toEqual([0, { ...MOVED, balance: [0, 700] }]);
    expect(JSON.parse(stdout).data.map((each: Json) => each.result)).toEqual(death[2] === 5 ? [] : ["moved"]);
    expect(movements()).toEqual([700]);
  });

  test.each<Death>([
    during("the first reading", isRead),
    during("the reading of the hold", isRead, 2),
    during("the movement of the balance", isBalance),
    after("the movement of the balance", isBalance),
    during("the reading of the balance", isRead, 3),
    during("the resume", isChange),
    after("the resume", isChange),
    during("the reading of the resume", isRead, 4),
    during("the reading of the end", isRead, 5),
  ])("undo %s, and give the subscription back", async (...death) => {
    const one = await imported({}, -700);
    expect((await command("cut-over")).code).toBe(0);
    await dieAt(`undo ${one.ref}`, death);
    await expectOneSide(one);
    const { code, stdout } = await command(`undo ${one.ref}`);
    expect([code, JSON.parse(stdout).results]).toEqual([0, { undone: 1 }]);
    const back = { state: "imported", there: "charges", here: "held", balance: [700, 0] };
    expect([await bothSides(one), movements()]).toEqual([back, [700, -700]]);
    expect((await command("cut-over")).code).toBe(0);
    expect([await bothSides(one), movements()]).toEqual([{ ...MOVED, balance: [0, 700] }, [700, -700, 700]]);
  });
});

test("two commands at once move a subscription once, and both say so", { timeout: 120_000 }, async () => {
  const one = await imported({}, -700);
  const fault = stripe.fault(isChange, "slow");
  const first = command(`cut-over ${one.ref}`);
  await fault.struck;
  const second = command(`cut-over ${one.ref}`);
  await until(
    () => stripe.requests.filter(({ path }) => path.endsWith("cus_billow_probe/balance_transactions")).length === 2,
  );
  fault.release();
  for (const { code, stdout } of await Promise.all([first, second]))
    expect([code, JSON.parse(stdout).results]).toEqual([0, { moved: 1 }]);
  expect([await bothSides(one), movements()]).toEqual([{ ...MOVED, balance: [0, 700] }, [700]]);
  expect(stripe.requests.filter(isChange)).toHaveLength(1);
});

describe("a fault of Stripe", { timeout: 120_000 }, () => {
  test.each<[kind: FaultKind, matches: (request: Asked) => boolean]>(
    (["before", "after", "cut", "500", "500 done", "502", "429", "lock 409"] as const).flatMap((kind) => [
      [kind, isChange],
      [kind, isBalance],
      [kind, isRead],
    ]),
  )("%s is repeated, without a second effect: %o", async (kind, matches) => {
    const one = await imported({}, -700);
    stripe.fault(matches, kind);
    const { code, stderr } = await command("cut-over");
    expect([code, stderr]).toEqual([0, ""]);
    expect([await bothSides(one), movements()]).toEqual([{ ...MOVED, balance: [0, 700] }, [700]]);
  });
});

test("after the first paid renewal here, the subscription is canceled at Stripe", { timeout: 120_000 }, async () => {
  const one = await imported({ status: "trialing", trial_end: seconds(60 * DAY), endsAt: seconds(60 * DAY) });
  const other = await imported();
  expect((await command("cut-over")).code).toBe(0);
  const early = await command("finish");
  expect([early.code, JSON.parse(early.stdout).results]).toEqual([3, { waiting: 2 }]);
  await app.ctx.db.tx((tx) => tx.query(pastStatement, [app.organization.id, other.subscriptionId]));
  await app.runDue();
  const { code, stdout } = await command("finish");
  expect([code, JSON.parse(stdout).results]).toEqual([3, { finished: 1, waiting: 1 }]);
  expect(await bothSides(other)).toMatchObject({ state: "finished", there: "canceled", here: "charges" });
  expect(await bothSides(one)).toMatchObject(MOVED);
  expect([...stripe.book.invoices.values()]).toEqual([]);
  const undo = await command(`undo ${other.ref}`);
  expect([undo.code, JSON.parse(undo.stdout).data[0].reasons]).toEqual([3, ["ended_there"]]);
});
const pastStatement = sql(
  "test.period_is_over",
  `UPDATE subscriptions SET current_period_end = statement_timestamp() - interval '1 minute',
     due_at = statement_timestamp() - interval '1 minute' WHERE organization_id = $1 AND id = $2`,
);

test("a new reason, an invoice in between and an end at Stripe stop the way", { timeout: 120_000 }, async () => {
  const near = await imported();
  stripe.book.subscriptions.get(near.ref)!.items.data[0]!.current_period_end = seconds(DAY);
  const gone = await imported({}, -300);
  stripe.operations.cancelSubscription(gone.ref);
  const invoiced = await imported();
  stripe
    .fault((request) => {
      if (!isChange(request) || !request.path.endsWith(invoiced.ref)) return false;
      stripe.operations.invoice(invoiced.customer, invoiced.ref, { status: "paid" });
      return true;
    }, "slow")
    .release();
  const { code, stdout } = await command(`cut-over ${near.ref} ${gone.ref} ${invoiced.ref} sub_unknown`);
  const rows = JSON.parse(stdout).data.map(({ result, reasons }: Json) => [result, ...reasons]);
  const stays = ["stays", "renewal_near"];
  expect([code, rows]).toEqual([3, [stays, ["left"], ["stays", "invoice_made"], ["not_imported"]]]);
  expect(await bothSides(near)).toMatchObject({ state: "imported", there: "charges", here: "held" });
  expect(await bothSides(gone)).toMatchObject({ state: "left", there: "canceled", here: "canceled" });
  expect(await bothSides(invoiced)).toMatchObject({ state: "imported", there: "charges", here: "held" });
});

test("a key that does not fit ends with 1, and stops no subscription", { timeout: 120_000 }, async () => {
  const one = await imported();
  const refused = async (key: string, says: string) => {
    const { code, stdout, stderr } = await command("cut-over", key);
    expect([code, stdout, stderr]).toEqual([1, "", expect.stringContaining(says)]);
  };
  stripe.operations.takePermission(stripe.key, "subscription_write");
  await refused(stripe.key, "The key lacks permissions: Subscriptions: write");
  stripe.operations.givePermission(stripe.key, "subscription_write");
  const other = await startStripe();
  await refused(other.key, "Stripe refuses: the key is not valid");
  await other.close();
  stripe.fault(isChange, "403");
  const { code, stderr } = await command("cut-over");
  expect([code, stderr]).toEqual([1, expect.stringContaining("Repeat the command: it goes on where it stopped.")]);
  expect(await bothSides(one)).toMatchObject({ state: "stopping", there: "charges", here: "held" });
  expect((await command("cut-over")).code).toBe(0);
  expect(await bothSides(one)).toMatchObject(MOVED);
});

test("a Subscription that Billow refuses goes back to Stripe, and the others go on", { timeout: 120_000 }, async () => {
  const [full, one] = [await imported({}, -700), await imported()];
  const most = { currency: "usd", amount: MAX_AMOUNT, reason: "As much as there can be" };
  await app.manage("POST", `/customers/${full.customerId}/balance-adjustments`, most);
  const { code, stdout } = await command(`cut-over ${full.ref} ${one.ref}`);
  const rows = JSON.parse(stdout).data.map(({ result, reasons }: Json) => [result, ...reasons]);
  expect([code, rows]).toEqual([3, [["stays", "refused_here"], ["moved"]]]);
  const back = { state: "imported", there: "charges", here: "held", balance: [700, MAX_AMOUNT] };
  expect([await bothSides(full), movements()]).toEqual([back, [700, -700]]);
  expect(await bothSides(one)).toMatchObject(MOVED);
});

test("a moved subscription that is charged or changed here does not go back", { timeout: 120_000 }, async () => {
  const [invoiced, changed, spent] = [await imported(), await imported(), await imported({}, -500)];
  expect((await command("cut-over")).code).toBe(0);
  await app.ctx.db.tx((tx) => tx.query(pastStatement, [app.organization.id, invoiced.subscriptionId]));
  await app.runDue();
  await app.api("PATCH", `/subscriptions/${changed.subscriptionId}`, { cancelAtPeriodEnd: true });
  const taken = { currency: "usd", amount: -100, reason: "Taken" };
  await app.manage("POST", `/customers/${spent.customerId}/balance-adjustments`, taken);
  for (const [{ ref }, refusal] of [
    [invoiced, "invoiced_here"],
    [changed, "changed_here"],
    [spent, "credit_used"],
  ] as const) {
    const { code, stdout } = await command(`undo ${ref}`);
    expect([code, JSON.parse(stdout).data[0]]).toEqual([3, expect.objectContaining({ reasons: [refusal] })]);
  }
  for (const each of [invoiced, changed, spent]) expect(await bothSides(each)).toMatchObject(MOVED);
});

test("wrong options end with 2, and --help has the options, an example and the exit codes", async () => {
  expect(await command("cut-over --limit 0")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("--limit must be"),
  });
  expect(await command("undo")).toMatchObject({ code: 2, stderr: expect.stringContaining("SUBSCRIPTION is missing.") });
  for (const name of ["cut-over", "finish", "undo"]) {
    const { code, stdout } = await commands.billow(["import", "stripe", name, "--help"]);
    expect(code).toBe(0);
    for (const part of ["--format text|csv|json", "--organization", "Example: ", "Exit codes: 0"])
      expect(stdout).toContain(part);
  }
});

test("a process that dies at any commit leaves a way that a repetition goes", { timeout: 300_000 }, async () => {
  let deaths = 0;
  for (let place = 1, isKilled = true; isKilled; place += 1) {
    const one = await imported({}, -700);
    const when = place % 2 === 0 ? "after" : "before";
    const variables = { DOOMED_COMMIT: String(place), DOOMED_WHEN: when };
    const args = ["import", "stripe", "cut-over", one.ref];
    const doomed = { file: "doomed-commit.ts", variables };
    isKilled = (await commands.billow(args, stripe.key, undefined, doomed)).code === null;
    await expectOneSide(one);
    await minutePasses();
    expect((await command(`cut-over ${one.ref}`)).code).toBe(0);
    expect(await bothSides(one)).toEqual({ ...MOVED, balance: [0, 700] });
    if (isKilled) deaths += 1;
  }
  expect(deaths).toBeGreaterThan(8);
  expect(new Set(movements())).toEqual(new Set([700]));
});

test("another total stays without --accept, and --limit ends the run", { timeout: 120_000 }, async () => {
  const rate = stripe.operations.taxRate({ percentage: 20, inclusive: false });
  const taxed = await imported({ default_tax_rates: [rate] });
  const [one, other] = [await imported(), await imported()];
  const limited = await command(`cut-over ${taxed.ref} ${one.ref} ${other.ref} --limit 1`);
  expect([limited.code, JSON.parse(limited.stdout).results]).toEqual([3, { stays: 1, moved: 1 }]);
  expect(JSON.parse(limited.stdout).data[0]).toMatchObject({ subscription: taxed.ref, reasons: ["differs"] });
  expect(await bothSides(other)).toMatchObject({ state: "imported", there: "charges", here: "held" });
  const accepted = await command("cut-over --accept");
  expect([accepted.code, JSON.parse(accepted.stdout).results]).toEqual([0, { moved: 2 }]);
  const { stdout } = await commands.billow(["import", "stripe", "finish", "--format", "csv"], stripe.key);
  const waiting = [taxed, one, other].map(({ ref }) => [ref, "waiting"]).sort();
  const rows = stdout.trim().split(/\r?\n/).slice(1);
  expect(rows.map((row) => row.split(",").slice(0, 2)).sort()).toEqual(waiting);
});
