import { afterEach, beforeEach, expect, test } from "vitest";
import { sql } from "../../src/store/driver/db.ts";
import { after, during, isRead, startCutOvers, type Asked, type CutOvers, type Death } from "../support/cut-overs.ts";

let world: CutOvers;
beforeEach(async () => void (world = await startCutOvers()));
afterEach(() => world.close());

const pastStatement = sql(
  "test.period_has_passed",
  `UPDATE subscriptions SET current_period_end = statement_timestamp() - interval '1 minute',
     due_at = statement_timestamp() - interval '1 minute' WHERE organization_id = $1 AND id = $2`,
);
const isCancel = ({ method, path }: Asked) => method === "DELETE" && path.startsWith("/v1/subscriptions/sub_");

test.each<Death>([
  during("the first reading", isRead),
  during("the cancellation", isCancel),
  after("the cancellation", isCancel),
  during("the reading of the end", isRead, 2),
])(
  "a process killed %s is finished by a repetition, without an invoice at Stripe",
  { timeout: 120_000 },
  async (...death) => {
    const { app, stripe, command, imported, bothSides, dieAt } = world;
    const one = await imported();
    expect((await command("cut-over")).code).toBe(0);
    await app.ctx.db.tx((tx) => tx.query(pastStatement, [app.organization.id, one.subscriptionId]));
    await app.runDue();
    await dieAt("finish", death);
    // Billow charges since the cut-over, and Stripe never again.
    const between = await bothSides(one);
    expect([between.here, between.there]).toEqual(["charges", expect.stringMatching(/^(paused|canceled)$/)]);
    const { code, stdout } = await command(`finish ${one.ref}`);
    expect([code, JSON.parse(stdout).results]).toEqual([0, { finished: 1 }]);
    expect(await bothSides(one)).toMatchObject({ state: "finished", there: "canceled", here: "charges" });
    expect([...stripe.book.invoices.values()]).toEqual([]);
  },
);
