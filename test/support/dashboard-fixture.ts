import type { Json } from "./app.ts";
import { openDashboard, type Desk } from "./dashboard.ts";
import { CARDS, startStory, type Story } from "./story.ts";

/** A sandbox on 1 March 2026 with a row of each list, and its owner at the dashboard. */
export type Fixture = {
  story: Story;
  owner: Desk;
  /** The path of the Organization's dashboard. */
  home: string;
  /** Subscriptions. Ada's first charge has a refund and then a dispute. Grace's is past due. */
  ada: Json;
  grace: Json;
  invoice: Json;
  refund: Json;
  dispute: Json;
  /** A Checkout without a Customer. */
  checkout: Json;
  discount: Json;
};

export async function startFixture(): Promise<Fixture> {
  const story = await startStory(
    { clock: "2026-03-01T09:00:00Z", timeZone: "America/New_York" },
    { trustedProxies: ["127.0.0.1"] },
  );
  const { app, ok } = story;
  const manage = (method: string, path: string, body?: object) => ok(app.manage(method, path, body));
  const benefit = await manage("POST", "/benefits", {
    key: "desktop",
    type: "license_key",
    name: "Desktop",
    properties: { prefix: "ACME" },
  });
  await story.plan("pro", 3000, { name: "Pro", benefitIds: [benefit.id] });
  await story.plan("yearly", 30_000, { name: "Pro, yearly", interval: "year", group: "yearly" });
  const discount = await manage("POST", "/discounts", {
    code: "SPRING",
    type: "percentage",
    basisPoints: 2500,
    duration: "repeating",
    months: 3,
    maxRedemptions: 10,
  });
  const ada = await story.buy(
    {
      productKey: "pro",
      customer: { email: "ada@example.com", name: "Ada Lovelace", companyName: "Engines", externalId: "team_1" },
    },
    CARDS.pays,
  );
  const grace = await story.buy(
    { productKey: "pro", customer: { email: "grace@example.com", name: "Grace Hopper" } },
    CARDS.failsLater,
  );
  const [invoice] = (await manage("GET", `/invoices?customerId=${ada.customerId}`)).data;
  const [payment] = (await manage("GET", `/payments?customerId=${ada.customerId}`)).data;
  const refund = await manage("POST", `/invoices/${invoice.id}/refunds`, { amount: 500, reason: "=Goodwill, once" });
  const checkout = await ok(app.api("POST", "/checkouts", { productKey: "yearly" }));
  await story.travel("2026-04-01");
  const dispute = await manage("POST", `/sandbox/payments/${payment.id}/dispute`, { reason: "not_received" });
  const home = `/dashboard/${app.organization.id}`;
  return { story, owner: await openDashboard(app), home, ada, grace, invoice, refund, dispute, checkout, discount };
}
