import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CARDS, startStory, type Story } from "../support/story.ts";

describe("a cancellation", () => {
  let story: Story;
  let id: string;
  const patch = (body: object) => story.app.api("PATCH", `/subscriptions/${id}`, body);
  const etag = async () => (await story.app.api("GET", `/subscriptions/${id}`)).headers.get("ETag");

  beforeAll(async () => {
    story = await startStory({ clock: "2025-06-01T09:00:00Z" });
    const { id: sso } = await story.ok(
      story.app.manage("POST", "/benefits", { key: "sso", type: "feature", name: "SSO" }),
    );
    await story.plan("pro", 3000, { benefitIds: [sso] });
    await story.plan("basic", 1000);
    ({ id } = await story.buy(
      { productKey: "pro", customer: { email: "ada@example.com", externalId: "ada" } },
      CARDS.pays,
    ));
    await story.news();
    await story.statement();
  });
  afterAll(() => story.close());

  it("2025-06-10: is scheduled: flags only, access stays (rules S1, B3)", async () => {
    await story.travel("2025-06-10");
    const before = await story.subscription(id);
    const canceled = await story.change(id, {
      cancelAtPeriodEnd: true,
      cancellationReason: "too_expensive",
      cancellationComment: "For\nnow",
    });
    expect(canceled).toEqual({
      ...before,
      cancelAtPeriodEnd: true,
      cancelAt: "2025-07-01T09:00:00.000Z",
      canceledAt: "2025-06-10T09:00:00.000Z",
      cancellationReason: "too_expensive",
      cancellationComment: "For\nnow",
      updatedAt: "2025-06-10T09:00:00.000Z",
    });
    expect(await story.news()).toEqual(["subscription.cancellation_scheduled"]);
    const [grant] = (await story.ok(story.app.api("GET", "/benefit-grants?externalCustomerId=ada"))).data;
    expect(grant).toMatchObject({ grantedAt: "2025-06-01T09:00:00.000Z", expiresAt: "2025-07-01T09:00:00.000Z" });
  });

  it("2025-06-11: scheduled again, it changes nothing, but another reason is kept", async () => {
    await story.travel("2025-06-11");
    const before = [await story.subscription(id), await etag()];
    for (const said of [{}, { cancellationReason: "too_expensive" }, { cancellationComment: " For\nnow " }]) {
      expect(await story.change(id, { cancelAtPeriodEnd: true, ...said })).toEqual(before[0]);
    }
    expect([await story.subscription(id), await etag()]).toEqual(before);
    expect(await story.news()).toEqual([]);
    const reasoned = await story.change(id, { cancelAtPeriodEnd: true, cancellationReason: "unused" });
    expect(reasoned).toMatchObject({
      cancellationReason: "unused",
      cancellationComment: "For\nnow",
      canceledAt: "2025-06-10T09:00:00.000Z",
    });
    expect(await story.news()).toEqual(["subscription.updated"]);
  });

  it("2025-06-12: no Product can be chosen meanwhile, unless the same request undoes it", async () => {
    await story.travel("2025-06-12");
    for (const prorationBehavior of ["invoice_now", "next_invoice", "next_period", "none"]) {
      const refused = await patch({ productKey: "basic", prorationBehavior });
      expect(refused).toMatchObject({ status: 409, body: { code: "subscription_cancellation_scheduled" } });
    }
    const changed = await story.change(id, {
      productKey: "basic",
      prorationBehavior: "next_period",
      cancelAtPeriodEnd: false,
    });
    expect(changed).toMatchObject({
      cancelAtPeriodEnd: false,
      cancelAt: null,
      canceledAt: null,
      cancellationReason: null,
      cancellationComment: null,
    });
    expect(changed.pendingChange).toMatchObject({ amount: 1000, effectiveAt: "2025-07-01T09:00:00.000Z" });
    expect(await story.news()).toEqual(["subscription.cancellation_undone", "subscription.updated"]);
  });

  it("2025-06-13: leaves a pending change alone, and so does undoing it (rule S1)", async () => {
    await story.travel("2025-06-13");
    expect(await story.change(id, { cancelAtPeriodEnd: true })).toMatchObject({
      cancelAtPeriodEnd: true,
      pendingChange: { amount: 1000 },
    });
    expect(await story.change(id, { cancelAtPeriodEnd: false })).toMatchObject({
      cancelAtPeriodEnd: false,
      pendingChange: { amount: 1000 },
    });
    expect(await story.change(id, { cancelAtPeriodEnd: false })).toMatchObject({ cancelAtPeriodEnd: false });
    expect(await story.change(id, { cancelAtPeriodEnd: true })).toMatchObject({
      canceledAt: "2025-06-13T09:00:00.000Z",
    });
    const twice = ["subscription.cancellation_scheduled", "subscription.cancellation_undone"];
    expect(await story.news()).toEqual([...twice, twice[0]]);
  });

  it("2025-07-01: ends the Subscription at the period's end, with all that was pending", async () => {
    await story.travel("2025-07-01T08:59:59.999Z");
    expect(await story.access("ada")).toEqual(["SSO"]);
    expect(await story.news()).toEqual([]);
    await story.travel("2025-07-01");
    expect(await story.news()).toEqual(["subscription.canceled", "benefit_grant.revoked"]);
    expect(await story.statement()).toEqual([]);
    expect(await story.access("ada")).toEqual([]);
    expect(await story.subscription(id)).toMatchObject({
      status: "canceled",
      endedAt: "2025-07-01T09:00:00.000Z",
      canceledAt: "2025-06-13T09:00:00.000Z",
      cancellationReason: null,
      pendingChange: null,
      currentPeriodEnd: "2025-07-01T09:00:00.000Z",
    });
  });

  it("2025-07-02: a canceled Subscription stays canceled", async () => {
    await story.travel("2025-07-02");
    const before = [await story.subscription(id), await etag()];
    const bodies = [
      { cancelAtPeriodEnd: true },
      { cancelAtPeriodEnd: false },
      { cancelAtPeriodEnd: true, cancellationReason: "other" },
      { productKey: "pro" },
      { productKey: "basic", prorationBehavior: "next_period" },
      { productKey: "basic", cancelAtPeriodEnd: false },
    ];
    for (const body of bodies)
      expect(await patch(body)).toMatchObject({ status: 409, body: { code: "subscription_canceled" } });
    const now = await story.app.manage("POST", `/subscriptions/${id}/cancel-now`, {});
    expect(now).toMatchObject({ status: 409, body: { code: "subscription_canceled" } });
    expect([await story.subscription(id), await etag()]).toEqual(before);
    expect(await story.news()).toEqual([]);
    expect(await story.audit()).toEqual([]);
  });
});

