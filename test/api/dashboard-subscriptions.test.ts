import { afterAll, beforeAll, expect, test } from "vitest";
import { addDays24, formatInstant, parseInstant } from "../../src/domain/calendar.ts";
import { newId } from "../../src/ids.ts";
import { caller, type Json } from "../support/app.ts";
import { openDashboard, type Desk } from "../support/dashboard.ts";
import { actionFieldsOf, doAction, joinAs, seen } from "../support/form-actions.ts";
import { wordsOf } from "../support/pages.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

let story: Story;
let owner: Desk;
let support: Desk;
let home: string;
let pro: Json;
let team: Json;
beforeAll(async () => {
  story = await startStory({ clock: "2026-03-01T09:00:00Z" }, { trustedProxies: ["127.0.0.1"] });
  const benefit = async (key: string, name: string) =>
    (await story.ok(story.app.manage("POST", "/benefits", { key, name, type: "feature" }))).id;
  const [reports, seats] = [await benefit("reports", "Reports"), await benefit("seats", "Seats")];
  pro = await story.plan("pro", 3000, { name: "Pro", benefitIds: [reports], group: "plans" });
  team = await story.plan("team", 6000, { name: "Team", benefitIds: [seats], group: "plans" });
  home = `/dashboard/${story.app.organization.id}`;
  owner = await openDashboard(story.app);
  support = await joinAs(story.app, "support");
});
afterAll(() => story.close());

let buyers = 0;
/** A new Customer that has bought Pro. */
const buy = (card: string = CARDS.pays): Promise<Json> => {
  buyers += 1;
  return story.buy({ productKey: "pro", customer: { email: `buyer${buyers}@example.com`, name: "Ada" } }, card);
};
const customerPath = ({ customerId }: Json) => `${home}/customers/${customerId}`;
const pathOf = (subscription: Json, page: string) =>
  `${customerPath(subscription)}/subscriptions/${subscription.id}/${page}`;
const wanted = (more: Record<string, string> = {}) => new URLSearchParams({ productId: team.id, ...more });
const location = (answer: { headers: Headers }) => answer.headers.get("Location");
const read = async (path: string, desk = support) => {
  const { status, text } = await seen(desk, path);
  return { status, text, words: wordsOf(text) };
};
const PAGES = ["change", "change/outcome", "cancel", "undo-cancellation", "cancel-now", "keep-plan"];
const lastOperation = async () => (await story.ok(story.app.manage("GET", "/audit-log?limit=1"))).data[0];

test("the page of a Customer links the actions that the state and the role allow", async () => {
  const bought = await buy();
  const readOnly = await joinAs(story.app, "read_only");
  const actions = async (desk: Desk) =>
    ["change", "cancel", "undo-cancellation", "cancel-now", "keep-plan", "pause", "resume"].filter((page) =>
      desk === readOnly ? false : text.includes(`"${pathOf(bought, page)}"`),
    );
  let { text } = await read(customerPath(bought));
  expect(await actions(support)).toEqual(["change", "cancel", "cancel-now", "pause"]);
  expect((await read(customerPath(bought), readOnly)).text).not.toContain("/subscriptions/sub_");
  await story.change(bought.id, { productKey: "team", prorationBehavior: "next_period" });
  ({ text } = await read(customerPath(bought)));
  expect(await actions(support)).toEqual(["change", "cancel", "cancel-now", "keep-plan", "pause"]);
  expect(wordsOf(text)).toContain("Changes to Team 1 Apr 2026");
  await story.change(bought.id, { cancelAtPeriodEnd: true });
  ({ text } = await read(customerPath(bought)));
  expect(await actions(support)).toEqual(["change", "undo-cancellation", "cancel-now"]);
  await story.change(bought.id, { cancelAtPeriodEnd: false });
  await story.ok(story.app.manage("POST", `/subscriptions/${bought.id}/pause`, { access: "keep" }));
  ({ text } = await read(customerPath(bought)));
  expect(await actions(support)).toEqual(["change", "cancel-now", "keep-plan", "pause", "resume"]);
  await story.ok(story.app.manage("POST", `/subscriptions/${bought.id}/cancel-now`));
  ({ text } = await read(customerPath(bought)));
  expect(await actions(support)).toEqual([]);
});

