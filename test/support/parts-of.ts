import type { BillingRows } from "../../src/domain/billing/customer-billing.ts";
import type { Part } from "../../src/domain/billing/parts.ts";

type Name =
  | "subscriptions"
  | "invoices"
  | "lines"
  | "payments"
  | "cards"
  | "checkouts"
  | "changes"
  | "refunds"
  | "creditNotes"
  | "disputes"
  | "grants"
  | "products"
  | "benefits"
  | "balanceEntries"
  | "transfers";
/** Rows in memory, by table. */
export type Rows = { [Table in Name]: BillingRows[Table][] };
type Some = Partial<Rows>;

/** The rows that the store would load with these parts. Subscriptions that are not canceled are always loaded. */
export function rowsOf(all: Rows, parts: readonly Part[]): Rows {
  const live: Some = { subscriptions: all.subscriptions.filter(({ status }) => status !== "canceled") };
  const found = [live, ...parts.map((part) => brought(all, part))];
  return Object.fromEntries(
    Object.keys(all).map((table) => {
      const rows = found.flatMap((some) => (some[table as Name] ?? []) as { id: string }[]);
      return [table, [...new Map(rows.map((row) => [row.id, row])).values()]];
    }),
  ) as Rows;
}

const withLines = (all: Rows, invoices: Rows["invoices"]): Some => {
  const ids = new Set<string | null>(invoices.map(({ id }) => id));
  return { invoices, lines: all.lines.filter(({ invoiceId }) => invoiceId !== null && ids.has(invoiceId)) };
};

function brought(all: Rows, part: Part): Some {
  switch (part.part) {
    case "open_items":
      return booksOf(all);
    case "given_back":
      return invoiceReturns(
        all,
        all.invoices.filter(({ id }) => id === part.invoiceId),
        [],
      );
    case "credited": {
      const line = all.lines.find(({ id }) => id === part.lineId);
      return invoiceReturns(
        all,
        all.invoices.filter(({ id }) => id === line?.invoiceId),
        [],
      );
    }
    case "period": {
      const isOfPeriod = (row: { subscriptionId: string | null; periodEnd: number | null }) =>
        row.subscriptionId === part.subscriptionId && row.periodEnd === part.end;
      return invoiceReturns(
        all,
        all.invoices.filter((invoice) => isOfPeriod(invoice) && invoice.status !== "void"),
        all.lines.filter((line) => line.invoiceId === null && isOfPeriod(line)),
      );
    }
    case "unsettled_refunds": {
      const refunds = all.refunds.filter(({ checkAt }) => checkAt !== null);
      const ids = new Set(refunds.map(({ invoiceId }) => invoiceId));
      return {
        refunds,
        ...withLines(
          all,
          all.invoices.filter(({ id }) => ids.has(id)),
        ),
      };
    }
    case "balances":
      return {};
    case "open_entries":
      return { balanceEntries: all.balanceEntries.filter(({ remaining }) => remaining !== 0) };
    case "refunds_of":
      return { refunds: all.refunds.filter(({ paymentId }) => paymentId === part.paymentId) };
    case "attempts":
      return { payments: all.payments.filter(({ sourceId }) => sourceId === part.sourceId) };
    case "disputes_of":
      return { disputes: all.disputes.filter(({ paymentId }) => paymentId === part.paymentId) };
    case "product_benefits":
      return { products: all.products.filter(({ id }) => id === part.productId) };
    default:
      return byId(all, part);
  }
}

function byId(all: Rows, part: Part): Some {
  if (!("id" in part)) return {};
  const only = <Row extends { id: string }>(rows: readonly Row[]) => rows.filter(({ id }) => id === part.id);
  switch (part.part) {
    case "subscription":
      return { subscriptions: only(all.subscriptions) };
    case "invoice":
      return withLines(all, only(all.invoices));
    case "product":
      return { products: only(all.products) };
    case "checkout":
      return { checkouts: only(all.checkouts) };
    case "change":
      return { changes: only(all.changes) };
    case "payment":
      return { payments: only(all.payments) };
    case "refund":
      return { refunds: only(all.refunds) };
    case "dispute":
      return { disputes: only(all.disputes) };
    default:
      return {};
  }
}

function booksOf(all: Rows): Some {
  const open = withLines(
    all,
    all.invoices.filter(({ status }) => status === "open"),
  );
  const disputes = all.disputes.filter(({ status }) => status !== "won");
  const live = all.subscriptions.filter(({ status }) => status !== "canceled");
  const products = new Set(live.flatMap(({ productId, pendingChange }) => [productId, pendingChange?.productId]));
  return {
    ...open,
    lines: [...open.lines!, ...all.lines.filter(({ invoiceId }) => invoiceId === null)],
    cards: all.cards,
    payments: all.payments.filter(
      ({ id, settledAt }) => settledAt === null || disputes.some(({ paymentId }) => paymentId === id),
    ),
    changes: all.changes.filter(({ status }) => status === "pending"),
    checkouts: all.checkouts.filter(({ status }) => status === "processing"),
    products: all.products.filter(({ id }) => products.has(id)),
    disputes,
  };
}

function invoiceReturns(all: Rows, targets: Rows["invoices"], waiting: Rows["lines"]): Some {
  const ids = new Set<string | null>(targets.map(({ id }) => id));
  const isOfTarget = ({ invoiceId }: { invoiceId: string | null }) => invoiceId !== null && ids.has(invoiceId);
  const billed = new Set<string | null>([...all.lines.filter(isOfTarget), ...waiting].map(({ id }) => id));
  const credits = all.lines.filter(({ creditedLineId }) => creditedLineId !== null && billed.has(creditedLineId));
  const shown = new Set([...ids, ...credits.map(({ invoiceId }) => invoiceId)]);
  const bills = withLines(
    all,
    all.invoices.filter(({ id }) => shown.has(id)),
  );
  return {
    ...bills,
    lines: [...bills.lines!, ...waiting, ...credits.filter(({ invoiceId }) => invoiceId === null)],
    payments: all.payments.filter(
      (payment) => isOfTarget(payment) && payment.purpose !== "setup" && payment.status === "succeeded",
    ),
    refunds: all.refunds.filter(isOfTarget),
    disputes: all.disputes.filter(isOfTarget),
  };
}
