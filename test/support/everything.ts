import { countMetrics } from "../../src/actions/metrics/count.ts";
import { sql, type Database } from "../../src/store/driver/db.ts";
import type { Json } from "./app.ts";
import { CARDS, startStory, type Story } from "./story.ts";

/** A sandbox with resources of every kind, and their ids by name. */
export type Everything = { story: Story; ids: Record<string, string> };

const GERMAN = { billingAddress: { country: "DE" } };

async function openCatalogue({ app, ok, plan }: Story, ids: Record<string, string>): Promise<void> {
  const benefit = async (key: string, type: string) =>
    (await ok(app.manage("POST", "/benefits", { key, type, name: key }))).id;
  const benefitIds = [await benefit("sso", "feature"), await benefit("editor", "license_key")];
  ids["benefit"] = benefitIds[0]!;
  ids["ten"] = (await plan("ten", 1000, { benefitIds })).id;
  for (const key of ["rising", "asking"]) ids[key] = (await plan(key, 1000)).id;
  await plan("thirty", 3000, { benefitIds });
  await plan("year", 30_000, { interval: "year", benefitIds });
  await plan("trial", 2000, { trialDays: 30, benefitIds });
  await plan("book", 500, { interval: null, benefitIds });
  const vat = { country: "DE", name: "USt", basisPoints: 1900 };
  await ok(app.manage("PATCH", "/organization", { taxRates: [vat] }));
  const launch = { code: "LAUNCH", type: "percentage", basisPoints: 2500, duration: "once" };
  ids["discount"] = (await ok(app.manage("POST", "/discounts", launch))).id;
}

/** Brings a new price to the Subscriptions of a Product from their next period on. */
async function raise({ app, ok }: Story, productId: string, amount: number, consent: string): Promise<string> {
  const path = `/products/${productId}`;
  await ok(app.manage("PATCH", path, { prices: [{ currency: "usd", amount }] }));
  const { id } = await ok(app.manage("POST", `${path}/price-changes`, { consent, noticeDays: 0 }));
  await app.runDue();
  return id;
}

/** The purchases and other events up to 12 June. */
async function sell(story: Story, ids: Record<string, string>): Promise<void> {
  const { app, ok } = story;
  const buy = async (name: string, productKey: string, card: string, more: object = {}): Promise<void> => {
    const bought = await story.buy(
      { productKey, customer: { email: `${name}@example.com`, externalId: name, ...GERMAN }, ...more },
      card,
    );
    Object.assign(ids, { [name]: bought.id, [`${name}Customer`]: bought.customerId });
  };
  await buy("ada", "ten", CARDS.pays, { discountCode: "LAUNCH" });
  for (const name of ["late", "quits"]) await buy(name, "ten", CARDS.failsLater);
  for (const name of ["gone", "leaving", "pending", "waits", "cut", "deleted", "paused"])
    await buy(name, "ten", CARDS.pays);
  for (const name of ["reader", "returns"]) await buy(name, "book", CARDS.pays);
  await buy("tries", "trial", CARDS.pays);
  await buy("moves", "rising", CARDS.pays);
  await buy("declines", "asking", CARDS.pays);
  const adjust = (name: string, amount: number) =>
    ok(
      app.manage("POST", `/customers/${ids[`${name}Customer`]}/balance-adjustments`, {
        currency: "usd",
        amount,
        reason: "Sorry",
      }),
    );
  const moved = await ok(app.api("POST", "/customers", { email: "moved@example.com", externalId: "moved" }));
  const elsewhere = { customerId: moved.id, productKey: "ten", amount: 0, startedAt: "2025-05-20T09:00:00Z" };
  ids["moved"] = (await ok(app.manage("POST", "/subscriptions", elsewhere))).id;
  ids["applied"] = await raise(story, ids["rising"]!, 1200, "notice");
  ids["unaccepted"] = await raise(story, ids["asking"]!, 1200, "required");
  await adjust("ada", 400);
  await adjust("deleted", 300);
  await story.travel("2025-06-10");
  await ok(app.manage("POST", `/subscriptions/${ids["paused"]}/pause`, { access: "revoke" }));
  await ok(app.manage("POST", `/subscriptions/${ids["gone"]}/cancel-now`, {}));
  for (const name of ["waits", "cut"])
    await story.change(ids[name]!, { productKey: "thirty", prorationBehavior: "next_invoice" });
  await story.travel("2025-06-12");
  await ok(app.manage("POST", `/subscriptions/${ids["cut"]}/cancel-now`, {}));
  expect204(await app.manage("DELETE", `/customers/${ids["deletedCustomer"]}?forfeitBalance=true`));
}

function expect204({ status, body }: { status: number; body: Json }): void {
  if (status !== 204) throw new Error(JSON.stringify(body));
}