test("a pause is scheduled with its day and its access, is changed, is undone, and ends with a charge", async () => {
  const bought = await buy();
  const page = pathOf(bought, "pause");
  expect((await read(page)).words).toMatch(/Begins \d+ \w+ 2026, 09:00 Invoices None during the pause/);
  const resumesAt = formatInstant(addDays24(parseInstant(bought["currentPeriodEnd"])!, 60));
  await story.news();
  const faulty = await doAction(support, page, { access: "revoke", resumesAt: "2026-03-02" });
  expect(faulty.status).toBe(422);
  expect(faulty.text).toContain('id="resumesAt-fault"');
  const done = await doAction(support, page, { access: "revoke", resumesAt: resumesAt.slice(0, 10) });
  expect(location(done)).toBe(`${customerPath(bought)}?done=paused#${bought.id}`);
  expect(await story.subscription(bought.id)).toMatchObject({ pause: { access: "revoke" } });
  expect(await lastOperation()).toMatchObject({ operation: "pauseSubscription", resourceId: bought.id });
  await doAction(support, page, { access: "keep", resumesAt: "" });
  expect(await story.subscription(bought.id)).toMatchObject({ pause: { access: "keep", resumesAt: null } });
  const resume = pathOf(bought, "resume");
  expect((await read(resume)).words).toContain("the pause has not begun, and is undone");
  expect(location(await doAction(support, resume))).toBe(`${customerPath(bought)}?done=unpaused#${bought.id}`);
  expect((await read(resume)).words).toContain("No pause is scheduled.");
  expect(await story.news()).toEqual(["subscription.updated", "subscription.updated", "subscription.updated"]);
});

test("a change shows the exact preview, and the click charges exactly this amount, once", async () => {
  const bought = await buy();
  await story.news();
  const page = pathOf(bought, "change");
  const plans = await read(page);
  expect(plans.words).toMatch(/Pro US\$30\.00 every month Reports Current plan Team US\$60\.00 .* Seats Preview/);
  const { text, words } = await read(`${page}?${wanted()}`);
  expect(words).toContain("Due now US$30.00 , charged to Visa •••• 4242");
  expect(words).toContain("New price US$60.00, every month The plan changes Now");
  expect(words).toContain("Added Benefits Seats Removed Benefits Reports");
  expect(words).toContain("Next invoice 1 Apr 2026, 09:00 : US$60.00");
  expect(words).toContain("Charge US$30.00 and change to Team");

  const fields = actionFieldsOf(text)!;
  const done = await support.post(page, fields);
  expect([done.status, location(done)]).toEqual([303, `${customerPath(bought)}?done=plan#${bought.id}`]);
  expect(await story.news()).toEqual([
    "payment.succeeded",
    "subscription.updated",
    "invoice.created",
    "invoice.paid",
    "benefit_grant.revoked",
    "benefit_grant.granted",
  ]);
  const again = await support.post(page, fields);
  expect([again.status, location(again)]).toEqual([303, pathOf(bought, "change/outcome")]);
  expect((await read(pathOf(bought, "change/outcome"))).words).toContain("The plan is Team . No change is scheduled.");
  const { data } = await story.ok(story.app.manage("GET", `/payments?customerId=${bought.customerId}`));
  expect(data.map(({ amount }: Json) => amount)).toEqual([3000, 3000]);
  expect((await story.subscription(bought.id)).productId).toBe(team.id);
  expect((await read(`${customerPath(bought)}?done=plan`)).words).toContain("The plan has been changed.");
  expect(await lastOperation()).toMatchObject({
    actor: { type: "user" },
    operation: "updateSubscription",
    resourceId: bought.id,
    values: { productId: team.id, price: "catalogue", prorationBehavior: "invoice_now" },
  });
});

