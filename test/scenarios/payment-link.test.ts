import { afterAll, beforeAll, expect, test } from "vitest";
import { get, post } from "../support/pages.ts";
import { formOf, makeLink } from "../support/payment-links.ts";
import { CARDS, startStory, type Story } from "../support/story.ts";

let story: Story;
beforeAll(async () => {
  story = await startStory({ clock: "2026-02-01T09:00:00Z" }, { trustedProxies: ["127.0.0.1"] });
});
afterAll(() => story.close());

test("a link sells a Subscription that renews, while the link is off and its Product archived", async () => {
  const { app, ok } = story;
  const product = await story.plan("pro", 2000, { name: "Pro" });
  const { id, url } = await makeLink(app, ["pro"], { metadata: { campaign: "spring" } });

  const page = await get(`${url}?reference=letter-7`);
  const sent = await post(url, formOf(page.text, product.id));
  const checkoutId = /chk_\w{26}/.exec(sent.headers.get("Location")!)![0];
  const created = (await ok(app.manage("GET", "/events?type=checkout.created&limit=1"))).data[0].data;
  expect(created).toMatchObject({
    id: checkoutId,
    paymentLinkId: id,
    customerId: null,
    metadata: { campaign: "spring", reference: "letter-7" },
  });

  const pay = { card: CARDS.pays, email: "ada@example.com" };
  const paid = await ok(app.manage("POST", `/sandbox/checkouts/${checkoutId}/pay`, pay));
  expect(paid).toMatchObject({ status: "completed" });
  const completed = (await ok(app.manage("GET", "/events?type=checkout.completed&limit=1"))).data[0].data;
  expect(completed).toMatchObject({ id: checkoutId, paymentLinkId: id, amountDue: 2000 });

  await ok(app.manage("PATCH", `/payment-links/${id}`, { active: false }));
  await ok(app.manage("PATCH", `/products/${product.id}`, { archived: true }));
  expect((await get(url)).status).toBe(410);

  await story.travel("2026-03-01");
  const invoices = await ok(app.manage("GET", `/invoices?subscriptionId=${paid.subscriptionId}`));
  expect(
    invoices.data.map(({ status, totalAmount }: { status: string; totalAmount: number }) => [status, totalAmount]),
  ).toEqual([
    ["paid", 2000],
    ["paid", 2000],
  ]);
  const link = await ok(app.manage("GET", `/payment-links/${id}`));
  expect(link).toMatchObject({ active: false, checkouts: 1, purchases: 1 });
});
