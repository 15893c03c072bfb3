import { Unanswered } from "../../src/payments/stripe/client.ts";
import { fromStripe, toStripe } from "../../src/payments/stripe/money.ts";
import { sql } from "../../src/store/driver/db.ts";
import { payments } from "../../src/store/payments.ts";
import type { Json } from "../support/app.ts";
import type { Charge } from "../payments/stripe/objects.ts";
import { Died } from "./faults.ts";
import { ok } from "./look.ts";
import { answerOutside, type StepRun } from "./provider-side.ts";
import { underFault } from "./stripe-fault.ts";
import type { StripeSandbox } from "./stripe-sandbox.ts";
import type { StripePost } from "./stripe-post.ts";

const refStatement = sql(
  "test.simulation_refund_ref",
  "SELECT provider_ref AS ref FROM refunds WHERE organization_id = $1 AND id = $2",
);
const byRefStatement = sql(
  "test.simulation_refund_by_ref",
  "SELECT id FROM refunds WHERE organization_id = $1 AND provider_ref = $2",
);
const disputeRefStatement = sql(
  "test.simulation_dispute_ref",
  "SELECT provider_ref AS ref FROM disputes WHERE organization_id = $1 AND id = $2",
);

const cardRefStatement = sql(
  "test.simulation_card_ref",
  "SELECT provider_ref AS ref FROM payment_methods WHERE organization_id = $1 AND id = $2",
);

/**
 * Operations that begin at Stripe: at banks, and in the seller's dashboard. Billow learns of them by notices and polls.
 */
export function openStripeOffice(sandbox: StripeSandbox, post: StripePost) {
  const { ctx, organizationId, stripe } = sandbox;
  const { book, operations } = stripe;

  /** The news arrive, and the process that takes them may have the fault of the step. */
  async function tell({ world, fault }: StepRun): Promise<void> {
    await post.arrive();
    await underFault(sandbox, fault, post.take).catch((error: unknown) => {
      if (!(error instanceof Died || error instanceof Unanswered)) throw error;
    });
    await world.settle();
  }

  async function chargeOf({ id }: Json): Promise<Charge> {
    const { providerKey } = (await payments.find(ctx.db.read, organizationId, id))!;
    const found = [...book.charges.values()].find(
      ({ status, metadata }) => status === "succeeded" && metadata["billow_key"] === providerKey,
    );
    if (!found) throw new Error(`Stripe has no charge of ${id}`);
    return found;
  }

  const restOf = ({ amount, amount_refunded: refunded, currency }: Charge) => fromStripe(amount - refunded, currency);

  async function refOf(statement: typeof refStatement, id: string): Promise<string> {
    const [row] = await ctx.db.read.query<{ ref: string | null }>(statement, [organizationId, id]);
    return row?.ref ?? [...book.refunds.values()].find(({ metadata }) => metadata["billow_key"] === id)!.id;
  }

  return {
    async detach(run: StepRun, { id }: Json): Promise<string> {
      operations.detachCard(await refOf(cardRefStatement, id));
      await tell(run);
      return "200";
    },
    async dispute(run: StepRun, payment: Json): Promise<string> {
      const charge = await chargeOf(payment);
      const isStanding = [...book.disputes.values()].some((each) => each.charge === charge.id && each.status !== "won");
      if (isStanding) return "409 already_disputed";
      const rest = restOf(charge);
      if (rest === 0) return "409 payment_not_disputable";
      operations.dispute(charge.id);
      await tell(run);
      return `201 ${rest}`;
    },
    async decide(run: StepRun, { id }: Json, outcome: "won" | "lost"): Promise<string> {
      operations.closeDispute(await refOf(disputeRefStatement, id), outcome);
      await tell(run);
      return "200";
    },
    async failRefund(run: StepRun, { id }: Json): Promise<string> {
      operations.failRefund(await refOf(refStatement, id));
      await tell(run);
      return "200";
    },
    async refundOutside(run: StepRun, payment: Json, wanted: number | null): Promise<string> {
      const charge = await chargeOf(payment);
      const rest = restOf(charge);
      const amount = wanted ?? rest;
      if (amount > rest || rest === 0) return `409 payment_not_refundable ${rest}`;
      const { id: ref } = operations.refund(charge.id, toStripe(amount, charge.currency));
      await tell(run);
      const [row] = await ctx.db.read.query<{ id: string }>(byRefStatement, [organizationId, ref]);
      if (!row) throw new Error(`Billow does not know the refund ${ref}`);
      return answerOutside(await ok(run.world.call({ method: "GET", path: `/manage/v1/refunds/${row.id}` })));
    },
  };
}
