import type { CustomerBilling, InvoiceRows } from "../billing/customer-billing.ts";
import type { Invoice, InvoiceLine, LineDraft } from "../model/invoice.ts";
import { newId } from "../../ids.ts";

/** An invoice with its lines, in order. */
export type Bill = { invoice: Invoice; lines: InvoiceLine[] };

/** A Subscription's open invoices, oldest first (rule D9k). */
export function openInvoicesOf(billing: Pick<CustomerBilling, "invoices">, subscriptionId: string): Invoice[] {
  return billing.invoices.where((invoice) => invoice.subscriptionId === subscriptionId && invoice.status === "open");
}

/** A Subscription's open invoices that are charged and retried, oldest first: those that are not held (rule D9h). */
export function owedInvoicesOf(billing: Pick<CustomerBilling, "invoices">, subscriptionId: string): Invoice[] {
  return openInvoicesOf(billing, subscriptionId).filter(({ heldReason }) => heldReason === null);
}

/** Lines that wait for the Subscription's next invoice, in the order in which they were made (rule S4). */
export function waitingLines(billing: Pick<CustomerBilling, "lines">, subscriptionId: string): InvoiceLine[] {
  return billing.lines.where((line) => line.subscriptionId === subscriptionId && line.invoiceId === null);
}

/** The lines of an invoice, in order. Each part that brings an invoice brings all of its lines. */
export function linesOf(billing: InvoiceRows, invoiceId: string): InvoiceLine[] {
  if (!billing.invoices.get(invoiceId)) billing.need({ part: "invoice", id: invoiceId });
  return billing.lines
    .where((line) => line.invoiceId === invoiceId)
    .sort((one, other) => one.position - other.position);
}

export function billOf(billing: InvoiceRows, invoice: Invoice): Bill {
  return { invoice, lines: linesOf(billing, invoice.id) };
}

/** Null: the Customer has no such invoice. */
export function readBill(billing: InvoiceRows, invoiceId: string): Bill | null {
  const lines = linesOf(billing, invoiceId);
  const invoice = billing.invoices.get(invoiceId);
  return invoice && { invoice, lines };
}

type LinePosition = Pick<InvoiceLine, "subscriptionId" | "invoiceId" | "position">;

/** A new line, on an invoice or waiting for one. The sources of a credit are added when the line is stored. */
export function newLine(
  billing: Pick<CustomerBilling, "organization">,
  draft: LineDraft,
  { subscriptionId, invoiceId, position }: LinePosition,
): InvoiceLine {
  return {
    ...draft,
    sources: null,
    organizationId: billing.organization.id,
    id: newId("iln"),
    invoiceId,
    subscriptionId,
    position,
  };
}
