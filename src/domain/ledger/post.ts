import type { Account } from "../billing/customer-billing.ts";
import type { Instant } from "../calendar.ts";
import type { TransferDraft, TransferKind } from "../model/ledger.ts";
import { newId } from "../../ids.ts";

/** Adds transfers to the ledger; each source is posted once for each kind (rule I4). */
export function post(
  account: Account,
  kind: TransferKind,
  sourceId: string,
  currency: string,
  transfers: readonly TransferDraft[],
  at: Instant,
): void {
  const common = {
    organizationId: account.organization.id,
    customerId: account.customer.id,
    kind,
    sourceId,
    currency,
    createdAt: at,
  };
  for (const transfer of transfers) account.transfers.put({ ...common, ...transfer, id: newId("led") });
}