test("a preview that has changed is shown again before a change is made", async () => {
  const bought = await buy();
  const page = pathOf(bought, "change");
  const fields = actionFieldsOf((await read(`${page}?${wanted()}`)).text)!;
  await story.travel("2026-03-11");
  const refused = await support.post(page, fields);
  expect(refused.status).toBe(409);
  expect(wordsOf(refused.text)).toContain("The data has changed since you opened this page.");
  expect(wordsOf(refused.text)).toMatch(/Due now US\$(19|20)\.\d\d/);
  expect((await story.subscription(bought.id)).productId).toBe(pro.id);
  // Another price and another card are changes, too.
  for (const change of [
    { expectedPrice: "5999" },
    { expectedCard: "pm_x" },
    { expectedAmount: "" },
    { expectedEnd: "2026-04-01T00:00:00Z" },
  ]) {
    const fresh = actionFieldsOf((await read(`${page}?${wanted()}`)).text)!;
    expect((await support.post(page, { ...fresh, ...change })).status, JSON.stringify(change)).toBe(409);
  }
  const agreed = await support.post(page, actionFieldsOf(refused.text)!);
  expect(agreed.status).toBe(303);
  expect((await story.subscription(bought.id)).productId).toBe(team.id);
});

test("a new price of the current plan has a preview of its own, and a planned change is kept apart", async () => {
  const bought = await buy();
  const price = (amount: number, currency = "usd") =>
    story.ok(story.app.manage("PATCH", `/products/${pro.id}`, { prices: [{ currency, amount }] }));
  await price(3300);
  const page = pathOf(bought, "change");
  await story.change(bought.id, { productId: team.id, prorationBehavior: "next_period" });
  expect((await read(page)).words).toContain("Current plan Keep this plan Preview the new price");
  const toPro = new URLSearchParams({ productId: pro.id, prorationBehavior: "next_period" });
  expect((await read(`${page}?${toPro}`)).words).toContain("New price US$33.00, every month");
  expect((await doAction(support, `${page}?${toPro}`)).status).toBe(303);
  expect(await story.subscription(bought.id)).toMatchObject({
    amount: 3000,
    pendingChange: { productId: pro.id, amount: 3300 },
  });
  expect((await read(page)).words).toContain("Current plan New price scheduled Keep this plan");
  // The plan is kept at the price as sold, also without any price in this currency.
  await price(3300, "eur");
  expect((await read(pathOf(bought, "keep-plan"))).words).toMatch(/Next invoice \d+ Apr 2026, 09:00 : US\$30\.00/);
  expect((await doAction(support, pathOf(bought, "keep-plan"))).status).toBe(303);
  expect(await story.subscription(bought.id)).toMatchObject({ amount: 3000, pendingChange: null });
  await price(3000);
});

test("a change may wait for the end of the period, undo a cancellation, and be withdrawn", async () => {
  const bought = await buy();
  await story.change(bought.id, { cancelAtPeriodEnd: true });
  const page = pathOf(bought, "change");
  const { words } = await read(`${page}?${wanted({ prorationBehavior: "next_period" })}`);
  expect(words).toContain("Due now No charge New price US$60.00, every month The plan changes");
  expect(words).toMatch(/Cancellation The end on \d+ Apr 2026, 09:00 is undone/);
  expect(words).toContain("Schedule the change to Team");
  await story.news();
  const done = await doAction(support, `${page}?${wanted({ prorationBehavior: "next_period" })}`);
  expect(location(done)).toBe(`${customerPath(bought)}?done=planned#${bought.id}`);
  expect(await story.news()).toEqual(["subscription.cancellation_undone", "subscription.updated"]);
  expect(await story.subscription(bought.id)).toMatchObject({
    cancelAtPeriodEnd: false,
    pendingChange: { productId: team.id },
  });

  expect((await read(page)).words).toContain("Keep this plan");
  const keep = pathOf(bought, "keep-plan");
  expect((await read(keep)).words).toMatch(/The plan stays Pro Canceled change Team , \d+ Apr 2026/);
  expect(location(await doAction(support, keep))).toBe(`${customerPath(bought)}?done=kept#${bought.id}`);
  expect((await story.subscription(bought.id)).pendingChange).toBeNull();
  expect((await read(keep)).words).toContain("No change of the plan is scheduled.");
});

