import { expect, test } from "vitest";
import type { Context } from "../../src/context.ts";
import { operate } from "../support/operate.ts";
import { killedAt, letLeasesRunOut } from "../support/processes.ts";
import { CARDS, startStory } from "../support/story.ts";

/**
 * Voids an invoice with a waiting challenge, in a process that dies at its `n`th turn to the database. True if it
 * died.
 */
async function voidDyingAt(n: number): Promise<boolean> {
  const story = await startStory({ clock: "2025-01-10T09:00:00Z" });
  const { ctx, manage, organization } = story.app;
  try {
    await story.plan("pro", 3000);
    const { customerId } = await story.buy({ productKey: "pro", customer: { email: "ada@example.com" } }, CARDS.pays);
    await story.newCard(customerId, CARDS.asksBuyer);
    await story.travel("2025-02-11");
    const [{ id }] = (await story.ok(manage("GET", "/invoices?status=open"))).data;
    const act = (world: Context) =>
      operate(world, organization.id, "voidInvoice", { params: { invoiceId: id }, key: "k" });

    const dying = killedAt(ctx, n);
    const died = await Promise.race([act(dying.ctx).then(() => false), dying.died.then(() => true)]);
    await letLeasesRunOut(ctx.db);
    await story.app.runDue();
    expect(await story.audit()).toEqual([]);
    expect((await act(ctx)).status).toBe(200);
    expect(await story.ok(manage("GET", `/invoices/${id}`))).toMatchObject({ status: "void" });
    const { data } = await story.ok(manage("GET", `/payments?invoiceId=${id}`));
    expect(data).toMatchObject([{ status: "failed", failureCode: "authentication_failed" }]);
    expect(await story.audit()).toEqual([]);
    expect((await story.books()).captured).toEqual([3000]);
    return died;
  } finally {
    await story.close();
  }
}

test("an invoice with a challenge is void once, at any moment that the process voiding it dies", async () => {
  let n = 1;
  while (await voidDyingAt(n)) n += 1;
  expect(n).toBeGreaterThan(4);
});
