import { verifyOrganization } from "../../src/actions/verify.ts";
import type { BookedCharge } from "../../src/payments/provider.ts";
import { createSandboxProvider } from "../../src/payments/sandbox.ts";
import type { Database } from "../../src/store/db.ts";
import { organizations } from "../../src/store/organizations.ts";

/** Everything that the sandbox's provider took in for an Organization, by its own book. */
export async function readBook(db: Database, organizationId: string): Promise<BookedCharge[]> {
  const provider = createSandboxProvider({ db, publicOrigin: "" });
  const booked: BookedCharge[] = [];
  for (let page = await provider.book(organizationId); page.length > 0; page = await provider.book(organizationId, page.at(-1)!.key)) {
    booked.push(...page);
  }
  return booked;
}

/** What of an Organization `billow verify` finds to disagree; each a line that names the rule and the ids. */
export async function audit(db: Database, organizationId: string): Promise<string[]> {
  const payments = { sandbox: createSandboxProvider({ db, publicOrigin: "" }), live: null };
  const organization = await organizations.find(db.read, organizationId);
  const { disagreements } = await verifyOrganization({ db, payments }, organization!);
  return disagreements.flatMap(({ rule, says, examples }) => examples.map((example) => `${rule}: ${says} ${JSON.stringify(example)}`));
}
