import { expect } from "vitest";
import type { Config } from "../../src/config.ts";
import type { Context } from "../../src/context.ts";
import { formatInstant } from "../../src/domain/calendar.ts";
import { withDerived } from "../../src/domain/model/subscription.ts";
import type { ProviderCharge } from "../../src/payments/provider.ts";
import { sql } from "../../src/store/driver/db.ts";
import { billingNow } from "../../src/store/organizations.ts";
import { subscriptions } from "../../src/store/subscriptions.ts";
import {
  advanceSandbox,
  startTestApp,
  type Json,
  type TestAnswer,
  type TestApp,
  type TestOrganizationOptions,
} from "./app.ts";
import { audit } from "./audit.ts";

export const CARDS = {
  pays: "4242424242424242",
  paysToo: "4000056655665556",
  declined: "4000000000000002",
  failsLater: "4000000000000341",
  asksBuyer: "4000000000003220",
  answerLost: "4000000000000507",
  refusesAccount: "4000000000004012",
  refused: "4000000000004228",
  processing: "4000000000002024",
} as const;

/** A sandbox with a clock that a test moves. The story reports the changes since the last look as lines of text. */
export type Story = {
  app: TestApp;
  /** Moves the clock to an RFC 3339 instant or a date (then 09:00 UTC). */
  travel(to: string): Promise<void>;
  /** Types of the events since the last look, in order, without the `NOTICES`. */
  news(): Promise<string[]>;
  /** Types of the events since the last look, in order, with the `NOTICES`. */
  newsAndNotices(): Promise<string[]>;
  /** Every event, in order. */
  events(): Promise<Json[]>;
  /**
   * Invoices since the last look that are new or have another state: `0001 checkout paid 3000`. A new invoice is
   * followed by its lines.
   */
  statement(): Promise<string[]>;
  /** Names of the Benefits that are granted right now, sorted. */
  access(externalCustomerId: string): Promise<string[]>;
  /** Sells a Product and pays for it. Returns the Subscription, or the Checkout if there is none. */
  buy(params: object, card: string): Promise<Json>;
  ok(call: Promise<TestAnswer>): Promise<Json>;
  /** Puts a monthly Product of this key and price in usd on sale. `more` overrides its fields. */
  plan(key: string, amount: number, more?: object): Promise<Json>;
  /** PATCHes a Subscription, which must succeed. */
  change(subscriptionId: string, body: object): Promise<Json>;
  subscription(id: string): Promise<Json>;
  /** The Customer's balance in usd. */
  balance(customerId: string): Promise<number>;
  /** Gives the Customer another default card, and settles the charges that follow at once. */
  newCard(customerId: string, card: string): Promise<void>;
  /** Asks the provider about every unsettled payment and refund, and does all due work. */
  settle(): Promise<void>;
  /** The buyer passes the one waiting challenge. Billow does not know of the answer yet. */
  passAtBank(): Promise<void>;
  /** The buyer answers the one waiting challenge, and `settle` follows. */
  answerChallenge(pass: boolean): Promise<void>;
  /** Moves the period's end to now. */
  endPeriod(subscriptionId: string): Promise<void>;
  /** The disagreements of this Organization's books, a line each. */
  audit(): Promise<string[]>;
  /** The amounts of paid invoices and of the provider's own book, sorted. The two must be the same. */
  books(): Promise<{ paid: number[]; captured: number[] }>;
  close(): Promise<void>;
};

/** Most stories move by months, so these notices would come in nearly every step. */
const NOTICES = new Set(["subscription.trial_ending", "subscription.renewal_upcoming"]);

const day = (time: string | null) => time?.slice(0, 10) ?? "";

function describeInvoice(invoice: Json): string[] {
  const number = invoice.number.slice(-4);
  const settled = invoice.balanceApplied === 0 ? "" : ` (balance ${invoice.balanceApplied})`;
  const span = (line: Json) => (line.periodStart === null ? "" : ` ${day(line.periodStart)} → ${day(line.periodEnd)}`);
  const lines = invoice.lines.map((line: Json) => `     ${line.description} ${line.amount}${span(line)}`);
  return [`${number} ${invoice.reason} ${invoice.status} ${invoice.totalAmount}${settled}`, ...lines];
}

async function all(list: (cursor: string) => Promise<Json>): Promise<Json[]> {
  const found: Json[] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const page: Json = await list(cursor === "" ? "" : `&cursor=${cursor}`);
    found.push(...page.data);
    cursor = page.nextCursor;
  }
  return found;
}

export async function ok(call: Promise<TestAnswer>): Promise<Json> {
  const answer = await call;
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body;
}

const challengeStatement = sql(
  "test.story_challenge",
  "SELECT action_url AS url FROM payments WHERE organization_id = $1 AND status = 'requires_action'",
);
const dueStatement = sql(
  "test.story_due",
  "UPDATE payments SET check_at = statement_timestamp() WHERE organization_id = $1 AND check_at IS NOT NULL",
);

const dueRefundsStatement = sql(
  "test.story_due_refunds",
  "UPDATE refunds SET check_at = statement_timestamp() WHERE organization_id = $1 AND check_at IS NOT NULL",
);

const freeClockStatement = sql(
  "test.story_free_clock",
  "UPDATE organizations SET clock_lease_until = statement_timestamp() WHERE id = $1 AND clock_target IS NOT NULL",
);

const periodStatement = sql(
  "test.story_period",
  "UPDATE invoices SET period_end = $4 WHERE organization_id = $1 AND subscription_id = $2 AND period_number = $3",
);