test.each([
  ["a declined card", CARDS.failsLater, "was declined"],
  ["a bank that asks", CARDS.asksBuyer, "authentic"],
])("%s leaves the plan, and the next page has a page for the buyer", async (_, card, reason) => {
  const bought = await buy();
  await story.newCard(bought.customerId, card);
  const page = pathOf(bought, "change");
  const fields = actionFieldsOf((await read(`${page}?${wanted()}`)).text)!;
  const left = await support.post(page, fields);
  expect([left.status, location(left)]).toEqual([303, pathOf(bought, "change/outcome")]);
  const { text, words } = await read(location(left)!);
  expect(words).toContain("The plan has not been changed. The buyer must take the next step.");
  expect(words).toContain(reason);
  const [, url] = /href="(http[^"]+\/checkout\/chk_[^"]+)"/.exec(text) ?? [];
  expect((await fetch(url!)).status).toBe(200);
  expect((await story.subscription(bought.id)).productId).toBe(pro.id);
  expect((await read(customerPath(bought))).words).toContain("A change waits for the buyer See the change");
  // The same form again neither charges nor opens another page.
  expect(location(await support.post(page, fields))).toBe(pathOf(bought, "change/outcome"));
  const { data } = await story.ok(story.app.manage("GET", `/checkouts?status=open&subscriptionId=${bought.id}`));
  expect(data).toHaveLength(1);
});

test("without a card the click makes a page for the buyer", async () => {
  const { id } = await story.ok(story.app.api("POST", "/customers", { email: "cardless@example.com" }));
  const free = { customerId: id, productKey: "pro", amount: 0 };
  const subscription = await story.ok(story.app.manage("POST", "/subscriptions", free));
  const page = pathOf(subscription, "change");
  expect((await read(`${page}?${wanted()}`)).words).toContain("There is no card that can be charged");
  expect(location(await doAction(support, `${page}?${wanted()}`))).toBe(pathOf(subscription, "change/outcome"));
  expect((await read(pathOf(subscription, "change/outcome"))).text).toContain("/checkout/chk_");
});

test("a change that is not possible is explained, and a sent form is refused", async () => {
  const bought = await buy();
  const page = pathOf(bought, "change");
  const fields = actionFieldsOf((await read(`${page}?${wanted()}`)).text)!;
  const same = await read(`${page}?${new URLSearchParams({ productId: pro.id })}`);
  expect(same.words).toContain("The Subscription has this plan at this price already.");
  await story.ok(story.app.manage("POST", `/subscriptions/${bought.id}/cancel-now`));
  expect((await read(`${page}?${wanted()}`)).words).toContain("The Subscription has ended.");
  const refused = await support.post(page, fields);
  expect([refused.status, wordsOf(refused.text)]).toEqual([
    409,
    expect.stringContaining("The Subscription has ended."),
  ]);
  const bad = await support.send(page, { once: fields["once"]!, productId: "prd_x" });
  expect(bad.status).toBe(422);
});

