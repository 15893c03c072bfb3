import type { Context } from "../../context.ts";
import { replaceCard } from "../../domain/card/given-card.ts";
import type { GivenCard } from "../../domain/model/payment-outcome.ts";
import { AppError } from "../../errors.ts";
import { newId } from "../../ids.ts";
import type { SetCardParams } from "../../resources/payment-method.ts";
import { customers } from "../../store/customers.ts";
import { findCardOnFile, type CardOnFile } from "../../store/payment-methods.ts";
import { inBilling } from "../customer-billing.ts";
import { settleCustomer } from "../payment/settle-customer.ts";
import { saveCard } from "./save-card.ts";

/** `POST /sandbox/customers/{id}/card`: makes a new default card, which pays open invoices at once (rule D3g). */
export async function setCard(
  ctx: Context,
  organizationId: string,
  customerId: string,
  params: SetCardParams,
): Promise<CardOnFile> {
  const customer = await customers.find(ctx.db.read, organizationId, customerId);
  if (!customer || customer.deletedAt !== null) throw new AppError("not_found");
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
    inBilling(ctx, tx, { organizationId, id: customerId }, (account) => replaceCard(account, card, id)),
  );
}
