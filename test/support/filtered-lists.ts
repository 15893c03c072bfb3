import * as z from "zod";
import { ListManagedBenefitGrantsQuery } from "../../src/resources/benefit-grant.ts";
import { ListCheckoutsQuery } from "../../src/resources/checkout.ts";
import { ListCreditNotesQuery } from "../../src/resources/credit-note.ts";
import { ListCustomersQuery } from "../../src/resources/customer.ts";
import { ListDiscountsQuery } from "../../src/resources/discount.ts";
import { ListDisputesQuery } from "../../src/resources/dispute.ts";
import { ListInvoicesQuery } from "../../src/resources/invoice.ts";
import { ListPaymentsQuery } from "../../src/resources/payment.ts";
import { ListRefundsQuery } from "../../src/resources/refund.ts";
import { ListSubscriptionsQuery } from "../../src/resources/subscription.ts";
import { ListDeliveriesQuery } from "../../src/resources/webhook.ts";
import { IMPORT_STATES } from "../../src/domain/import/import.ts";
import { IMPORT_SOURCES } from "../../src/domain/model/imported.ts";
import { instant } from "../../src/domain/calendar.ts";
import { listRequests } from "../../src/store/api-requests.ts";
import { listGrants } from "../../src/store/benefit-grants.ts";
import { listCheckouts } from "../../src/store/checkouts.ts";
import { listCreditNotes } from "../../src/store/credit-notes.ts";
import { listCustomers } from "../../src/store/customers.ts";
import { type Read } from "../../src/store/driver/db.ts";
import { listDiscounts } from "../../src/store/discounts.ts";
import { listDisputes } from "../../src/store/disputes.ts";
import { listNewestEvents } from "../../src/store/event-log.ts";
import { listEvents } from "../../src/store/events.ts";
import {
  listEveryActivation,
  listEveryBalanceEntry,
  listEveryBenefit,
  listEveryCustomer,
  listEveryDiscount,
  listEveryEmail,
  listEveryPriceChange,
  listEveryRepriced,
  listEveryWaitingLine,
} from "../../src/store/export.ts";
import { COMPARISONS, listImports } from "../../src/store/imports.ts";
import { listInvoices } from "../../src/store/invoices.ts";
import { listEveryCardOnFile } from "../../src/store/payment-methods.ts";
import { listPayments } from "../../src/store/payments.ts";
import { listRefunds } from "../../src/store/refunds.ts";
import { listSubscriptions } from "../../src/store/subscriptions.ts";
import { listDeliveries } from "../../src/store/webhooks.ts";

/** Makes the statements of the other lists: without filters, with each one alone, and with each word of a schema. */
export async function makeFilteredLists(): Promise<void> {
  const nothing: Read = { kind: "read", query: async () => [] };
  const listDeliveriesOfOne = (db: Read, organizationId: string, query: never) =>
    listDeliveries(db, organizationId, "whe_1", query);
  const lists = [
    [listCheckouts, ListCheckoutsQuery],
    [listCreditNotes, ListCreditNotesQuery],
    [listCustomers, ListCustomersQuery],
    [listDiscounts, ListDiscountsQuery],
    [listDisputes, ListDisputesQuery],
    [listGrants, ListManagedBenefitGrantsQuery],
    [listInvoices, ListInvoicesQuery],
    [listPayments, ListPaymentsQuery],
    [listRefunds, ListRefundsQuery],
    [listSubscriptions, ListSubscriptionsQuery],
    [listDeliveriesOfOne, ListDeliveriesQuery],
  ] as const;
  for (const [list, { shape }] of lists) {
    const ask = (filters: object) => list(nothing, "org_1", { limit: 1, ...filters } as never);
    await ask({});
    for (const [name, field] of Object.entries(shape)) {
      const of = field instanceof z.ZodOptional ? field.unwrap() : field;
      const values = of instanceof z.ZodEnum ? of.options : ["x"];
      for (const value of values) if (name !== "limit") await ask({ [name]: value });
    }
  }
  const dated = [
    listCheckouts,
    listCustomers,
    listDisputes,
    listInvoices,
    listPayments,
    listRefunds,
    listSubscriptions,
  ];
  const [createdFrom, createdUntil] = [instant(0), instant(1)];
  const spans = [{}, { createdFrom }, { createdUntil }, { createdFrom, createdUntil }];
  for (const list of dated)
    for (const span of spans)
      for (const order of [{ sort: "newest" }, { sort: "oldest" }])
        for (const page of [{}, { cursor: "x" }])
          await list(nothing, "org_1", { limit: 1, ...span, ...order, ...page } as never);
  const everyCustomers = [listEveryActivation, listEveryBalanceEntry, listEveryCardOnFile, listEveryEmail];
  for (const list of [...everyCustomers, listEveryWaitingLine])
    for (const filters of [{}, { cursor: "x" }, { customerId: "x" }, { cursor: "x", customerId: "x" }])
      await list(nothing, "org_1", { limit: 1, ...filters });
  for (const list of [listEveryBenefit, listEveryCustomer, listEveryDiscount, listEveryPriceChange, listEveryRepriced])
    for (const filters of [{}, { cursor: "x" }]) await list(nothing, "org_1", { limit: 1, ...filters });
  const imports = [
    ...IMPORT_STATES.map((state) => ({ state })),
    ...IMPORT_SOURCES.map((source) => ({ source })),
    ...COMPARISONS.map((totals) => ({ totals })),
    { reason: "usage" },
    ...["account", "emailKey", "id"].map((name) => ({ [name]: "x" })),
    { cursor: '["stripe","acct_1","sub_1"]' },
  ];
  for (const about of [{}, ...imports]) await listImports(nothing, "org_1", { limit: 1, ...about } as never);
  const texts = ["cursor", "type", "resourceId", "customerId"].map((name) => ({ [name]: "x" }));
  for (const about of [{}, ...texts.slice(0, -1)]) await listEvents(nothing, "org_1", { limit: 1, ...about } as never);
  for (const about of [{}, ...texts])
    for (const span of [{}, { from: instant(0) }, { until: instant(0) }])
      await listNewestEvents(nothing, "org_1", { limit: 1, ...about, ...span } as never);
  const outcomes = [{ outcome: "refused" }, { outcome: "done" }];
  for (const about of [{}, ...["cursor", "keyId", "path", "status"].map((name) => ({ [name]: "x" })), ...outcomes])
    await listRequests(nothing, "org_1", { limit: 1, ...about } as never);
}