test("a cancellation says the last day and the lost access, keeps its reason, and can be undone", async () => {
  const bought = await buy();
  const page = pathOf(bought, "cancel");
  const { words } = await read(page);
  expect(words).toMatch(/Due now No charge Ends \d+ Apr 2026, 09:00 Access that is lost Reports Next invoice None/);
  await story.news();
  const reason = { cancellationReason: "unused", cancellationComment: "Moved to paper" };
  const done = await doAction(support, page, reason);
  expect(location(done)).toBe(`${customerPath(bought)}?done=ending#${bought.id}`);
  expect(await story.news()).toEqual(["subscription.cancellation_scheduled"]);
  expect(await story.subscription(bought.id)).toMatchObject({ cancelAtPeriodEnd: true, ...reason });
  expect((await read(page)).words).toContain("The Subscription ends with its period already.");

  const undo = pathOf(bought, "undo-cancellation");
  expect((await read(undo)).words).toMatch(/Renews \d+ Apr 2026, 09:00/);
  expect(location(await doAction(support, undo))).toBe(`${customerPath(bought)}?done=resumed#${bought.id}`);
  expect(await story.news()).toEqual(["subscription.cancellation_undone"]);
  expect((await read(undo)).words).toContain("No cancellation is scheduled.");
});

test("a reason that the API does not know is refused at its field", async () => {
  const bought = await buy();
  const refused = await doAction(support, pathOf(bought, "cancel"), { cancellationReason: "boredom" });
  expect(refused.status).toBe(422);
  expect(refused.text).toContain('id="cancellationReason-fault"');
  expect((await story.subscription(bought.id)).cancelAtPeriodEnd).toBe(false);
});

test("the last invoice of a cancellation at once is shown, then made", async () => {
  const bought = await buy();
  await story.change(bought.id, { productKey: "team", prorationBehavior: "next_invoice" });
  await story.travel("2026-03-16");
  const page = pathOf(bought, "cancel-now");
  const { words, text } = await read(page);
  expect(words).toContain("Ends Now Access that is lost Seats");
  expect(words).toContain("Lines of the change");
  const fields = actionFieldsOf(text)!;
  // The Subscription changes meanwhile, so the page is shown again.
  await story.change(bought.id, { cancelAtPeriodEnd: true });
  expect((await support.post(page, fields)).status).toBe(409);
  await story.news();
  const done = await doAction(support, page, { cancellationComment: "At once" });
  expect(location(done)).toBe(`${customerPath(bought)}?done=ended#${bought.id}`);
  expect(await story.news()).toEqual(expect.arrayContaining(["subscription.canceled", "benefit_grant.revoked"]));
  expect(await story.subscription(bought.id)).toMatchObject({ status: "canceled", cancellationComment: "At once" });
  expect(await lastOperation()).toMatchObject({ operation: "cancelSubscriptionNow", resourceId: bought.id });
});

