import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { VERIFIED, verifyOrganization, type Verification } from "../../src/actions/verify.ts";
import { organizations } from "../../src/store/organizations.ts";
import { sql, type Database, type Tx } from "../../src/store/driver/db.ts";
import { TABLES_WITH_EVENTS } from "../../src/store/verify/events.ts";
import { openEverything, type Everything } from "../support/everything.ts";
import { CARDS } from "../support/story.ts";
import { SABOTAGES } from "./sabotages.ts";
import { BOOK, refund } from "./sabotages/book.ts";
import { HOUR, REAL_TIME } from "./sabotages/sabotage.ts";

let world: Everything;
beforeAll(async () => void (world = await openEverything()));
afterAll(() => world.story.close());

const LATECOMER = { email: "latecomer@example.com", billingAddress: { country: "DE" } };

class Undone extends Error {}

let statements = 0;
async function run(tx: Tx, text: string): Promise<void> {
  const named = text.replaceAll(
    /(?<=[\s(]):(\w+)/g,
    (_, name: string) => `'${world.ids[name] ?? expect.fail(`nothing is called ${name}`)}'`,
  );
  for (const statement of named.split(/; (?=[A-Z])/))
    await tx.query(sql(`test.sabotage_${(statements += 1)}`, statement));
}

/** The verification after a sabotage, which is rolled back. */
async function verificationAfter(sabotage: string): Promise<Verification> {
  const { db, payments } = world.story.app.ctx;
  let verification: Verification | undefined;
  const undone = db.tx(async (tx) => {
    await run(tx, sabotage);
    const organization = (await organizations.find(tx, world.story.app.organization.id))!;
    const { query, isDistributed, send } = tx;
    const within: Database = { ...db, snapshot: (work) => work({ kind: "snapshot", query, isDistributed, send }) };
    verification = await verifyOrganization({ db: within, payments }, organization);
    throw new Undone("undone");
  });
  await expect(undone).rejects.toThrow("undone");
  return verification!;
}

const rulesOf = ({ disagreements }: Verification) => disagreements.map(({ rule }) => rule);
/** Every id and figure that the verification gives for a rule. */
const foundFor = ({ disagreements }: Verification, name: string) =>
  disagreements
    .filter(({ rule }) => rule === name)
    .flatMap(({ examples }) => examples.flatMap((example) => Object.values(example)));

test("everything agrees, before it is tampered with", async () => {
  const { disagreements, counts } = await verificationAfter("SELECT 1");
  expect(disagreements).toEqual([]);
  for (const [what, count] of Object.entries(counts)) expect(count, what).toBeGreaterThan(0);
});

test("the numbers of the events of every resource are looked at", async () => {
  const counting = sql(
    "test.counting",
    "SELECT table_name AS name FROM information_schema.columns WHERE column_name = 'event_sequence'",
  );
  const tables = await world.story.app.ctx.db.read.query<{ name: string }>(counting);
  expect(tables.map(({ name }) => name).sort()).toEqual([...TABLES_WITH_EVENTS].sort());
});

test("every rule is sabotaged here", () => {
  expect(VERIFIED.map(({ name }) => name).sort()).toEqual(Object.keys(SABOTAGES).sort());
});

describe.each(Object.entries(SABOTAGES))("%s is found and told with its ids", (rule, sabotages) => {
  test.each(sabotages)("%s", async (_name, sabotage, says) => {
    const verification = await verificationAfter(sabotage);
    expect(rulesOf(verification)).toContain(rule);
    for (const name of says) expect(foundFor(verification, rule), name).toContain(world.ids[name]);
  });
});

describe("no disagreement is", () => {
  const fresh = `${REAL_TIME}; UPDATE subscriptions SET due_at = now() - interval '1 minute' WHERE id = :ada`;

  test("work that has been due for a moment", async () => {
    expect(foundFor(await verificationAfter(fresh), "due_subscriptions")).not.toContain(world.ids["ada"]);
  });

  test("work that waits for an operator, which is told apart", async () => {
    const held = `${REAL_TIME}; UPDATE subscriptions SET due_at = now() - ${HOUR}, held_at = now() WHERE id = :ada`;
    const verification = await verificationAfter(held);
    expect(foundFor(verification, "due_subscriptions")).not.toContain(world.ids["ada"]);
    expect(verification.held).toMatchObject({ count: 1, examples: [{ subscription: world.ids["ada"] }] });
  });

  test("work that an advancing clock has yet to do", async () => {
    const moving =
      "UPDATE organizations SET clock_target = '2025-08-01', clock_lease_until = now() WHERE id = :organization";
    expect(
      rulesOf(
        await verificationAfter(`${moving}; UPDATE subscriptions SET due_at = '2025-07-12T09:00:00Z' WHERE id = :ada`),
      ),
    ).toEqual(["subscription_derived"]);
  });

  test("an invoice that waits until the one before it is paid", async () => {
    const before = "purpose = 'renewal', checkout_id = NULL, source_id = 'inv_x', invoice_id = 'inv_x'";
    const charging = `UPDATE payments SET ${before}, subscription_id = :late WHERE id = :challenge`;
    const active = "UPDATE subscriptions SET status = 'active', first_failed_at = NULL WHERE id = :late";
    expect(foundFor(await verificationAfter(`${active}; ${charging}`), "invoice_uncollected")).toEqual([]);
  });

  test("a refund that failed at the bank after it had succeeded", async () => {
    const late = "UPDATE refunds SET status = 'failed', failed_at = now(), failed_late = true WHERE id = :cardRefund";
    expect(foundFor(await verificationAfter(`${BOOK}; ${refund("re_1")}; ${late}`), "book_refund_open")).toEqual([]);
  });

  test("a Product while its sources are gone through", async () => {
    const edited = "UPDATE products SET benefit_ids = '{}', sync_at = now() WHERE id = :ten";
    expect(rulesOf(await verificationAfter(edited))).toEqual([]);
  });

  test("a zone that was redefined by hours since", async () => {
    const redefined = "UPDATE subscriptions SET anchor_time_zone = 'Pacific/Apia' WHERE id = :ada";
    expect(rulesOf(await verificationAfter(redefined))).toEqual([]);
  });
});

describe("the provider's book", () => {
  test("may be ahead: a charge that we still have to hear of is no disagreement", async () => {
    await world.story.passAtBank();
    expect((await verificationAfter("SELECT 1")).disagreements).toEqual([]);
    await world.story.settle();
    expect((await verificationAfter("SELECT 1")).disagreements).toEqual([]);
  });

  test("may go on while it is read: a charge since then is no disagreement", async () => {
    const { ctx, organization } = world.story.app;
    const { sandbox } = ctx.payments;
    const bought: string[] = [];
    const listCharges: typeof sandbox.listCharges = async (...range) => {
      if (bought.length === 0)
        bought.push((await world.story.buy({ productKey: "book", customer: LATECOMER }, CARDS.pays)).id);
      return sandbox.listCharges(...range);
    };
    const { disagreements } = await verifyOrganization(
      { db: ctx.db, payments: { ...ctx.payments, sandbox: { ...sandbox, listCharges } } },
      organization,
    );
    expect([bought.length, disagreements]).toEqual([1, []]);
  });

  test("has a charge that we never heard of", async () => {
    const { db } = world.story.app.ctx;
    const write = (name: string, text: string) => db.tx((tx) => tx.query(sql(`test.${name}`, text)));
    await write(
      "unheard_charge",
      `INSERT INTO sandbox_charges (organization_id, key, card_ref, amount, currency, presence, status, return_url,
        created_at, settled_at)
       SELECT organization_id, 'pay_unheard', card_ref, 4711, currency, presence, status, return_url, created_at,
       settled_at
       FROM sandbox_charges WHERE status = 'succeeded' AND amount > 0 LIMIT 1`,
    );
    const { disagreements } = await verificationAfter("SELECT 1");
    expect(disagreements).toMatchObject([
      { rule: "provider_charges", examples: [{ key: "pay_unheard", status: null, booked: 4711 }] },
    ]);
    await write("unheard_charge_gone", "DELETE FROM sandbox_charges WHERE key = 'pay_unheard'");
  });
});
