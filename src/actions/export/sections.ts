import type { ProviderRef } from "../../payments/connectable-provider.ts";
import { presentAuditEntry } from "../../resources/audit-entry.ts";
import { presentManagedBenefitGrant } from "../../resources/benefit-grant.ts";
import { presentCheckout } from "../../resources/checkout.ts";
import { presentCreditNote } from "../../resources/credit-note.ts";
import { presentDispute } from "../../resources/dispute.ts";
import { presentEmailWithBody } from "../../resources/email.ts";
import { presentEvent } from "../../resources/event.ts";
import {
  presentBenefitLine,
  presentCustomerLine,
  presentDiscountLine,
  presentExportedActivation,
  presentExportedCard,
  presentExportedEntry,
  presentExportedPayment,
  presentExportedSubscription,
  presentProductPrice,
  presentRepricedLine,
  presentWaitingLine,
} from "../../resources/export.ts";
import { presentInvoice } from "../../resources/invoice.ts";
import { presentOrganization } from "../../resources/organization.ts";
import { presentPaymentLink } from "../../resources/payment-link.ts";
import { presentPriceChange } from "../../resources/price-change.ts";
import { presentProduct } from "../../resources/product.ts";
import { presentRefund } from "../../resources/refund.ts";
import { presentWebhookEndpoint } from "../../resources/webhook.ts";
import { listAuditLog } from "../../store/audit-log.ts";
import { listGrants } from "../../store/benefit-grants.ts";
import { listCheckouts } from "../../store/checkouts.ts";
import { listCreditNotes } from "../../store/credit-notes.ts";
import { listDisputes } from "../../store/disputes.ts";
import { eventsOfCustomer, listEvents } from "../../store/events.ts";
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
  pricesOfProducts,
} from "../../store/export.ts";
import { linesOfInvoices } from "../../store/invoice-lines.ts";
import { listInvoices } from "../../store/invoices.ts";
import { listEveryCardOnFile } from "../../store/payment-methods.ts";
import { listPaymentLinks } from "../../store/payment-links.ts";
import { listPayments } from "../../store/payments.ts";
import { listProducts } from "../../store/products.ts";
import { countSteps } from "../../store/repriced-subscriptions.ts";
import { listRefunds } from "../../store/refunds.ts";
import { listSubscriptions } from "../../store/subscriptions.ts";
import { listEndpoints } from "../../store/webhooks.ts";
import { returnsOfInvoices } from "../invoice/returns.ts";
import { checkoutUrl, creditNoteUrl, invoiceUrl, paymentLinkUrl, portalUrl } from "../links.ts";
import { readProblems } from "../organization/problems.ts";
import { section, type ExportWorld, type Section } from "./section.ts";

/** Products on a page of their prices. A Product has some prices. */
const PRICED_PRODUCTS = 100;

type Named = ProviderRef & { provider: string };

/** The ids of Customers at each provider, by the ids of ours. */
export async function readProviderCustomers(
  { connectables, db, organization }: ExportWorld,
  ids: readonly string[],
): Promise<(id: string) => Omit<Named, "id">[]> {
  const found: Named[] = [];
  for (const [provider, { customerRefs }] of connectables)
    if (customerRefs)
      found.push(...(await customerRefs(db, organization.id, ids)).map((each) => ({ provider, ...each })));
  const byCustomer = Map.groupBy(found, ({ id }) => id);
  return (id) => (byCustomer.get(id) ?? []).map(({ provider, account, ref }) => ({ provider, account, ref }));
}

/** The ids of charges at each provider, by provider, account and key. */
async function readChargeRefs({ connectables, db, organization }: ExportWorld, keys: readonly string[]) {
  const found = new Map<string, string>();
  const nameOf = (...parts: string[]) => parts.join(" ");
  for (const [provider, { chargeRefs }] of connectables)
    for (const { account, id, ref } of (await chargeRefs?.(db, organization.id, keys)) ?? [])
      found.set(nameOf(provider, account, id), ref);
  return (provider: string, account: string, key: string) => found.get(nameOf(provider, account, key)) ?? null;
}

const organizationSection: Section = {
  name: "organization",
  resource: "Organization",
  tables: [],
  ofCustomer: null,
  async page({ config, db, organization }) {
    const problems = await readProblems(db, organization.id);
    return {
      lines: [presentOrganization(organization, portalUrl({ config }, organization.id), problems)],
      next: undefined,
    };
  },
};