test("a Subscription by hand has a preview, and its first invoice is charged", async () => {
  const bought = await buy();
  await story.ok(story.app.manage("POST", `/subscriptions/${bought.id}/cancel-now`));
  const page = `${customerPath(bought)}/subscriptions/new`;
  const asked = (fields: Record<string, string>) =>
    `${page}?${new URLSearchParams({ productId: pro.id, ...fields, preview: "yes" })}`;
  expect((await read(page)).words).toContain("A Subscription without a Checkout");
  const { words, text } = await read(asked({ amount: "12.50", currency: "" }));
  expect(words).toContain("Due now US$12.50 , charged to Visa •••• 4242 Price US$12.50, every month");
  expect(words).toContain("Create and charge US$12.50");
  const fields = actionFieldsOf(text)!;
  for (const other of [
    { expectedAmount: "1" },
    { expectedPrice: "1300" },
    { expectedCard: "" },
    { expectedCard: newId("pm") },
  ])
    expect((await support.post(page, { ...fields, ...other })).status, JSON.stringify(other)).toBe(409);
  // The refused page shows the present figures, so its own form is accepted.
  const refused = await support.post(page, { ...fields, expectedAmount: "1", expectedPrice: "1300" });
  const shownAgain = actionFieldsOf(refused.text)!;
  const done = await support.post(page, shownAgain);
  expect(location(done)).toMatch(/\?done=subscribed#sub_/);
  expect((await support.post(page, shownAgain)).status).toBe(303);
  await story.settle();
  const { data } = await story.ok(
    story.app.manage("GET", `/subscriptions?customerId=${bought.customerId}&status=active`),
  );
  expect(data.map(({ amount }: Json) => amount)).toEqual([1250]);
  const taken = await read(asked({}));
  expect(taken.words).toContain("The Customer has a Subscription of this group");
});

test("a Subscription by hand may be free, a trial, or begun elsewhere; wrong fields are named", async () => {
  const { id } = await story.ok(story.app.api("POST", "/customers", { email: "hand@example.com" }));
  const page = `${home}/customers/${id}/subscriptions/new`;
  const asked = (fields: Record<string, string>) =>
    `${page}?${new URLSearchParams({ productId: pro.id, ...fields, preview: "yes" })}`;
  expect((await read(asked({ amount: "0" }))).words).toContain("Due now No charge Price US$0.00, every month");
  expect((await read(asked({}))).words).toContain("The Subscription will be past due until the first invoice is paid.");
  expect((await read(asked({ trialEnd: "2026-05-01" }))).words).toContain("The trial ends 1 May 2026, 00:00");
  expect((await read(asked({ startedAt: "2026-02-14" }))).words).toMatch(
    /Started outside of Billow 14 Feb 2026, 00:00/,
  );
  for (const [fields, fault] of [
    [{ amount: "a lot" }, "Enter an amount such as 50.00"],
    [{ trialEnd: "soon" }, "Enter a day such as 2026-10-31."],
    [{ anchorAt: "2026-02-14" }, "Send `startedAt` too."],
    [{ startedAt: "2031-02-14" }, "Enter a day that is not later than today."],
    [{ currency: "eur" }, "no price in EUR"],
    [{ currency: "xyz", amount: "1" }, "This is not an active ISO 4217 currency"],
    [{ amount: "0.01" }, "Enter 0, or at least US$0.50."],
  ] as const)
    expect((await read(asked(fields))).words, fault).toContain(fault);
  const done = await doAction(support, asked({ trialEnd: "2026-05-01" }));
  expect(location(done)).toMatch(/done=subscribed/);
  const { data } = await story.ok(story.app.manage("GET", `/subscriptions?customerId=${id}`));
  expect(data).toMatchObject([{ status: "trialing", trialEnd: "2026-05-01T00:00:00.000Z" }]);
});

test("a Subscription of another Customer, another Organization or no one is not found", async () => {
  const [bought, other] = [await buy(), await buy()];
  const { keys } = await story.app.otherOrganization();
  const foreign = caller(`${story.app.url}/manage/v1`, keys.manage);
  const product = await story.ok(
    foreign("POST", "/products", { key: "x", name: "X", interval: "month", prices: [{ currency: "usd", amount: 0 }] }),
  );
  const stranger = await story.ok(
    caller(`${story.app.url}/public/v2`, keys.public)("POST", "/customers", { email: "s@example.com" }),
  );
  const theirs = await story.ok(foreign("POST", "/subscriptions", { customerId: stranger.id, productId: product.id }));
  for (const id of [other.id, theirs.id, "x"])
    for (const page of [...PAGES, "pause", "resume"]) {
      const path = pathOf({ ...bought, id }, page);
      expect((await owner.get(path)).status, path).toBe(404);
      if (page !== "change/outcome") expect((await owner.send(path)).status, path).toBe(404);
    }
  expect((await owner.get(pathOf({ ...bought, customerId: stranger.id }, "cancel"))).status).toBe(404);
  expect((await read(`${pathOf(bought, "change")}?productId=${product.id}`)).words).toContain("Preview");
});
