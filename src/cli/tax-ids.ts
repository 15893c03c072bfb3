import { unverifiedTaxIds, type UnverifiedTaxId } from "../actions/tax-ids.ts";
import type { Context } from "../context.ts";
import type { TaxId } from "../domain/tax/tax-id.ts";
import { EACH_ORGANIZATION, type Command, type Values } from "./command.ts";
import { findOrganizations, withDatabase } from "./database.ts";

/**
 * `resourceId`: the owner of the tax id: a Customer, a Subscription with an address of its own, or the Organization.
 */
type Listed = TaxId & {
  organizationId: string;
  resourceId: string;
  customerId: string | null;
  verification: UnverifiedTaxId["verification"];
  why: string;
};

const WHY: Record<Listed["verification"], (type: string) => string> = {
  failed: (type) => `format or check digits are wrong for ${type}`,
  unsupported: (type) => `there is no check for the type ${type}`,
};

async function listUnverified(ctx: Context, values: Values): Promise<Listed[]> {
  const listed: Listed[] = [];
  for (const { id: organizationId } of await findOrganizations(ctx, values)) {
    for await (const { id: resourceId, customerId, taxId, verification } of unverifiedTaxIds(ctx, organizationId)) {
      listed.push({
        organizationId,
        resourceId,
        customerId,
        ...taxId,
        verification,
        why: WHY[verification](taxId.type),
      });
    }
  }
  return listed;
}

function describe({ organizationId, resourceId, type, value, verification, why }: Listed): string {
  return `${organizationId}  ${resourceId}  ${type} ${value}  ${verification}: ${why}`;
}

export const taxIds: Command = {
  usage: "tax-ids [--organization ID|NAME]",
  summary: "lists stored tax ids that fail their check, or have a type without one: their owners are charged tax",
  group: "Check and repair",
  options: EACH_ORGANIZATION,
  example: "tax-ids --organization Acme",
  async run(wiring, values) {
    return withDatabase(wiring, async (ctx) => {
      const data = await listUnverified(ctx, values);
      const text = data.length === 0 ? "All stored tax ids fit." : data.map(describe).join("\n");
      wiring.print({ text, json: { data } });
    });
  },
};
