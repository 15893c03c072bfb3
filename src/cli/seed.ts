import { setTimeout as sleep } from "node:timers/promises";
import { fillSandbox } from "../actions/scenario/company/begin.ts";
import { carryOnFill } from "../actions/scenario/company/carry-on.ts";
import { seed as seedCatalogue, seedDemo } from "../actions/sandbox/seed.ts";
import type { Context } from "../context.ts";
import type { Organization } from "../domain/model/organization.ts";
import { findFill, type Fill } from "../store/sandbox-fills.ts";
import { CommandError, ORGANIZATION, type Command, type Wiring } from "./command.ts";
import { findOrganization, withDatabase } from "./database.ts";
import { commandOrigin } from "./command-audit.ts";
import { introduce, present } from "./org.ts";

/** The pause before the next look while a running worker takes the steps. */
const LOOK_MILLISECONDS = 250;
const SLICE_MILLISECONDS = 2_000;

/** Fills a sandbox beside a running worker, or in its place. @throws CommandError, Refusal */
async function fill({ note }: Wiring, ctx: Context, { id, name, mode }: Organization): Promise<void> {
  if (mode !== "sandbox") throw new CommandError(`${name} is live: only a sandbox can be filled with a company.`);
  await fillSandbox(ctx, commandOrigin<Fill>(id, "fillSandbox", null));
  for (;;) {
    const { done, steps, fault, leaseUntil } = (await findFill(ctx.db.read, id))!;
    if (fault !== null) throw new CommandError(`${fault} ${done} of ${steps} steps are done.`);
    if (leaseUntil === null) return;
    note(`Step ${done} of ${steps}.`);
    if (!(await carryOnFill(ctx, id, SLICE_MILLISECONDS))) await sleep(LOOK_MILLISECONDS);
  }
}

export const seed: Command = {
  usage: "seed [--company] [--organization ID|NAME]",
  summary: "adds the Products and Benefits of the demo that are missing; without an Organization, makes the demo",
  group: "Sell and test",
  options: {
    company: { type: "boolean", says: "also fills an empty sandbox with half a year of purchases" },
    ...ORGANIZATION,
  },
  example: "seed --company --organization Demo",
  async run(wiring, values) {
    const isCompany = values["company"] === true;
    await withDatabase(wiring, async (ctx) => {
      const demo = values["organization"] === undefined ? await seedDemo(ctx) : null;
      if (demo) {
        if (isCompany) await fill(wiring, ctx, demo.organization);
        return wiring.print(introduce(ctx, demo));
      }
      const organization = await findOrganization(ctx, values);
      if (isCompany) {
        await fill(wiring, ctx, organization);
        const text = `${organization.name} has the purchases of a company.`;
        return wiring.print({ text, json: { organization: present(ctx, organization) } });
      }
      const products = await seedCatalogue(ctx, organization);
      const text =
        products.length > 0
          ? `Added ${products.join(", ")} to ${organization.name}.`
          : `${organization.name} has them all.`;
      wiring.print({ text, json: { organization: present(ctx, organization), products } });
    });
  },
};
