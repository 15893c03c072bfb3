import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { checkImports } from "../../src/actions/doctor/imports.ts";
import { createMetrics } from "../../src/http/metrics.ts";
import { openStripeWriter } from "../../src/payments/stripe/import/writer.ts";
import { sql } from "../../src/store/driver/db.ts";
import { DAY, isChange, MOVED, seconds, startCutOvers, type CutOvers } from "../support/cut-overs.ts";

let world: CutOvers;
let app: CutOvers["app"];
let stripe: CutOvers["stripe"];
let command: CutOvers["command"];
let imported: CutOvers["imported"];
let rowOf: CutOvers["rowOf"];
let bothSides: CutOvers["bothSides"];
let dieAt: CutOvers["dieAt"];
beforeEach(async () => {
  world = await startCutOvers();
  ({ app, stripe, command, imported, rowOf, bothSides, dieAt } = world);
});
afterEach(() => world.close());

describe("the alarm", { timeout: 120_000 }, () => {
  const statement = sql(
    "test.ten_minutes_pass",
    "UPDATE imports SET stopping_at = stopping_at - interval '10 minutes', checked_at = checked_at - interval '1 day'",
  );
  const timePasses = async () => {
    await app.ctx.db.tx((tx) => tx.query(statement, []));
    await app.runDue();
  };
  const gauge = async () => /^billow_import_alarms (\d+)$/m.exec(await createMetrics(app.ctx).text())?.[1];
  const emails = async () => {
    const { body } = await app.manage("GET", "/emails?kind=import_alarm");
    return body.data.length;
  };
  const doctorSays = async () => (await checkImports(app.ctx, [app.organization])).status;
  beforeEach(async () => void (await app.manage("PATCH", "/organization", { contactEmail: "owner@example.com" })));

  test("comes ten minutes after a cut-over that was cut off, once, and goes with its end", async () => {
    const one = await imported();
    await dieAt("cut-over", ["", isChange, 1, "slow done"]);
    await app.runDue();
    expect([await gauge(), await emails(), await doctorSays()]).toEqual(["0", 0, "ok"]);
    await timePasses();
    await app.runDue();
    expect([await gauge(), await emails(), await doctorSays()]).toEqual(["1", 1, "fault"]);
    expect((await command("cut-over")).code).toBe(0);
    await app.runDue();
    expect([await gauge(), await emails(), await doctorSays()]).toEqual(["0", 1, "ok"]);
    expect(await bothSides(one)).toMatchObject(MOVED);
  });

  test("of the daily check finds one that was resumed, another one, and one that is to end", async () => {
    const [resumed, second, canceled, ending] = [
      await imported(),
      await imported(),
      await imported(),
      await imported(),
    ];
    expect((await command("cut-over")).code).toBe(0);
    await timePasses();
    expect([await gauge(), await emails()]).toEqual(["0", 0]);
    stripe.book.subscriptions.get(resumed.ref)!.pause_collection = null;
    stripe.operations.subscribe(second.customer);
    stripe.operations.cancelSubscription(canceled.ref);
    // The Customer has found the way to Stripe's portal.
    stripe.book.subscriptions.get(ending.ref)!.cancel_at = seconds(20 * DAY);
    await timePasses();
    const problems = async () =>
      Promise.all([resumed, second, canceled, ending].map(async ({ ref }) => (await rowOf(ref)).problem));
    expect(await problems()).toEqual(["running_there", "second_subscription", null, "ends_there"]);
    expect([await gauge(), await emails(), await doctorSays()]).toEqual(["3", 1, "fault"]);
    await timePasses();
    expect(await emails()).toBe(1);
    await app.api("PATCH", `/subscriptions/${ending.subscriptionId}`, { cancelAtPeriodEnd: true });
    const { code, stdout } = await command(`cut-over ${resumed.ref}`);
    expect([code, JSON.parse(stdout).results]).toEqual([0, { moved: 1 }]);
    await timePasses();
    expect([await problems(), await gauge()]).toEqual([[null, "second_subscription", null, null], "1"]);
    const finished = await command(`finish ${canceled.ref}`);
    expect([finished.code, JSON.parse(finished.stdout).results]).toEqual([0, { finished: 1 }]);
  });

  test("of the daily check finds a pause that a restored backup does not know, and the credit comes back", async () => {
    const one = await imported({}, -700);
    // The database of a backup from before the cut-over, and the account after it.
    const of = { ref: one.ref, customerRef: one.customer, mark: one.subscriptionId };
    const writer = openStripeWriter({ key: stripe.key, baseUrl: stripe.url });
    await writer.pause(of, "lost_pause");
    await writer.takeBalance(of, 700, "usd", "lost_balance");
    await timePasses();
    await app.runDue();
    expect([(await rowOf(one.ref)).problem, await gauge(), await emails()]).toEqual(["stopped_there", "1", 1]);
    expect((await command("cut-over")).code).toBe(3);
    expect(await bothSides(one)).toEqual({ state: "imported", there: "charges", here: "held", balance: [700, 0] });
    expect(await gauge()).toBe("0");
    expect((await command("cut-over")).code).toBe(0);
    expect(await bothSides(one)).toEqual({ ...MOVED, balance: [0, 700] });
  });
});
