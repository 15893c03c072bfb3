import { pollNotices } from "../../src/actions/notice/poll.ts";
import { takeNotice } from "../../src/actions/notice/take.ts";
import type { Context } from "../../src/context.ts";
import { answerNotice } from "../../src/http/inbound.ts";
import { sql } from "../../src/store/driver/db.ts";
import { dueNotices } from "../../src/store/provider-notices.ts";
import { arrivals, signatureOf } from "../payments/stripe/events.ts";
import type { StripeEvent } from "../payments/stripe/objects.ts";
import type { StripeSandbox } from "./stripe-sandbox.ts";

/** A poll reads the last minute again, so Stripe's clock goes on by a little more. */
const BEFORE_A_POLL = 62_000;
/** So many polls take less time than a buyer has on Stripe's page. */
const MOST_POLLS = 25;

const duePollStatement = sql(
  "test.simulation_due_poll",
  "UPDATE provider_connections SET poll_at = statement_timestamp() WHERE organization_id = $1",
);
const dueNoticesStatement = sql(
  "test.simulation_due_notices",
  `UPDATE provider_notices SET check_at = statement_timestamp() WHERE organization_id = $1 AND check_at IS NOT NULL`,
);

export type StripePost = ReturnType<typeof openStripePost>;

/** The notices of Stripe on their way to Billow. */
export function openStripePost(sandbox: StripeSandbox) {
  const { ctx, organizationId, stripe, inbound, draw } = sandbox;
  const { book, accountId: providerAccount } = stripe;
  const [endpoint] = book.endpoints.values();
  const secret = book.endpointSecrets.get(endpoint!.id)!;
  const wanted = new Set(endpoint!.enabled_events);
  let [sent, polls] = [0, 0];
  let processing: string[] = [];

  async function deliver(event: StripeEvent): Promise<void> {
    const body = JSON.stringify(event);
    const headers = { "stripe-signature": signatureOf(body, [secret], book.now()) };
    const request = new Request(inbound, { method: "POST", body, headers });
    const { status } = await answerNotice(ctx, "stripe", organizationId, request);
    if (status !== 200) throw new Error(`a notice is answered with ${status}`);
  }

  async function poll(): Promise<void> {
    polls += 1;
    sandbox.pass(BEFORE_A_POLL);
    await ctx.db.tx((tx) => tx.query(duePollStatement, [organizationId]));
    await pollNotices(ctx, { organizationId, provider: "stripe", providerAccount });
  }

  /** Stripe ends the payments that were still processing the last time. True if others are processing. */
  function endProcessing(): boolean {
    for (const id of processing) stripe.operations.settlePayment(id);
    const now = [...book.paymentIntents.values()].filter(({ status }) => status === "processing");
    processing = now.map(({ id }) => id);
    return processing.length > 0;
  }

  /** The notices since the last time, in the order in which they arrive. Now and then an old notice comes again. */
  function nextArrivals(isGap: boolean): { isNews: boolean; notices: StripeEvent[] } {
    const news = book.events.slice(sent).filter(({ type }) => wanted.has(type));
    const old = book.events.slice(0, sent).filter(({ type }) => wanted.has(type));
    sent = book.events.length;
    const [shuffled, repeated, random] = [draw.chance(0.6), draw.chance(0.4), draw.random];
    const notices = arrivals(news, { shuffled, repeated, missing: isGap, random });
    return {
      isNews: news.length > 0,
      notices: old.length > 0 && draw.chance(0.1) ? [draw.pick(old), ...notices] : notices,
    };
  }

  /** Books all stored notices. */
  async function take(by: Context): Promise<void> {
    await ctx.db.tx((tx) => tx.query(dueNoticesStatement, [organizationId]));
    for (const { organizationId: id, id: notice } of await dueNotices(ctx.db.read, 1000))
      await takeNotice(by, id, notice);
  }

  /** Delivers notices, or polls for the events if a notice is missing. Returns true if more events will follow. */
  async function arrive(): Promise<boolean> {
    const goesOn = endProcessing();
    const way = polls < MOST_POLLS ? draw.weighted({ notices: 65, gaps: 20, poll: 15 }) : "notices";
    const { isNews, notices } = nextArrivals(way === "gaps");
    if (way !== "poll") for (const event of notices) await deliver(event);
    if (way !== "notices" && isNews) await poll();
    // Otherwise a worker asks for the outcomes of payments first.
    if (!sandbox.unheard && draw.chance(0.5)) await take(ctx);
    // A payment that is processing is asked for later, after the answers at the bank.
    if (!sandbox.unheard && draw.chance(0.1)) stripe.operations.processNext();
    sandbox.unheard = false;
    return goesOn;
  }

  return { arrive, take, poll };
}
