import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { VERIFIED, verifyOrganization, type Verdict } from "../../src/actions/verify.ts";
import { organizations } from "../../src/store/organizations.ts";
import { sql, type Tx } from "../../src/store/db.ts";
import { TELLING } from "../../src/store/verify/events.ts";
import { openEverything, type Everything } from "../support/everything.ts";
import { CARDS } from "../support/story.ts";

let world: Everything;
beforeAll(async () => void (world = await openEverything()));
afterAll(() => world.story.close());

/** What is done to the rows, and the names of the ids that the rule must say then; `:name` is the id of that name. */
type Sabotage = [name: string, statements: string, says: string[]];

const HOUR = "interval '1 hour'";
const REAL_TIME = "UPDATE organizations SET clock_at = NULL WHERE id = :organization; UPDATE subscriptions SET simulated = false";
const DUPLICATE = `INSERT INTO ledger_transfers
  SELECT organization_id, id || 'x', kind, source_id, customer_id, currency, debit_account, credit_account, amount, created_at
  FROM ledger_transfers WHERE source_id = :first AND kind = 'invoice_paid'`;

const DELIVERY = `INSERT INTO webhook_endpoints
    (organization_id, id, kind, url, events, secret, status, version, event_sequence, created_at, updated_at)
  VALUES (:organization, 'whk_x', 'http', 'https://example.com', '["*"]', '', 'enabled', 1, 0, now(), now()); INSERT INTO webhook_deliveries
    (organization_id, id, endpoint_id, event_id, event_type, resource_id, sequence, status, repeated, attempts, attempt_at, created_at,
      updated_at)
  SELECT organization_id, :ada, 'whk_x', id, type, resource_id, sequence, 'pending', false, 0, now(), now(), now()
  FROM events WHERE resource_id = :ada AND sequence = 1`;