describe("an undo that comes with a Product", () => {
  it("is made with the change that is charged, or not at all (rule P1)", async () => {
    const story = await startStory({ clock: "2025-06-01T09:00:00Z" });
    try {
      await story.plan("pro", 3000);
      await story.plan("max", 9000);
      const { id, customerId } = await story.buy(
        { productKey: "pro", customer: { email: "ada@example.com" } },
        CARDS.failsLater,
      );
      await story.travel("2025-06-16");
      const scheduled = await story.change(id, { cancelAtPeriodEnd: true, cancellationReason: "unused" });
      await story.news();
      const body = { productKey: "max", cancelAtPeriodEnd: false };
      expect(await story.app.api("PATCH", `/subscriptions/${id}`, body)).toMatchObject({
        status: 402,
        body: { code: "payment_failed" },
      });
      expect(await story.subscription(id)).toEqual(scheduled);
      expect(await story.news()).toEqual(["payment.failed"]);
      await story.newCard(customerId, CARDS.pays);
      const changed = await story.change(id, body);
      expect(changed).toMatchObject({
        amount: 9000,
        cancelAtPeriodEnd: false,
        cancelAt: null,
        cancellationReason: null,
      });
      const undone = ["subscription.cancellation_undone", "subscription.updated"];
      expect(await story.news()).toEqual(["payment.succeeded", ...undone, "invoice.created", "invoice.paid"]);
      expect(await story.audit()).toEqual([]);
    } finally {
      await story.close();
    }
  });
});

