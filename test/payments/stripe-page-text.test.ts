import { afterAll, beforeAll, expect, test } from "vitest";
import { payOn } from "./stripe/buyer.ts";
import type { StripeServer } from "./stripe/server.ts";
import type { Json } from "../support/app.ts";
import { redirectOf } from "../support/hosted.ts";
import { get, post } from "../support/pages.ts";
import { startStory, type Story } from "../support/story.ts";
import { connectStripe, startStripeBehind } from "../support/stripe.ts";

let stripe: StripeServer;
let story: Story;
beforeAll(async () => {
  stripe = await startStripeBehind();
  story = await startStory({ clock: "2026-01-10T09:00:00Z" });
  await connectStripe(story.app, stripe);
});
afterAll(async () => {
  expect(await story.audit()).toEqual([]);
  await story.close();
  await stripe.close();
});

/** The values of the hidden fields of a form. */
const hidden = (text: string) =>
  Object.fromEntries(
    [...text.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [name!, value!]),
  );

/** The newest page at Stripe: the names on it, and its language. */
function pageText(): [articles: string[], locale: unknown] {
  const session = [...stripe.book.sessions.values()].at(-1)!;
  const lines = stripe.book.hidden.intentData.get(session.id)!["line_items"] as { description: string }[];
  return [lines.map(({ description }) => description), session["locale"]];
}

test("Stripe's page names the Product and later the invoice, in the language of the Checkout", async () => {
  const plan = { key: "pro", name: "Pro für Teams", interval: "month", prices: [{ currency: "usd", amount: 3000 }] };
  await story.ok(story.app.manage("POST", "/products", plan));
  const body = { productKey: "pro", customer: { email: "ada@example.com", externalId: "ada" }, locale: "fr-CH" };
  const checkout = await story.ok(story.app.api("POST", "/checkouts", body));
  const page = redirectOf(checkout.url, await post(checkout.url, { expectedAmount: "3000" }));
  expect(pageText()).toEqual([["Pro für Teams"], "fr"]);

  const { location } = await payOn(page, "4242 4242 4242 4242");
  await get(location);
  await get(checkout.url);
  const card = [...stripe.book.paymentMethods.values()].at(-1)!;
  stripe.operations.turnCard(card.id, "pm_card_chargeCustomerFail");
  await story.travel("2026-02-11");
  const [invoice] = (await story.ok(story.app.manage("GET", "/invoices?status=open"))).data as Json[];
  const { text } = await get(invoice.url);
  await post(invoice.url, hidden(text));
  expect(pageText()).toEqual([[`Facture ${invoice.number}`], "fr"]);
});
