import type { CustomerBilling } from "../billing/customer-billing.ts";
import type { Instant } from "../calendar.ts";
import type { TransferDraft, TransferKind } from "../model/ledger.ts";
import { newId } from "../../ids.ts";

/** Adds transfers to the ledger; each source is posted once for each kind (rule I4). */
export function post(
  billing: Pick<CustomerBilling, "customer" | "organization" | "transfers">,
  kind: TransferKind,
  sourceId: string,
  currency: string,
  transfers: readonly TransferDraft[],
  at: Instant,
): void {
  const common = {
    organizationId: billing.organization.id,
    customerId: billing.customer.id,
    kind,
    sourceId,
    currency,
    createdAt: at,
  };
  for (const transfer of transfers) billing.transfers.put({ ...common, ...transfer, id: newId("led") });
}