/** Changes the stored rows as if the period ended now and its end were still due. */
export function endPeriod({ db }: Pick<Context, "db">, organizationId: string, subscriptionId: string): Promise<void> {
  return db.tx(async (tx) => {
    const row = await subscriptions.lock(tx, organizationId, subscriptionId);
    const now = await billingNow(tx, organizationId);
    const pendingChange = row!.pendingChange && { ...row!.pendingChange, effectiveAt: now };
    const trial = row!.status === "trialing" ? { trialEnd: now, anchorAt: now } : {};
    const ends = { currentPeriodEnd: now, noticedUntil: now, cancelAt: row!.cancelAt && now, pendingChange, ...trial };
    subscriptions.update(tx, withDerived({ ...row!, ...ends }));
    await tx.query(periodStatement, [organizationId, subscriptionId, row!.periodNumber, formatInstant(now)]);
  });
}

/** The actions and looks of a story that keep no state. */
function tools(app: TestApp) {
  const { ctx, organization } = app;
  async function settle(): Promise<void> {
    await ctx.db.tx(async (tx) => {
      await tx.query(dueStatement, [organization.id]);
      await tx.query(dueRefundsStatement, [organization.id]);
      await tx.query(freeClockStatement, [organization.id]);
    });
    await app.runDue();
  }
  async function answerAtBank(pass: boolean): Promise<void> {
    const rows = await ctx.db.read.query<{ url: string }>(challengeStatement, [organization.id]);
    expect(rows).toHaveLength(1);
    const token = rows[0]!.url.split("/").at(-1)!;
    expect(await ctx.payments.sandbox.answerChallenge(organization.id, token, pass)).not.toBeNull();
  }
  return {
    settle,
    plan: (key: string, amount: number, more: object = {}) =>
      ok(
        app.manage("POST", "/products", {
          key,
          name: key,
          interval: "month",
          prices: [{ currency: "usd", amount }],
          ...more,
        }),
      ),
    change: (subscriptionId: string, body: object) => ok(app.api("PATCH", `/subscriptions/${subscriptionId}`, body)),
    subscription: (id: string) => ok(app.api("GET", `/subscriptions/${id}`)),
    async balance(customerId: string): Promise<number> {
      const { data } = await ok(app.manage("GET", `/customers/${customerId}/balance`));
      return data.find((balance: Json) => balance.currency === "usd")?.amount ?? 0;
    },
    async newCard(customerId: string, card: string): Promise<void> {
      await ok(app.manage("POST", `/sandbox/customers/${customerId}/card`, { card }));
      await settle();
    },
    passAtBank: () => answerAtBank(true),
    async answerChallenge(pass: boolean): Promise<void> {
      await answerAtBank(pass);
      await settle();
    },
    endPeriod: (subscriptionId: string) => endPeriod(ctx, organization.id, subscriptionId),
    audit: () => audit(ctx.db, organization.id),
  };
}

export async function startStory(options: TestOrganizationOptions, config: Partial<Config> = {}): Promise<Story> {
  const app = await startTestApp(config, options);
  let seenEvents = 0;
  const seenInvoices = new Map<string, string>();

  const events = () => all((cursor) => ok(app.manage("GET", `/events?limit=100${cursor}`)));

  async function newsAndNotices(): Promise<string[]> {
    const recorded = await events();
    const fresh = recorded.slice(seenEvents).map((event) => event.type as string);
    seenEvents = recorded.length;
    return fresh;
  }

  async function statement(): Promise<string[]> {
    const invoices = await all((cursor) => ok(app.manage("GET", `/invoices?limit=100${cursor}`)));
    const recorded: string[] = [];
    for (const invoice of invoices.reverse()) {
      const lines = describeInvoice(invoice);
      const before = seenInvoices.get(invoice.id);
      seenInvoices.set(invoice.id, lines[0]!);
      if (before === undefined) recorded.push(...lines);
      else if (before !== lines[0]) recorded.push(lines[0]!);
    }
    return recorded;
  }

  return {
    app,
    ...tools(app),
    ok,
    statement,
    async travel(to) {
      const instant = to.includes("T") ? to : `${to}T09:00:00Z`;
      const answer = await advanceSandbox(app.manage, { to: instant });
      expect(answer.body).toMatchObject({ now: new Date(instant).toISOString() });
    },
    events,
    news: async () => (await newsAndNotices()).filter((type) => !NOTICES.has(type)),
    newsAndNotices,
    async access(externalCustomerId) {
      const grants = await ok(app.api("GET", `/benefit-grants?externalCustomerId=${externalCustomerId}`));
      return grants.data.map((grant: Json) => grant.benefit.name).sort();
    },
    async buy(params, card) {
      const checkout = await ok(app.api("POST", "/checkouts", params));
      const paid = await ok(app.manage("POST", `/sandbox/checkouts/${checkout.id}/pay`, { card }));
      expect(paid).toMatchObject({ status: "completed" });
      return paid.subscriptionId === null ? paid : ok(app.api("GET", `/subscriptions/${paid.subscriptionId}`));
    },
    async books() {
      const invoices = await all((cursor) => ok(app.manage("GET", `/invoices?status=paid&limit=100${cursor}`)));
      const charged = invoices.filter((invoice) => !invoice.paidOutside);
      const paid = charged.map((invoice) => invoice.amountPaid as number).filter((amount) => amount > 0);
      const captured: number[] = [];
      for (
        let page: ProviderCharge[] = await book(app, undefined);
        page.length > 0;
        page = await book(app, page.at(-1)!.key)
      ) {
        captured.push(...page.map((charge) => charge.amount));
      }
      const sort = (amounts: number[]) => amounts.sort((one, other) => one - other);
      return { paid: sort(paid), captured: sort(captured) };
    },
    close: () => app.close(),
  };
}

function book(app: TestApp, after: string | undefined): Promise<ProviderCharge[]> {
  return app.ctx.payments.sandbox.listCharges(app.organization.id, after);
}