/** The prices of a page of Products. The page is one of Products, so its cursor is the id of a Product. */
const pricesSection: Section = {
  name: "product-prices",
  resource: "ProductPrice",
  tables: ["product_prices", "products"],
  ofCustomer: null,
  async page({ db, organization }, { cursor }) {
    const found = await listProducts(db, organization.id, { limit: PRICED_PRODUCTS, cursor });
    const ids = found.slice(0, PRICED_PRODUCTS).map(({ id }) => id);
    const rows = await pricesOfProducts(db, organization.id, ids);
    return { lines: rows.map(presentProductPrice), next: found.length > PRICED_PRODUCTS ? ids.at(-1) : undefined };
  },
};

const newPrices: Section[] = [
  pricesSection,
  section({
    name: "price-changes",
    resource: "PriceChange",
    tables: ["price_changes", "price_change_subscriptions"],
    list: ({ db, organization: { id } }, query) => listEveryPriceChange(db, id, query),
    async present({ db, organization }, rows) {
      const steps = Map.groupBy(
        await countSteps(
          db,
          organization.id,
          rows.map(({ id }) => id),
        ),
        ({ priceChangeId }) => priceChangeId,
      );
      return (round) => presentPriceChange({ round, steps: steps.get(round.id) ?? [] });
    },
  }),
  section({
    name: "repriced-subscriptions",
    resource: "RepricedSubscription",
    tables: ["price_change_subscriptions"],
    list: ({ db, organization: { id } }, query) => listEveryRepriced(db, id, query),
    present: () => (row) => presentRepricedLine(row),
  }),
];

const catalogue: Section[] = [
  section({
    name: "products",
    resource: "Product",
    tables: ["products"],
    list: ({ db, organization: { id } }, query) => listProducts(db, id, query),
    present: () => presentProduct,
  }),
  section({
    name: "benefits",
    resource: "Benefit",
    tables: ["benefits"],
    list: ({ db, organization: { id } }, query) => listEveryBenefit(db, id, query),
    present: () => presentBenefitLine,
  }),
  section({
    name: "discounts",
    resource: "Discount",
    tables: ["discounts"],
    list: ({ db, organization: { id } }, query) => listEveryDiscount(db, id, query),
    present: () => presentDiscountLine,
  }),
  section({
    name: "payment-links",
    resource: "PaymentLink",
    tables: ["payment_links", "checkouts"],
    list: ({ db, organization: { id } }, query) => listPaymentLinks(db, id, query),
    present: (world) => (link) => presentPaymentLink(link, paymentLinkUrl(world, link)),
  }),
];

const people: Section[] = [
  section({
    name: "customers",
    resource: "ExportedCustomer",
    tables: ["customers", "stripe_customers"],
    list: ({ db, organization: { id } }, query) => listEveryCustomer(db, id, query),
    async present(world, rows) {
      const atProviders = await readProviderCustomers(
        world,
        rows.map(({ id }) => id),
      );
      return (customer) => presentCustomerLine(customer, atProviders(customer.id));
    },
  }),
  section({
    name: "payment-methods",
    resource: "ExportedPaymentMethod",
    tables: ["payment_methods", "payments", "customers", "subscriptions", "disputes"],
    ofCustomer: "paymentMethods",
    list: ({ db, organization: { id } }, query) => listEveryCardOnFile(db, id, query),
    present: () => presentExportedCard,
  }),
  section({
    name: "balance-entries",
    resource: "ExportedBalanceEntry",
    tables: ["balance_entries"],
    ofCustomer: "balanceEntries",
    list: ({ db, organization: { id } }, query) => listEveryBalanceEntry(db, id, query),
    present: () => presentExportedEntry,
  }),
];

