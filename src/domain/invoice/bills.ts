import type { Account } from "../billing/customer-billing.ts";
import type { Invoice, InvoiceLine, LineDraft } from "../model/invoice.ts";
import { newId } from "../../ids.ts";

/** An invoice with its lines, in order. */
export type Bill = { invoice: Invoice; lines: InvoiceLine[] };

/** A Subscription's open invoices, oldest first (rule D9k). */
export function openInvoicesOf(account: Account, subscriptionId: string): Invoice[] {
  return account.invoices.where((invoice) => invoice.subscriptionId === subscriptionId && invoice.status === "open");
}

/** A Subscription's open invoices that are charged and retried, oldest first: those that are not held (rule D9h). */
export function owedInvoicesOf(account: Account, subscriptionId: string): Invoice[] {
  return openInvoicesOf(account, subscriptionId).filter(({ heldReason }) => heldReason === null);
}

/** Lines that wait for the Subscription's next invoice, in the order in which they were made (rule S4). */
export function waitingLines(account: Account, subscriptionId: string): InvoiceLine[] {
  return account.lines.where((line) => line.subscriptionId === subscriptionId && line.invoiceId === null);
}

/** The lines of an invoice, in order. Each part that brings an invoice brings all of its lines. */
export function linesOf(account: Account, invoiceId: string): InvoiceLine[] {
  if (!account.invoices.get(invoiceId)) account.need({ part: "invoice", id: invoiceId });
  return account.lines
    .where((line) => line.invoiceId === invoiceId)
    .sort((one, other) => one.position - other.position);
}

export function billOf(account: Account, invoice: Invoice): Bill {
  return { invoice, lines: linesOf(account, invoice.id) };
}

/** Null: the Customer has no such invoice. */
export function readBill(account: Account, invoiceId: string): Bill | null {
  const lines = linesOf(account, invoiceId);
  const invoice = account.invoices.get(invoiceId);
  return invoice && { invoice, lines };
}

type LinePosition = Pick<InvoiceLine, "subscriptionId" | "invoiceId" | "position">;

/** A new line, on an invoice or waiting for one. The sources of a credit are added when the line is stored. */
export function newLine(
  account: Account,
  draft: LineDraft,
  { subscriptionId, invoiceId, position }: LinePosition,
): InvoiceLine {
  return {
    ...draft,
    sources: null,
    organizationId: account.organization.id,
    id: newId("iln"),
    invoiceId,
    subscriptionId,
    position,
  };
}
