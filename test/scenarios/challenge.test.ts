import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Json } from "../support/app.ts";
import { get, post, wordsOf } from "../support/pages.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

const BOUGHT = ["payment.succeeded", "subscription.created", "invoice.created", "invoice.paid", "checkout.completed"];

describe("a bank that asks the buyer to authenticate", () => {
  let story: Story;
  const open = async (body: object) => (await story.ok(story.app.api("POST", "/checkouts", body))).id as string;
  const submit = (id: string, card: string = CARDS.asksBuyer) =>
    story.ok(story.app.manage("POST", `/sandbox/checkouts/${id}/pay`, { card }));
  const read = (id: string) => story.ok(story.app.api("GET", `/checkouts/${id}`));
  const customer = (name: string) => ({ customer: { email: `${name}@example.com`, externalId: name } });

  beforeAll(async () => {
    story = await startStory({ clock: "2025-03-03T09:00:00Z" });
    await story.plan("pro", 3000);
    await story.plan("max", 9000);
    await story.plan("trial", 3000, { trialDays: 14 });
    await story.news();
  });
  afterAll(() => story.close());

  it("09:00: the payment waits for the buyer, and then is made, once", async () => {
    const id = await open({ productKey: "pro", ...customer("ada") });
    const { body: submitted } = await story.app.manage("POST", `/sandbox/checkouts/${id}/pay`, {
      card: CARDS.asksBuyer,
    });
    expect(submitted).toMatchObject({ status: "processing", subscriptionId: null, nextAction: { type: "challenge" } });
    expect(await story.news()).toEqual(["customer.created", "checkout.created", "payment.action_required"]);
    expect(await story.books()).toEqual({ paid: [], captured: [] });
    const again = await story.app.manage("POST", `/sandbox/checkouts/${id}/pay`, { card: CARDS.pays });
    expect(again).toMatchObject({ status: 409, body: { code: "checkout_not_open" } });
    await story.answerChallenge(true);
    expect(await story.news()).toEqual(BOUGHT);
    expect(await read(id)).toMatchObject({ status: "completed", lastPaymentError: null });
    expect(await story.books()).toEqual({ paid: [3000], captured: [3000] });
  });

  it("09:00: a challenge that is failed leaves the Checkout open for another card", async () => {
    const id = await open({ productKey: "pro", ...customer("bob") });
    await submit(id);
    await story.answerChallenge(false);
    expect((await story.news()).slice(2)).toEqual([
      "payment.action_required",
      "payment.failed",
      "checkout.payment_failed",
    ]);
    const failed = await read(id);
    expect(failed).toMatchObject({
      status: "open",
      subscriptionId: null,
      lastPaymentError: { code: "authentication_failed" },
    });
    expect(await submit(id, CARDS.pays)).toMatchObject({
      status: "completed",
      lastPaymentError: null,
      nextAction: null,
    });
    expect(await story.news()).toEqual(BOUGHT);
  });

  it("09:00: a card that is only saved for a trial may be asked about too", async () => {
    const id = await open({ productKey: "trial", ...customer("eve") });
    expect(await submit(id)).toMatchObject({ status: "processing", totalAmount: 0 });
    const { text } = await get((await read(id)).url);
    expect(wordsOf(text)).toContain("Use another card");
    expect(wordsOf(text)).not.toContain("Pay with another card");
    await story.answerChallenge(true);
    expect(await story.news()).toEqual([
      "customer.created",
      "checkout.created",
      "subscription.created",
      "checkout.completed",
    ]);
    const { subscriptionId } = await read(id);
    expect(await story.subscription(subscriptionId)).toMatchObject({
      status: "trialing",
      trialEnd: "2025-03-17T09:00:00.000Z",
    });
  });

  it("09:00 to 10:00: the buyer goes away; the group is reserved until an hour is over", async () => {
    const id = await open({ productKey: "pro", expiresInMinutes: 5, ...customer("joe") });
    const other = await open({ productKey: "max", ...customer("joe") });
    const { url } = await submit(id);
    const body = { code: "already_subscribed", subscriptionId: null, checkoutId: id, url };
    const paid = await story.app.manage("POST", `/sandbox/checkouts/${other}/pay`, { card: CARDS.pays });
    expect(paid).toMatchObject({ status: 409, body });
    const third = await story.app.api("POST", "/checkouts", { productKey: "max", ...customer("joe") });
    expect(third).toMatchObject({ status: 409, body });
    await story.news();
    await story.travel("2025-03-03T09:59:59.999Z");
    expect(await read(id)).toMatchObject({ status: "processing", expiresAt: "2025-03-03T09:05:00.000Z" });
    expect(await story.news()).toEqual([]);
    await story.travel("2025-03-03T10:00:00Z");
    expect(await read(id)).toMatchObject({ status: "expired", lastPaymentError: { code: "authentication_failed" } });
    expect(await story.news()).toEqual(["payment.failed", "checkout.payment_failed", "checkout.expired"]);
    expect(await submit(other, CARDS.pays)).toMatchObject({ status: "completed" });
    await story.news();
  });

  it("2025-03-04: where the Checkout has time left, the challenge has too", async () => {
    const id = await open({ productKey: "pro", ...customer("kim") });
    await submit(id);
    await story.travel("2025-03-04T09:59:59Z");
    expect(await read(id)).toMatchObject({ status: "processing" });
    await story.answerChallenge(true);
    expect(await read(id)).toMatchObject({ status: "completed", completedAt: "2025-03-04T09:59:59.000Z" });
    await story.news();
  });

  it("2025-03-04: a buyer that passes at the last moment has paid, though the notice comes too late", async () => {
    const id = await open({ productKey: "pro", expiresInMinutes: 5, ...customer("lou") });
    await submit(id);
    await story.news();
    await story.passAtBank();
    await story.travel("2025-03-04T10:59:59Z");
    expect(await read(id)).toMatchObject({ status: "completed" });
    expect(await story.news()).toEqual(BOUGHT);
    expect(await story.audit()).toEqual([]);
  });
});