const SABOTAGES: Record<string, Sabotage[]> = {
  period_invoices: [
    ["an invoice is missing", "UPDATE invoices SET period_number = NULL WHERE id = :renewal", ["ada"]],
    ["a period has two", "DROP INDEX invoices_period; UPDATE invoices SET period_number = 1 WHERE id = :renewal", ["ada"]],
    ["one that began elsewhere has a gap", "UPDATE invoices SET period_number = 3 WHERE subscription_id = :moved", ["moved"]],
    ["a trial has one", "UPDATE invoices SET subscription_id = :tries, period_number = 1 WHERE id = :book", ["tries"]],
  ],
  period_order: [
    ["a gap", `UPDATE invoices SET period_start = period_start + ${HOUR} WHERE id = :renewal`, ["renewal", "ada"]],
    ["an overlap", `UPDATE invoices SET period_start = period_start - ${HOUR} WHERE id = :renewal`, ["renewal", "ada"]],
    ["a change before its period", "UPDATE invoices SET period_start = '2025-06-30' WHERE id = :restart", ["restart", "ada"]],
    ["a period without length", "UPDATE invoices SET period_end = period_start WHERE id = :restart", ["restart", "ada"]],
  ],
  period_current: [
    ["another start", `UPDATE subscriptions SET current_period_start = current_period_start + ${HOUR} WHERE id = :ada`, ["ada", "restart"]],
    ["another end", `UPDATE invoices SET period_end = period_end + ${HOUR} WHERE id = :restart`, ["ada", "restart"]],
    ["not the trial's", `UPDATE subscriptions SET current_period_start = current_period_start + ${HOUR} WHERE id = :tries`, ["tries"]],
  ],
  subscription_dunning: [
    ["of one that paid", "UPDATE subscriptions SET retries_done = 1 WHERE id = :ada", ["ada"]],
    ["without an end of grace", "UPDATE subscriptions SET grace_ends_at = NULL WHERE id = :late", ["late"]],
  ],
  subscription_owes_nothing: [["", "UPDATE invoices SET status = 'void', voided_at = now() WHERE id = :owed", ["late", "lateCustomer"]]],
  subscription_stuck: [["", "UPDATE subscriptions SET next_retry_at = NULL WHERE id = :late", ["late"]]],
  subscription_waiting_lines: [["", "UPDATE invoice_lines SET invoice_id = NULL WHERE subscription_id = :gone", ["gone"]]],
  subscription_cancellation: [
    ["another day", "UPDATE subscriptions SET cancel_at = cancel_at + interval '1 day' WHERE id = :leaving", ["leaving"]],
    ["before it began", "UPDATE subscriptions SET ended_at = '2020-01-01' WHERE id = :gone", ["gone"]],
    ["of nobody", "UPDATE subscriptions SET canceled_at = now() WHERE id = :ada", ["ada"]],
  ],
  subscription_trial: [["", "DELETE FROM trials WHERE subscription_id = :tries", ["tries", "triesCustomer"]]],
  invoice_totals: [
    ["price", "UPDATE invoice_lines SET amount = amount + 1 WHERE id = :line", ["first"]],
    ["tax", "UPDATE invoice_lines SET tax_amount = tax_amount + 1 WHERE id = :line", ["first"]],
    ["discount", "UPDATE invoice_lines SET discount_amount = 0 WHERE id = :line", ["first"]],
    ["no lines", "DELETE FROM invoice_lines WHERE id = :line", ["first"]],
  ],
  invoice_numbers: [
    ["a gap", "UPDATE customers SET invoice_sequence = invoice_sequence + 1 WHERE id = :adaCustomer", ["adaCustomer"]],
    [
      "twice",
      "UPDATE invoices SET number = 'X-' || number WHERE id = :first; UPDATE invoices SET number = 'Y-0001' WHERE id = :renewal",
      ["adaCustomer"],
    ],
    ["none", "UPDATE invoices SET number = 'X' WHERE id = :first", ["adaCustomer"]],
  ],
  invoice_owner: [
    ["currency", "UPDATE invoices SET currency = 'eur' WHERE id = :first", ["first", "ada"]],
    ["Customer", "UPDATE invoices SET customer_id = :lateCustomer WHERE id = :first", ["first", "ada", "lateCustomer"]],
  ],
  invoice_balance: [
    ["taken", "UPDATE balance_entries SET amount = amount - 1 WHERE invoice_id = :renewal", ["renewal"]],
    ["given back", "UPDATE invoices SET balance_applied = 1, amount_due = amount_due - 1 WHERE id = :void", ["void"]],
  ],
  invoice_uncollected: [["", "UPDATE subscriptions SET status = 'active', first_failed_at = NULL WHERE id = :late", ["owed", "late"]]],
  invoice_next_attempt: [
    ["another instant", `UPDATE invoices SET next_attempt_at = next_attempt_at + ${HOUR} WHERE id = :owed`, ["owed", "late"]],
    ["of a paid one", "UPDATE invoices SET next_attempt_at = now() WHERE id = :first", ["first"]],
  ],
  payment_of_invoice: [
    ["none", "UPDATE payments SET status = 'failed' WHERE id = :payment", ["first"]],
    ["two", "UPDATE payments SET invoice_id = :first WHERE id = :renewalPayment", ["first", "renewal"]],
  ],
  payment_unapplied: [
    ["nowhere", "UPDATE payments SET invoice_id = NULL WHERE id = :payment", ["payment"]],
    [
      "both",
      "UPDATE ledger_transfers SET source_id = :payment, kind = 'unapplied_payment' WHERE source_id = :first AND kind = 'invoice_paid'",
      ["payment"],
    ],
  ],
  payment_amount: [["", "UPDATE payments SET amount = amount + 1 WHERE id = :payment", ["payment", "first"]]],
  payment_attempts: [
    [
      "",
      "DROP INDEX payments_live; UPDATE payments SET source_id = :checkout WHERE id = :renewalPayment",
      ["checkout", "payment", "renewalPayment"],
    ],
  ],
  payment_of_checkout: [
    ["no payment", "UPDATE checkouts SET status = 'processing' WHERE id = :open", ["open"]],
    ["not processing", "UPDATE checkouts SET status = 'open' WHERE id = :asked", ["asked", "challenge"]],
  ],
  payment_of_change: [
    ["no change", "UPDATE subscriptions SET change_id = 'chg_x' WHERE id = :ada", ["ada"]],
    ["another payment", "UPDATE payments SET change_id = 'chg_x' WHERE id = :challenge", ["challenge"]],
  ],
  checkout_purchase: [
    ["no invoice", "UPDATE checkouts SET invoice_id = NULL WHERE id = :checkout", ["checkout"]],
    ["no Subscription", "UPDATE checkouts SET subscription_id = NULL WHERE id = :checkout", ["checkout"]],
    ["not completed", "UPDATE checkouts SET invoice_id = :first WHERE id = :open", ["open", "first"]],
  ],
  checkout_due: [
    ["never", "UPDATE checkouts SET due_at = NULL WHERE id = :open", ["open"]],
    ["too late", "UPDATE checkouts SET due_at = '2030-01-01' WHERE id = :checkout", ["checkout"]],
  ],
  refund_amounts: [
    ["another sum", "UPDATE invoices SET refunded_amount = refunded_amount + 1 WHERE id = :first", ["first"]],
    ["too much", "UPDATE refunds SET amount = 2000 WHERE id = :cardRefund", ["first"]],
  ],
  refund_source: [["", "UPDATE refunds SET payment_id = :renewalPayment WHERE id = :cardRefund", ["cardRefund", "renewalPayment"]]],
  credit_note_of_refund: [
    ["none", "UPDATE refunds SET credit_note_id = 'crn_x' WHERE id = :cardRefund", ["cardRefund", "creditNote"]],
    [
      "another amount",
      "UPDATE credit_notes SET total_amount = total_amount + 1, subtotal_amount = subtotal_amount + 1 WHERE id = :creditNote",
      ["cardRefund", "creditNote"],
    ],
  ],
  credit_note_numbers: [["", "UPDATE customers SET credit_note_sequence = 9 WHERE id = :adaCustomer", ["adaCustomer"]]],
  ledger_accounts: [
    ["a transfer is missing", "DELETE FROM ledger_transfers WHERE source_id = :first AND kind = 'invoice_paid'", ["adaCustomer"]],
    ["a payment more", "UPDATE payments SET amount = amount + 1 WHERE id = :payment", ["adaCustomer"]],
    ["a refund less", "UPDATE refunds SET status = 'failed', credit_note_id = NULL WHERE id = :cardRefund", ["adaCustomer"]],
    ["an unknown account", "UPDATE ledger_transfers SET debit_account = 'pocket' WHERE source_id = :first", ["adaCustomer"]],
  ],
  ledger_sources: [
    ["unknown", "UPDATE ledger_transfers SET source_id = 'inv_x' WHERE source_id = :first", ["adaCustomer"]],
    ["another Customer's", "UPDATE ledger_transfers SET customer_id = :lateCustomer WHERE source_id = :first", ["first", "lateCustomer"]],
    ["another kind", "UPDATE ledger_transfers SET kind = 'gift' WHERE source_id = :first", ["first"]],
  ],
  ledger_posted_twice: [
    [
      "",
      `ALTER TABLE ledger_transfers DROP CONSTRAINT ledger_transfers_organization_id_source_id_kind_debit_accou_key; ${DUPLICATE}`,
      ["first"],
    ],
  ],
  balance_entries: [["", "UPDATE balances SET amount = amount + 1 WHERE customer_id = :adaCustomer", ["adaCustomer"]]],
  grants_of_subscription: [
    ["missing", "UPDATE benefit_grants SET status = 'revoked', revoked_at = now() WHERE id = :grant", ["ada"]],
    ["left", "UPDATE benefit_grants SET status = 'active', revoked_at = NULL WHERE subscription_id = :gone", ["gone"]],
  ],
  grants_of_purchase: [["", "UPDATE benefit_grants SET status = 'revoked', revoked_at = now() WHERE id = :license", ["license"]]],
  grants_refunded: [["", "UPDATE benefit_grants SET status = 'active', revoked_at = NULL WHERE invoice_id = :book", ["returned", "book"]]],
  grants_owner: [["", "UPDATE benefit_grants SET customer_id = :lateCustomer WHERE id = :grant", ["grant", "ada", "lateCustomer"]]],
  grants_activations: [["", "UPDATE benefit_grants SET activations = 2 WHERE id = :license", ["license"]]],
  discount_redemptions: [["", "UPDATE discounts SET redemptions = 2", ["discount"]]],
  discount_reservations: [
    ["lacking", "DELETE FROM discount_redemptions", ["checkout", "discount"]],
    ["kept", "UPDATE discount_redemptions SET checkout_id = :open", ["open", "discount"]],
  ],
  customer_deleted: [
    ["a balance", "UPDATE balances SET amount = 5 WHERE customer_id = :deletedCustomer", ["deletedCustomer"]],
    ["an e-mail", "UPDATE emails SET recipient = 'them@example.com' WHERE customer_id = :deletedCustomer", ["deletedCustomer"]],
    ["a link", "INSERT INTO portal_links VALUES (:organization, '1', :deletedCustomer, NULL, NULL, now())", ["deletedCustomer"]],
    ["a session", "INSERT INTO portal_sessions VALUES (:organization, '1', :deletedCustomer, NULL, now())", ["deletedCustomer"]],
  ],
  event_numbers: [
    ["a gap", "DELETE FROM events WHERE resource_id = :ada AND sequence = 2", ["ada"]],
    ["of nothing", "UPDATE events SET resource_id = 'sub_x' WHERE resource_id = :ada", ["ada"]],
  ],
  event_of_invoice: [
    ["not paid", "UPDATE events SET type = 'invoice.created' WHERE resource_id = :first AND type = 'invoice.paid'", ["first"]],
    ["not refunded", "DELETE FROM events WHERE resource_id = :first AND type = 'invoice.refunded'", ["first"]],
  ],
  event_of_refund: [["", "DELETE FROM events WHERE resource_id = :cardRefund", ["cardRefund"]]],
  event_of_payment: [["", "UPDATE events SET type = 'payment.failed' WHERE resource_id = :payment", ["payment"]]],
  event_of_checkout: [["", "DELETE FROM events WHERE resource_id = :checkout AND type = 'checkout.completed'", ["checkout"]]],
  event_of_subscription: [["", "DELETE FROM events WHERE resource_id = :gone AND type = 'subscription.canceled'", ["gone"]]],
  event_of_grant: [["", "UPDATE events SET type = 'benefit_grant.revoked' WHERE resource_id = :grant", ["grant"]]],
  delivery_of_event: [["", `${DELIVERY}; UPDATE webhook_deliveries SET sequence = 9`, ["ada"]]],
  delivery_waiting: [
    ["disabled", `${DELIVERY}; UPDATE webhook_endpoints SET status = 'disabled', disabled_reason = 'gone', disabled_at = now()`, ["ada"]],
    ["deleted", `${DELIVERY}; UPDATE webhook_endpoints SET deleted_at = now()`, ["ada"]],
  ],
  due_skips: [["", `${DELIVERY}; UPDATE webhook_endpoints SET skip_until = now() - ${HOUR}`, []]],
  due_subscriptions: [
    ["by its clock", "UPDATE subscriptions SET due_at = '2025-07-12T08:59:59Z' WHERE id = :ada", ["ada"]],
    ["in real time", `${REAL_TIME}; UPDATE subscriptions SET due_at = now() - ${HOUR} WHERE id = :ada`, ["ada"]],
  ],
  due_checkouts: [["", "UPDATE checkouts SET due_at = '2025-07-12T08:59:59Z' WHERE id = :open", ["open"]]],
  simulated_subscriptions: [["", "UPDATE organizations SET clock_at = NULL WHERE id = :organization", ["ada"]]],
  simulated_checkouts: [["", "UPDATE organizations SET clock_at = NULL WHERE id = :organization", ["open"]]],
  due_payments: [["", `UPDATE payments SET check_at = now() - ${HOUR} WHERE id = :challenge`, ["challenge"]]],
  due_refunds: [
    [
      "",
      `UPDATE refunds SET status = 'unknown', settled_at = NULL, credit_note_id = NULL, check_at = now() - ${HOUR} WHERE id = :cardRefund`,
      ["cardRefund"],
    ],
  ],
  due_products: [["", `UPDATE products SET sync_at = now() - ${HOUR} WHERE id = :ten`, ["ten"]]],
  due_events: [["", `UPDATE events SET dispatch_at = now() - ${HOUR} WHERE resource_id = :ada`, ["ada"]]],
  due_emails: [["", "UPDATE emails SET queued_at = now() - interval '21 days' WHERE id = :email", ["email"]]],
  due_clock: [
    [
      "",
      `UPDATE organizations SET clock_target = clock_at, clock_lease_until = now() - ${HOUR} WHERE id = :organization`,
      ["organization"],
    ],
  ],
  idempotency_keys: [
    [
      "",
      `INSERT INTO idempotency_keys (organization_id, key, method, path, body_digest, created_at)
       VALUES (:organization, :ada, 'POST', '/checkouts', '', now())`,
      ["ada"],
    ],
  ],
  subscription_derived: [
    ["due", "UPDATE subscriptions SET due_at = '2030-01-01' WHERE id = :ada", ["ada"]],
    ["never due", "UPDATE subscriptions SET due_at = NULL WHERE id = :late", ["late"]],
    ["access", "UPDATE subscriptions SET access_ends_at = NULL WHERE id = :leaving", ["leaving"]],
    ["period", "UPDATE subscriptions SET anchor_index = anchor_index + 1 WHERE id = :ada", ["ada"]],
    ["zone", "UPDATE subscriptions SET anchor_time_zone = 'Nowhere' WHERE id = :ada", ["ada"]],
    ["pending", `UPDATE subscriptions SET current_period_end = current_period_end + ${HOUR} WHERE id = :pending`, ["pending"]],
  ],
  line_amounts: [
    ["tax", "UPDATE invoice_lines SET tax_amount = tax_amount + 1 WHERE id = :line", ["line", "first"]],
    ["price", "UPDATE invoice_lines SET amount = amount + 1 WHERE id = :line", ["line", "first"]],
    ["credit", "UPDATE invoice_lines SET amount = amount + 1 WHERE invoice_id = :restart AND amount < 0", ["restart"]],
  ],
  ledger_postings: [
    ["another amount", "UPDATE ledger_transfers SET amount = amount + 1 WHERE source_id = :first AND kind = 'invoice_paid'", ["first"]],
    ["not voided", "DELETE FROM ledger_transfers WHERE source_id = :void AND kind = 'invoice_voided'", ["void"]],
    ["not refunded", "DELETE FROM ledger_transfers WHERE source_id = :balanceRefund", ["balanceRefund"]],
  ],
  provider_charges: [
    ["another amount", "UPDATE payments SET amount = amount + 1 WHERE id = :payment", ["payment"]],
    [
      "it took what we don't have",
      "UPDATE payments SET status = 'failed', failure_code = 'card_declined' WHERE id = :payment",
      ["payment"],
    ],
    [
      "it knows nothing of",
      "UPDATE payments SET status = 'succeeded', settled_at = now(), check_at = NULL WHERE id = :challenge",
      ["challenge"],
    ],
  ],
  provider_refunds: [
    ["another amount", "UPDATE refunds SET amount = amount + 1 WHERE id = :cardRefund", ["cardRefund"]],
    ["it gave what we did not", "UPDATE refunds SET status = 'failed', credit_note_id = NULL WHERE id = :cardRefund", ["cardRefund"]],
  ],
};