/** Lines that waited for the next invoice are billed a last time (rule S4). */
describe("an end with lines that wait", () => {
  let story: Story;
  const bought = async (productKey: string, name: string, card: string = CARDS.pays) =>
    story.buy({ productKey, customer: { email: `${name}@example.com`, externalId: name } }, card);
  const next = (id: string, productKey: string) => story.change(id, { productKey, prorationBehavior: "next_invoice" });

  beforeAll(async () => {
    story = await startStory({ clock: "2025-06-01T09:00:00Z" });
    await story.plan("pro", 3000);
    await story.plan("max", 9000);
    await story.plan("tiny", 3020);
  });
  afterAll(() => story.close());
  const ids: Record<string, string> = {};
  const owners: Record<string, string> = {};

  it("2025-06-16: upgrades and downgrades wait", async () => {
    for (const [name, from, card] of [
      ["up", "pro"],
      ["down", "max"],
      ["now", "pro"],
      ["declined", "pro", CARDS.failsLater],
      ["small", "pro"],
    ] as const) {
      const { id, customerId } = await bought(from, name, card);
      [ids[name], owners[name]] = [id, customerId];
    }
    await story.travel("2025-06-16");
    for (const name of ["up", "now", "declined"]) await next(ids[name]!, "max");
    await next(ids["down"]!, "pro");
    await next(ids["small"]!, "tiny");
    for (const name of ["up", "down", "declined", "small"]) await story.change(ids[name]!, { cancelAtPeriodEnd: true });
    await story.news();
    await story.statement();
  });

  it("2025-06-20: cancel-now charges once for their passed part, and refunds nothing by itself", async () => {
    await story.travel("2025-06-20");
    const body = { cancellationReason: "other", cancellationComment: "Bye" };
    const ended = await story.ok(story.app.manage("POST", `/subscriptions/${ids["now"]}/cancel-now`, body));
    expect(ended).toMatchObject({
      status: "canceled",
      endedAt: "2025-06-20T09:00:00.000Z",
      canceledAt: "2025-06-20T09:00:00.000Z",
      cancellationReason: "other",
      cancellationComment: "Bye",
      cancelAtPeriodEnd: false,
      cancelAt: null,
    });
    await story.settle();
    expect(await story.news()).toEqual([
      "subscription.canceled",
      "invoice.created",
      "payment.succeeded",
      "invoice.paid",
    ]);
    expect(await story.statement()).toEqual([
      "0002 product_change paid 800",
      "     pro, unused rest of the period up to the cancellation -400 2025-06-16 → 2025-06-20",
      "     max, rest of the period up to the cancellation 1200 2025-06-16 → 2025-06-20",
    ]);
  });

  it("2025-07-01: above zero they are charged once, below zero they are balance, a small sum is owed", async () => {
    await story.travel("2025-07-01");
    const last = async (name: string) => {
      const [{ status, totalAmount, amountPaid, balanceApplied }] = (
        await story.ok(story.app.manage("GET", `/invoices?subscriptionId=${ids[name]}`))
      ).data;
      return { status, totalAmount, amountPaid, balanceApplied, balance: await story.balance(owners[name]!) };
    };
    expect(await last("up")).toEqual({
      status: "paid",
      totalAmount: 3000,
      amountPaid: 3000,
      balanceApplied: 0,
      balance: 0,
    });
    expect(await last("down")).toEqual({
      status: "paid",
      totalAmount: -3000,
      amountPaid: 0,
      balanceApplied: -3000,
      balance: 3000,
    });
    expect(await last("declined")).toEqual({
      status: "void",
      totalAmount: 3000,
      amountPaid: 0,
      balanceApplied: 0,
      balance: 0,
    });
    expect(await last("small")).toEqual({
      status: "paid",
      totalAmount: 10,
      amountPaid: 0,
      balanceApplied: 10,
      balance: -10,
    });
    const ended = await Promise.all(Object.values(ids).map((id) => story.subscription(id)));
    expect(ended.map(({ status }) => status)).toEqual(Array(5).fill("canceled"));
  });

  it("2025-07-01: a year on no work is left", async () => {
    await story.news();
    await story.travel("2026-07-01");
    expect(await story.news()).toEqual([]);
    expect(await story.audit()).toEqual([]);
  });
});
