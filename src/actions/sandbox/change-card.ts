import { realNow } from "../../clock.ts";
import type { Context } from "../../context.ts";
import { instant } from "../../domain/calendar.ts";
import { SANDBOX } from "../../domain/model/payment-outcome.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { UpdateCardParams } from "../../resources/payment-method.ts";
import { findCardOnFile, type CardOnFile } from "../../store/payment-methods.ts";
import { reportCard } from "../payment/report-card.ts";

const ACCOUNT = { provider: SANDBOX, providerAccount: SANDBOX };

/** @throws Refusal 404, also for a card at a connected provider, 409 `payment_method_detached` */
async function findChangeable(ctx: Context, organizationId: string, id: string): Promise<CardOnFile> {
  const card = await findCardOnFile(ctx.db.read, organizationId, id);
  if (!card || card.provider !== SANDBOX) throw new Refusal("not_found");
  if (card.dead) throw new Refusal("payment_method_detached");
  return card;
}

/** Reads the card at the provider and books its state, as after a notice. */
async function look(ctx: Context, { organizationId, id, providerRef: ref }: CardOnFile): Promise<CardOnFile> {
  const readAt = instant(realNow());
  const card = await ctx.payments.sandbox.presentCard(organizationId, ref);
  await reportCard(ctx, organizationId, ACCOUNT, { ref, card, readAt });
  return (await findCardOnFile(ctx.db.read, organizationId, id))!;
}

/**
 * `POST /sandbox/payment-methods/{id}/update`: the bank replaces a card (rule D10a).
 * @throws Refusal 404, 409 `payment_method_detached`
 */
export async function updateAtProvider(
  ctx: Context,
  organizationId: string,
  id: string,
  replaced: UpdateCardParams,
): Promise<CardOnFile> {
  const card = await findChangeable(ctx, organizationId, id);
  await ctx.payments.sandbox.replaceCard(organizationId, card.providerRef, replaced);
  return look(ctx, card);
}

/**
 * `POST /sandbox/payment-methods/{id}/detach`: the provider detaches a card (rule D10b).
 * @throws Refusal 404, 409 `payment_method_detached`
 */
export async function detachAtProvider(ctx: Context, organizationId: string, id: string): Promise<CardOnFile> {
  const card = await findChangeable(ctx, organizationId, id);
  await ctx.payments.sandbox.endCard(organizationId, card.providerRef);
  return look(ctx, card);
}