/** The purchases and other events after 1 July, when most Subscriptions were renewed. */
async function goOn(story: Story, ids: Record<string, string>): Promise<void> {
  const { app, ok } = story;
  const invoiceOf = async (query: string) => (await ok(app.manage("GET", `/invoices?${query}`))).data;
  await story.travel("2025-07-12");
  await ok(app.manage("POST", `/subscriptions/${ids["quits"]}/cancel-now`, {}));
  ids["waiting"] = await raise(story, ids["rising"]!, 1300, "notice");
  await story.change(ids["leaving"]!, { cancelAtPeriodEnd: true });
  await story.change(ids["pending"]!, { productKey: "year", prorationBehavior: "next_period" });
  await story.change(ids["ada"]!, { productKey: "year" });
  const [restart, renewal, first] = await invoiceOf(`subscriptionId=${ids["ada"]}`);
  const [book] = await invoiceOf(`customerId=${ids["returnsCustomer"]}`);
  const refund = async (invoiceId: string, body: object) =>
    (await ok(app.manage("POST", `/invoices/${invoiceId}/refunds`, body))).id;
  ids["cardRefund"] = await refund(first.id, { amount: 300 });
  ids["balanceRefund"] = await refund(first.id, { amount: 100, to: "balance" });
  ids["returned"] = await refund(book.id, { revokeGrants: true });
  const dispute = async (customerId: string) => {
    const [payment] = (await ok(app.manage("GET", `/payments?customerId=${customerId}&trigger=checkout`))).data;
    return (await ok(app.manage("POST", `/sandbox/payments/${payment.id}/dispute`))).id;
  };
  ids["dispute"] = await dispute(ids["readerCustomer"]!);
  ids["lost"] = await dispute(ids["pendingCustomer"]!);
  await ok(app.manage("POST", `/sandbox/disputes/${ids["lost"]}/close`, { outcome: "lost" }));
  const [card] = (await ok(app.manage("GET", `/customers/${ids["goneCustomer"]}/payment-methods`))).data;
  ids["ended"] = (await ok(app.manage("POST", `/sandbox/payment-methods/${card.id}/detach`))).id;
  await app.runDue();
  Object.assign(ids, { first: first.id, renewal: renewal.id, restart: restart.id, book: book.id });
  Object.assign(ids, { owed: (await invoiceOf(`subscriptionId=${ids["late"]}`))[0].id });
  Object.assign(ids, { last: (await invoiceOf(`subscriptionId=${ids["cut"]}&reason=product_change`))[0].id });
  Object.assign(ids, { void: (await invoiceOf(`subscriptionId=${ids["quits"]}&status=void`))[0].id });
}

async function leaveCheckouts({ app, ok }: Story, ids: Record<string, string>): Promise<void> {
  const checkout = async (name: string) => {
    const asked = { productKey: "ten", customer: { email: `${name}@example.com`, ...GERMAN } };
    return (await ok(app.api("POST", "/checkouts", asked))).id;
  };
  ids["open"] = await checkout("looks");
  ids["asked"] = await checkout("asked");
  await ok(app.manage("POST", `/sandbox/checkouts/${ids["asked"]}/pay`, { card: CARDS.asksBuyer }));
}

/** Rows of Ada's Subscription ($2) in its Organization ($1). */
const NAMED = {
  email: "SELECT id FROM emails WHERE organization_id = $1 AND subscription_id = $2 ORDER BY id LIMIT 1",
  checkout: "SELECT checkout_id AS id FROM subscriptions WHERE organization_id = $1 AND id = $2",
  card: `SELECT COALESCE(s.payment_method_id, c.default_payment_method_id) AS id FROM subscriptions s
     JOIN customers c ON c.organization_id = s.organization_id AND c.id = s.customer_id
     WHERE s.organization_id = $1 AND s.id = $2`,
  payment: `SELECT p.id FROM payments p JOIN subscriptions s
     ON s.organization_id = p.organization_id AND s.checkout_id = p.source_id
     WHERE p.organization_id = $1 AND s.id = $2`,
  renewalPayment: `SELECT p.id FROM payments p JOIN invoices i
     ON i.organization_id = p.organization_id AND i.id = p.source_id
     WHERE p.organization_id = $1 AND p.status = 'succeeded' AND i.subscription_id = $2 AND i.reason = 'renewal'`,
  line: `SELECT l.id FROM invoice_lines l JOIN checkouts c
     ON c.organization_id = l.organization_id AND c.invoice_id = l.invoice_id
     WHERE l.organization_id = $1 AND c.subscription_id = $2 AND l.discount_amount > 0`,
  creditedLine: `SELECT credited_line_id AS id FROM invoice_lines
     WHERE organization_id = $1 AND subscription_id = $2 AND credited_line_id IS NOT NULL`,
  grant: "SELECT id FROM benefit_grants WHERE organization_id = $1 AND subscription_id = $2 ORDER BY id LIMIT 1",
  creditNote: `SELECT r.credit_note_id AS id FROM refunds r JOIN invoices i
     ON i.organization_id = r.organization_id AND i.id = r.invoice_id
     WHERE r.organization_id = $1 AND i.subscription_id = $2 AND r."to" = 'card'`,
};

async function nameRows(db: Database, { story: { app, ok }, ids }: Everything): Promise<void> {
  for (const [name, text] of Object.entries(NAMED)) {
    const values = [app.organization.id, ids["ada"]];
    const [row] = await db.read.query<{ id: string }>(sql(`test.everything_${name}`, text), values);
    if (!row) throw new Error(`there is no ${name}`);
    ids[name] = row.id;
  }
  const { data } = await ok(app.manage("GET", `/benefit-grants?customerId=${ids["readerCustomer"]}`));
  const { id, properties } = data.find((grant: Json) => grant.benefit.type === "license_key");
  ids["license"] = id;
  await ok(app.licenses("POST", "/activate", { organizationId: app.organization.id, key: properties.key }));
  ids["challenge"] = (await ok(app.manage("GET", "/payments?status=requires_action"))).data[0].id;
  ids["organization"] = app.organization.id;
}

/** Two months of a shop, on 12 July 2025. */
export async function openEverything(): Promise<Everything> {
  const story = await startStory({ clock: "2025-06-01T09:00:00Z" });
  const ids: Record<string, string> = {};
  await openCatalogue(story, ids);
  await sell(story, ids);
  await goOn(story, ids);
  await leaveCheckouts(story, ids);
  await countMetrics(story.app.ctx, story.app.organization.id, Infinity);
  await nameRows(story.app.ctx.db, { story, ids });
  return { story, ids };
}