const LATECOMER = { email: "latecomer@example.com", billingAddress: { country: "DE" } };

class Undone extends Error {}

let statements = 0;
async function run(tx: Tx, text: string): Promise<void> {
  const named = text.replaceAll(
    /(?<=[\s(]):(\w+)/g,
    (_, name: string) => `'${world.ids[name] ?? expect.fail(`nothing is called ${name}`)}'`,
  );
  for (const statement of named.split(/; (?=[A-Z])/)) await tx.query(sql(`sabotage.${(statements += 1)}`, statement));
}

/** What is found once this was done, which then never happened. */
async function verdictAfter(sabotage: string): Promise<Verdict> {
  const { db, payments } = world.story.app.ctx;
  let verdict: Verdict | undefined;
  const undone = db.tx(async (tx) => {
    // The level that the verification asks for, which can't be changed any more once something was done.
    await run(tx, "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ");
    await run(tx, sabotage);
    const organization = (await organizations.find(tx, world.story.app.organization.id))!;
    verdict = await verifyOrganization({ db: { ...db, tx: (work) => work(tx) }, payments }, organization);
    throw new Undone("undone");
  });
  await expect(undone).rejects.toThrow("undone");
  return verdict!;
}

const rulesOf = ({ disagreements }: Verdict) => disagreements.map(({ rule }) => rule);
/** Every id and figure that stands with a rule. */
const told = ({ disagreements }: Verdict, name: string) =>
  disagreements.filter(({ rule }) => rule === name).flatMap(({ examples }) => examples.flatMap((example) => Object.values(example)));

test("everything agrees, before it is tampered with", async () => {
  const { disagreements, counts } = await verdictAfter("SELECT 1");
  expect(disagreements).toEqual([]);
  for (const [what, count] of Object.entries(counts)) expect(count, what).toBeGreaterThan(0);
});

test("the numbers of the events of every resource are looked at", async () => {
  const counting = sql("test.counting", "SELECT table_name AS name FROM information_schema.columns WHERE column_name = 'event_sequence'");
  const tables = await world.story.app.ctx.db.read.query<{ name: string }>(counting);
  expect(tables.map(({ name }) => name).sort()).toEqual([...TELLING].sort());
});

test("every rule is sabotaged here", () => {
  expect(VERIFIED.map(({ name }) => name).sort()).toEqual(Object.keys(SABOTAGES).sort());
});

describe.each(Object.entries(SABOTAGES))("%s is found and told with its ids", (rule, sabotages) => {
  test.each(sabotages)("%s", async (_name, sabotage, says) => {
    const verdict = await verdictAfter(sabotage);
    expect(rulesOf(verdict)).toContain(rule);
    for (const name of says) expect(told(verdict, rule), name).toContain(world.ids[name]);
  });
});

describe("no disagreement is", () => {
  const fresh = `${REAL_TIME}; UPDATE subscriptions SET due_at = now() - interval '1 minute' WHERE id = :ada`;

  test("what has been due for a moment", async () => {
    expect(told(await verdictAfter(fresh), "due_subscriptions")).not.toContain(world.ids["ada"]);
  });

  test("what waits for an operator: it is told apart", async () => {
    const held = `${REAL_TIME}; UPDATE subscriptions SET due_at = now() - ${HOUR}, held_at = now() WHERE id = :ada`;
    const verdict = await verdictAfter(held);
    expect(told(verdict, "due_subscriptions")).not.toContain(world.ids["ada"]);
    expect(verdict.held).toMatchObject({ count: 1, examples: [{ subscription: world.ids["ada"] }] });
  });

  test("what is done about a clock that is on its way", async () => {
    const moving = "UPDATE organizations SET clock_target = '2025-08-01', clock_lease_until = now() WHERE id = :organization";
    expect(rulesOf(await verdictAfter(`${moving}; UPDATE subscriptions SET due_at = '2025-07-12T09:00:00Z' WHERE id = :ada`))).toEqual([
      "subscription_derived",
    ]);
  });

  test("an invoice that waits until the one before it is paid", async () => {
    const charging = "UPDATE payments SET subscription_id = :late, invoice_id = :first WHERE id = :challenge";
    const active = "UPDATE subscriptions SET status = 'active', first_failed_at = NULL WHERE id = :late";
    expect(told(await verdictAfter(`${active}; ${charging}`), "invoice_uncollected")).toEqual([]);
  });

  test("a Product whose sources are gone through", async () => {
    const edited = "UPDATE products SET benefit_ids = '{}', sync_at = now() WHERE id = :ten";
    expect(rulesOf(await verdictAfter(edited))).toEqual([]);
  });

  test("a zone that was redefined by hours since", async () => {
    const redefined = "UPDATE subscriptions SET anchor_time_zone = 'Pacific/Apia' WHERE id = :ada";
    expect(rulesOf(await verdictAfter(redefined))).toEqual([]);
  });
});

describe("the provider's book", () => {
  test("may be ahead: a charge that we still have to hear of is no disagreement", async () => {
    await world.story.passAtBank();
    expect((await verdictAfter("SELECT 1")).disagreements).toEqual([]);
    await world.story.settle();
    expect((await verdictAfter("SELECT 1")).disagreements).toEqual([]);
  });

  test("may go on while it is read: what was charged since is no disagreement", async () => {
    const { ctx, organization } = world.story.app;
    const { sandbox } = ctx.payments;
    const bought: string[] = [];
    const book: typeof sandbox.book = async (...range) => {
      if (bought.length === 0) bought.push((await world.story.buy({ productKey: "book", customer: LATECOMER }, CARDS.pays)).id);
      return sandbox.book(...range);
    };
    const { disagreements } = await verifyOrganization(
      { db: ctx.db, payments: { ...ctx.payments, sandbox: { ...sandbox, book } } },
      organization,
    );
    expect([bought.length, disagreements]).toEqual([1, []]);
  });

  test("has what we never heard of", async () => {
    const { db } = world.story.app.ctx;
    const write = (name: string, text: string) => db.tx((tx) => tx.query(sql(`test.${name}`, text)));
    await write(
      "unheard_charge",
      `INSERT INTO sandbox_charges (organization_id, key, card_ref, amount, currency, presence, status, return_url, created_at, settled_at)
       SELECT organization_id, 'pay_unheard', card_ref, 4711, currency, presence, status, return_url, created_at, settled_at
       FROM sandbox_charges WHERE status = 'succeeded' AND amount > 0 LIMIT 1`,
    );
    const { disagreements } = await verdictAfter("SELECT 1");
    expect(disagreements).toMatchObject([{ rule: "provider_charges", examples: [{ key: "pay_unheard", status: null, booked: 4711 }] }]);
    await write("unheard_charge_gone", "DELETE FROM sandbox_charges WHERE key = 'pay_unheard'");
  });
});
