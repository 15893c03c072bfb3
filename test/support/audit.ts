import { countMetrics } from "../../src/actions/metrics/count.ts";
import { verifyOrganization } from "../../src/actions/verify.ts";
import type { Organization } from "../../src/domain/model/organization.ts";
import type { ProviderCharge } from "../../src/payments/provider.ts";
import type { Database } from "../../src/store/driver/db.ts";
import { listOrganizations, organizations } from "../../src/store/organizations.ts";
import { sandboxOver } from "./provider.ts";
import { reportDifferences } from "./reports.ts";

/** Every succeeded charge of an Organization in the sandbox provider's own book. */
export async function readBook(db: Database, organizationId: string): Promise<ProviderCharge[]> {
  const provider = sandboxOver(db);
  const booked: ProviderCharge[] = [];
  for (
    let page = await provider.listCharges(organizationId);
    page.length > 0;
    page = await provider.listCharges(organizationId, page.at(-1)!.key)
  ) {
    booked.push(...page);
  }
  return booked;
}

async function disagreementsOf(db: Database, organization: Organization): Promise<string[]> {
  const payments = {
    sandbox: sandboxOver(db),
    connected: async () => null,
    connectables: new Map(),
  };
  // Workers count once a day. Here, all events are counted, so that the rules about MRR see them.
  await countMetrics({ db }, organization.id, Infinity);
  const { disagreements } = await verifyOrganization({ db, payments }, organization);
  const found = disagreements.flatMap(({ rule, says, examples }) =>
    examples.map((example) => `${rule}: ${says} ${JSON.stringify(example)}`),
  );
  // Books with a fault have reports with this fault.
  return found.length > 0 ? found : reportDifferences(db, organization);
}

/**
 * The disagreements that `billow verify` finds in an Organization, each a line with the rule and the ids. Without any,
 * the differences between the reports and the ledger.
 */
export async function audit(db: Database, organizationId: string): Promise<string[]> {
  return disagreementsOf(db, (await organizations.find(db.read, organizationId))!);
}

/** The disagreements in every Organization of a database. */
export async function auditAll(db: Database): Promise<string[]> {
  const found: string[] = [];
  for (const organization of await listOrganizations(db.read)) found.push(...(await disagreementsOf(db, organization)));
  return found;
}
