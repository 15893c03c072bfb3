import { spoolDocument, type Field, type SpooledFile } from "../../archive/json-document.ts";
import type { Context } from "../../context.ts";
import { formatInstant } from "../../domain/calendar.ts";
import type { Customer } from "../../domain/model/customer.ts";
import { Refusal } from "../../domain/refusal.ts";
import { withoutNotes } from "../../resources/customer-notes.ts";
import { presentBalances } from "../../resources/balance.ts";
import {
  CUSTOMER_EXPORT,
  CUSTOMER_EXPORT_VERSION,
  presentExportedCustomer,
  type CustomerExportList,
  type CustomerExportResource,
} from "../../resources/export.ts";
import { heldBalances } from "../../store/balances.ts";
import { customers } from "../../store/customers.ts";
import { withWorkerLimits, type Snapshot } from "../../store/driver/db.ts";
import { readOrganization } from "../../store/organizations.ts";
import { ConcurrencyLimit } from "../concurrency-limit.ts";
import { linesOf, type ExportWorld } from "./section.ts";
import { readProviderCustomers, SECTIONS } from "./sections.ts";

/** The exports of one Organization that one process makes at once, and those that wait. Each takes a connection. */
const limit = new ConcurrencyLimit(2, 8);

/** The reader of the document. A Customer gets no notes and no metadata of the seller's team. */
export type Audience = "seller" | "customer";

async function* without(list: CustomerExportList, pages: AsyncGenerator<object[]>): AsyncGenerator<object[]> {
  for await (const lines of pages) yield lines.map((line) => withoutNotes(list, line));
}

/** The fields of the document, in their order. The lists come page by page. */
async function* fieldsOf(
  world: ExportWorld,
  customer: Customer,
  exportedAt: string,
  audience: Audience,
): AsyncGenerator<Field> {
  const { db, organization } = world;
  const { id, name, legalName } = organization;
  const atProviders = await readProviderCustomers(world, [customer.id]);
  const balances = await heldBalances(db, organization.id, customer.id);
  const head: Omit<CustomerExportResource, CustomerExportList> = {
    format: CUSTOMER_EXPORT,
    formatVersion: CUSTOMER_EXPORT_VERSION,
    exportedAt,
    seller: { id, name, legalName },
    customer: presentExportedCustomer(customer, atProviders(customer.id)),
    balances: presentBalances(balances).data,
  };
  for (const [field, value] of Object.entries(head)) {
    const isBlanked = field === "customer" && audience === "customer";
    yield [field, { value: isBlanked ? withoutNotes("customer", head.customer) : value }];
  }
  for (const { ofCustomer, ...each } of SECTIONS) {
    if (ofCustomer === null) continue;
    const pages = linesOf(world, { ofCustomer, ...each }, customer.id);
    yield [ofCustomer, { pages: audience === "seller" ? pages : without(ofCustomer, pages) }];
  }
}

async function write(
  ctx: Context,
  tx: Snapshot,
  organizationId: string,
  customerId: string,
  audience: Audience,
): Promise<SpooledFile> {
  const { organization, now, realNow } = await readOrganization(tx, organizationId);
  const customer = await customers.find(tx, organizationId, customerId);
  if (!customer || customer.deletedAt !== null) throw new Refusal("not_found");
  const { config, keyring, payments } = ctx;
  const world: ExportWorld = { config, keyring, connectables: payments.connectables, db: tx, organization, now };
  return spoolDocument(fieldsOf(world, customer, formatInstant(realNow), audience));
}

/**
 * All data of one Customer as one JSON document of one instant, such as for a request under Articles 15 and 20 of the
 * GDPR. At most two run at once for an Organization in a process.
 * @throws Refusal `not_found`, AppError `rate_limited` if too many wait, `unavailable` after 35 s
 */
export function exportCustomer(
  ctx: Context,
  organizationId: string,
  customerId: string,
  audience: Audience,
): Promise<SpooledFile> {
  const { db } = ctx;
  return limit.run(organizationId, () =>
    withWorkerLimits(db).snapshot((tx) => write(ctx, tx, organizationId, customerId, audience)),
  );
}

/** The headers of the document as a file to keep. */
export const customerExportHeaders = (customerId: string) => ({
  "Content-Type": "application/json",
  "Content-Disposition": `attachment; filename="${customerId}.json"`,
});
