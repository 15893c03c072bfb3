import type { Context } from "../../context.ts";
import { replaceCard } from "../../domain/card/given-card.ts";
import type { Customer } from "../../domain/model/customer.ts";
import { type GivenCard, SANDBOX } from "../../domain/model/payment-outcome.ts";
import { Refusal } from "../../domain/refusal.ts";
import { newId } from "../../ids.ts";
import type { SetCardParams } from "../../resources/payment-method.ts";
import { customers } from "../../store/customers.ts";
import { findCardOnFile, type CardOnFile } from "../../store/payment-methods.ts";
import { inBilling } from "../customer-billing.ts";
import { settleCustomer } from "../payment/settle-customer.ts";
import { cardOfNumber } from "./card-of-number.ts";

/**
 * Saves a Customer's test card at the built-in provider, under the key `key`.
 * @throws Refusal 402 `payment_failed`, `payment_refused`, 422 for another card
 */
export async function saveCard(ctx: Context, customer: Customer, key: string, number: string): Promise<GivenCard> {
  const { organizationId, id: description } = customer;
  const { sandbox } = ctx.payments;
  const accepted = await sandbox.entry.accept(organizationId, cardOfNumber(number));
  if ("fault" in accepted)
    throw new Refusal("card_not_accepted", {
      field: "/card",
      fault: accepted.fault.code,
      message: accepted.fault.message,
    });
  const { ref: card } = accepted.card;
  const returnUrl = ctx.config.publicOrigin;
  const saved = await sandbox.saveCard({ organizationId, key, card, customer, description, page: null, returnUrl });
  if (saved.status === "declined") {
    throw new Refusal("card_not_saved", { declineCode: saved.code });
  }
  if (saved.status === "refused") throw new Refusal("payment_refused", { declineCode: "provider_refused" });
  return { ...accepted.card, provider: SANDBOX, providerAccount: SANDBOX };
}

/** `POST /sandbox/customers/{id}/card`: makes a new default card, which pays open invoices at once (rule D3g). */
export async function setCard(
  ctx: Context,
  organizationId: string,
  customerId: string,
  params: SetCardParams,
): Promise<CardOnFile> {
  const customer = await customers.find(ctx.db.read, organizationId, customerId);
  if (!customer || customer.deletedAt !== null) throw new Refusal("not_found");
  const id = newId("pm");
  const card = await saveCard(ctx, customer, id, params.card);
  await makeDefault(ctx, organizationId, customerId, id, card);
  await settleCustomer(ctx, organizationId, customerId);
  return (await findCardOnFile(ctx.db.read, organizationId, id))!;
}

async function makeDefault(
  ctx: Context,
  organizationId: string,
  customerId: string,
  id: string,
  card: GivenCard,
): Promise<void> {
  await ctx.db.tx((tx) =>
    inBilling(ctx, tx, { organizationId, id: customerId }, (billing) => replaceCard(billing, card, id)),
  );
}