describe("a change that the bank asks the buyer about", () => {
  let story: Story;
  let before: Json;
  beforeAll(async () => {
    story = await startStory({ clock: "2025-06-01T09:00:00Z" });
    const { id: sso } = await story.ok(
      story.app.manage("POST", "/benefits", { key: "sso", type: "feature", name: "SSO" }),
    );
    await story.plan("pro", 3000);
    await story.plan("max", 9000, { benefitIds: [sso] });
    const { id } = await story.ok(
      story.app.api("POST", "/checkouts", {
        productKey: "pro",
        customer: { email: "a@example.com", externalId: "ada" },
      }),
    );
    await story.ok(story.app.manage("POST", `/sandbox/checkouts/${id}/pay`, { card: CARDS.asksBuyer }));
    await story.answerChallenge(true);
    before = await story.subscription((await story.ok(story.app.api("GET", `/checkouts/${id}`))).subscriptionId);
    await story.travel("2025-06-16");
    await story.news();
    await story.statement();
  });
  afterAll(() => story.close());

  it("2025-06-16: is refused with 402, and changes nothing (rule P1)", async () => {
    const path = `/subscriptions/${before.id}`;
    const etag = (await story.app.api("GET", path)).headers.get("ETag");
    const refused = await story.app.api("PATCH", path, { productKey: "max" }, { "Idempotency-Key": "max-please" });
    expect(refused).toMatchObject({ status: 402, body: { code: "payment_action_required" } });
    expect(refused.body.declineCode).toBe("authentication_failed");
    expect(refused.body.detail).toBe(
      "The Subscription is unchanged: the buyer's bank wants the buyer to authenticate the payment. " +
        "Send the buyer to `url`, to authenticate there within 23 hours and so finish this very change.",
    );
    for (const member of ["checkoutId", "url"]) expect(refused.body).toHaveProperty(member);
    const after = await story.app.api("GET", path);
    expect([after.body, after.headers.get("ETag")]).toEqual([before, etag]);
    expect(await story.news()).toEqual(["payment.failed"]);
    expect(await story.statement()).toEqual([]);
    expect(await story.access("ada")).toEqual([]);
    const again = await story.app.api("PATCH", path, { productKey: "max" }, { "Idempotency-Key": "max-please" });
    expect([again.status, again.body, again.headers.get("Idempotency-Replayed")]).toEqual([402, refused.body, "true"]);
    expect(await story.news()).toEqual([]);
  });

  it("2025-06-16: another change may follow at once, and one that charges nothing goes through", async () => {
    const { pendingChange } = await story.change(before.id, { productKey: "max", prorationBehavior: "next_period" });
    expect(pendingChange).toMatchObject({ amount: 9000, effectiveAt: "2025-07-01T09:00:00.000Z" });
    expect(await story.audit()).toEqual([]);
  });
});