const sales: Section[] = [
  section({
    name: "subscriptions",
    resource: "ExportedSubscription",
    tables: ["subscriptions", "customers"],
    ofCustomer: "subscriptions",
    list: ({ db, organization: { id } }, query) => listSubscriptions(db, id, query),
    present: () => (row) => presentExportedSubscription(row, row.externalCustomerId),
  }),
  section({
    name: "checkouts",
    resource: "Checkout",
    tables: ["checkouts", "customers"],
    ofCustomer: "checkouts",
    list: ({ db, organization: { id } }, query) => listCheckouts(db, id, query),
    present: (world) => (row) =>
      presentCheckout(row, {
        externalCustomerId: row.externalCustomerId,
        now: world.now,
        url: checkoutUrl(world, row),
      }),
  }),
  section({
    name: "invoices",
    resource: "Invoice",
    tables: ["invoices", "invoice_lines", "payments", "refunds", "disputes", "balance_entries"],
    ofCustomer: "invoices",
    rows: 200,
    list: ({ db, organization: { id } }, query) => listInvoices(db, id, query),
    async present(world, rows) {
      const { db, organization } = world;
      const ids = rows.map(({ id }) => id);
      const [lines, back] = await Promise.all([
        linesOfInvoices(db, organization.id, ids),
        returnsOfInvoices(db, organization.id, ids),
      ]);
      return (row) => presentInvoice(row, lines.get(row.id) ?? [], invoiceUrl(world, row), back.get(row.id));
    },
  }),
  section({
    name: "waiting-lines",
    resource: "WaitingLine",
    tables: ["invoice_lines", "subscriptions"],
    ofCustomer: "waitingLines",
    list: ({ db, organization: { id } }, query) => listEveryWaitingLine(db, id, query),
    present: () => presentWaitingLine,
  }),
  section({
    name: "credit-notes",
    resource: "CreditNote",
    tables: ["credit_notes"],
    ofCustomer: "creditNotes",
    rows: 200,
    list: ({ db, organization: { id } }, query) => listCreditNotes(db, id, query),
    present: (world) => (row) => presentCreditNote(row, creditNoteUrl(world, row)),
  }),
];

const money: Section[] = [
  section({
    name: "payments",
    resource: "ExportedPayment",
    tables: ["payments", "stripe_requests"],
    ofCustomer: "payments",
    list: ({ db, organization: { id } }, query) => listPayments(db, id, query),
    async present(world, rows) {
      const refOf = await readChargeRefs(
        world,
        rows.map(({ providerKey }) => providerKey),
      );
      return (row) => presentExportedPayment(row, refOf(row.provider, row.providerAccount, row.providerKey));
    },
  }),
  section({
    name: "refunds",
    resource: "Refund",
    tables: ["refunds"],
    ofCustomer: "refunds",
    list: ({ db, organization: { id } }, query) => listRefunds(db, id, query),
    present: () => presentRefund,
  }),
  section({
    name: "disputes",
    resource: "Dispute",
    tables: ["disputes"],
    ofCustomer: "disputes",
    list: ({ db, organization: { id } }, query) => listDisputes(db, id, query),
    present: () => presentDispute,
  }),
];

const access: Section[] = [
  section({
    name: "benefit-grants",
    resource: "ManagedBenefitGrant",
    tables: ["benefit_grants", "benefits", "customers", "subscriptions"],
    ofCustomer: "benefitGrants",
    list: ({ db, organization: { id } }, query) => listGrants(db, id, query),
    // The links to files of the API end after a quarter of an hour. The portal leads to the files for good.
    present: (world) => (grant) =>
      presentManagedBenefitGrant(grant, grant.benefit, {
        externalCustomerId: grant.externalCustomerId,
        expiresAt: grant.expiresAt,
        downloadUrl: () => portalUrl(world, grant.organizationId),
      }),
  }),
  section({
    name: "license-activations",
    resource: "ExportedLicenseActivation",
    tables: ["license_activations"],
    ofCustomer: "licenseActivations",
    list: ({ db, organization: { id } }, query) => listEveryActivation(db, id, query),
    present: () => presentExportedActivation,
  }),
];

const history: Section[] = [
  section({
    name: "emails",
    resource: "EmailWithBody",
    tables: ["emails"],
    ofCustomer: "emails",
    // A message has some 20 kB.
    rows: 50,
    list: ({ db, organization: { id } }, query) => listEveryEmail(db, id, query),
    present: () => (email) => presentEmailWithBody(email, null),
  }),
  section({
    name: "events",
    resource: "Event",
    tables: ["events"],
    ofCustomer: "events",
    // The log of events comes in the order of writing, that of a Customer newest first.
    list: ({ db, organization: { id } }, { customerId, ...query }) =>
      customerId === undefined ? listEvents(db, id, query) : eventsOfCustomer(db, id, customerId, query),
    present: () => presentEvent,
  }),
  section({
    name: "webhook-endpoints",
    resource: "WebhookEndpoint",
    tables: ["webhook_endpoints"],
    list: ({ db, organization: { id } }, query) => listEndpoints(db, id, query),
    present: () => presentWebhookEndpoint,
  }),
  section({
    name: "audit-log",
    resource: "AuditEntry",
    tables: ["audit_log"],
    list: ({ db, organization: { id } }, query) => listAuditLog(db, id, query),
    present: () => presentAuditEntry,
  }),
];

/** All that an export of an Organization holds, beside its PDFs. */
export const SECTIONS: readonly Section[] = [
  organizationSection,
  ...catalogue,
  ...newPrices,
  ...people,
  ...sales,
  ...money,
  ...access,
  ...history,
];