describe("the page of a change that the bank asks the buyer about (rule P1)", () => {
  let story: Story;
  let page: string;
  let sold: Json;
  const fieldsOf = (text: string) =>
    Object.fromEntries(
      [...text.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [name!, value!]),
    );
  const buy = async (name: string) => {
    const customer = { email: `${name}@example.com`, externalId: name };
    const { id } = await story.ok(story.app.api("POST", "/checkouts", { productKey: "pro", customer }));
    await story.ok(story.app.manage("POST", `/sandbox/checkouts/${id}/pay`, { card: CARDS.asksBuyer }));
    await story.answerChallenge(true);
    sold = await story.subscription((await story.ok(story.app.api("GET", `/checkouts/${id}`))).subscriptionId);
    const refused = await story.app.api("PATCH", `/subscriptions/${sold.id}`, { productKey: "max" });
    expect(refused).toMatchObject({ status: 402, body: { code: "payment_action_required" } });
    page = refused.body.url;
  };
  const confirm = async () => post(page, { ...fieldsOf((await get(page)).text), action: "on-file" });

  beforeAll(async () => {
    story = await startStory({ clock: "2025-06-16T09:00:00Z" }, { trustedProxies: ["127.0.0.1"] });
    await story.plan("pro", 3000);
    await story.plan("max", 9000);
    await buy("ada");
  });
  afterAll(async () => {
    expect(await story.audit()).toEqual([]);
    await story.close();
  });

  it("offers the card on file first, and leads to the bank", async () => {
    const { text } = await get(page);
    expect(wordsOf(text)).toContain("Confirm this payment with your bank");
    expect(wordsOf(text)).toContain("Visa •••• 3220");
    expect(text).not.toContain('name="number"');
    expect((await confirm()).status).toBe(303);
    expect(wordsOf((await get(page)).text)).toContain("Continue to your bank");
    await story.answerChallenge(false);
    expect(wordsOf((await get(page)).text)).toContain("The payment was not confirmed with your bank.");
    expect((await confirm()).status).toBe(303);
    await story.answerChallenge(true);
    expect(await story.subscription(sold.id)).toMatchObject({ amount: 9000 });
    const { data } = await story.ok(story.app.manage("GET", `/customers/${sold.customerId}/payment-methods`));
    expect(data).toMatchObject([{ last4: "3220", isDefault: true }]);
  });

  it("takes another card, too", async () => {
    await buy("grace");
    const other = `${page}?card=other`;
    expect((await get(page)).text).toContain("?card=other");
    const { text } = await get(other);
    const card = { number: CARDS.pays, expiry: "12 / 30", cvc: "123" };
    expect((await post(other, { ...fieldsOf(text), ...card })).status).toBe(303);
    expect(await story.subscription(sold.id)).toMatchObject({ amount: 9000 });
  });

  it("does not charge a card on file for a change that the Customer did not ask for", async () => {
    const customer = { email: "kim@example.com", externalId: "kim" };
    const bought = await story.buy({ productKey: "pro", customer }, CARDS.pays);
    const asked = { productKey: "max", subscriptionId: bought.id };
    page = (await story.ok(story.app.api("POST", "/checkouts", asked))).url;
    expect((await get(page)).text).toContain('name="number"');
    expect((await confirm()).status).toBe(422);
    expect(await story.subscription(bought.id)).toMatchObject({ amount: 3000 });
  });
});

describe("a card that is given while the bank waits for the buyer of another one", () => {
  let story: Story;
  let customerId: string;
  const open = async (productKey: string) =>
    (
      await story.ok(
        story.app.api("POST", "/checkouts", { productKey, customer: { email: "ada@example.com", externalId: "ada" } }),
      )
    ).id;
  const submit = async (id: string, card: string) =>
    (await story.ok(story.app.manage("POST", `/sandbox/checkouts/${id}/pay`, { card }))).status;
  const status = async (id: string) => (await story.ok(story.app.api("GET", `/checkouts/${id}`))).status;
  async function defaultCard(): Promise<string> {
    const { data } = await story.ok(story.app.manage("GET", `/customers/${customerId}/payment-methods`));
    return data.find(({ isDefault }: Json) => isDefault).last4;
  }
  /** The newest payments with their cards, latest first. */
  async function charged(count: number): Promise<string[]> {
    const { data } = await story.ok(story.app.manage("GET", `/payments?customerId=${customerId}&limit=${count}`));
    return data.map(({ trigger, status: outcome, method }: Json) => `${trigger} ${method.last4} ${outcome}`);
  }

  beforeAll(async () => {
    story = await startStory({ clock: "2025-03-03T09:00:00Z" });
    for (const key of ["mail", "files", "chat", "maps"]) await story.plan(key, 3000, { group: key });
  });
  afterAll(() => story.close());

  it("2025-03-03: the earlier purchase is paid later, and the later card stays the default", async () => {
    const mail = await open("mail");
    expect(await submit(mail, CARDS.asksBuyer)).toBe("processing");
    const files = await open("files");
    expect(await submit(files, CARDS.paysToo)).toBe("completed");
    ({ customerId } = await story.ok(story.app.api("GET", `/checkouts/${files}`)));
    await story.answerChallenge(true);
    expect(await status(mail)).toBe("completed");
    expect(await defaultCard()).toBe("5556");
  });

  it("2025-04-03: so the card pays both renewals", async () => {
    await story.travel("2025-04-03");
    expect(await charged(2)).toEqual(["renewal 5556 succeeded", "renewal 5556 succeeded"]);
  });

  it("2025-04-10: two outcomes read together count in order, and the later card is the default, too", async () => {
    const chat = await open("chat");
    expect(await submit(chat, CARDS.asksBuyer)).toBe("processing");
    await story.passAtBank();
    const maps = await open("maps");
    expect(await submit(maps, CARDS.answerLost)).toBe("processing");
    await story.settle();
    const bought = await Promise.all([chat, maps].map((id) => story.ok(story.app.api("GET", `/checkouts/${id}`))));
    expect(bought.map((each) => each.status)).toEqual(["completed", "completed"]);
    expect(bought[0].subscriptionId < bought[1].subscriptionId, "in the order of their attempts").toBe(true);
    expect(await defaultCard()).toBe("0507");
    expect(await story.audit()).toEqual([]);
  });
});
