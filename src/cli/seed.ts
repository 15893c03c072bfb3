import { seed as seedCatalogue, seedDemo } from "../actions/sandbox/seed.ts";
import type { Command } from "./command.ts";
import { findOrganization, withDatabase } from "./database.ts";
import { introduce, present } from "./org.ts";

export const seed: Command = {
  usage: "seed [--organization ID|NAME]",
  summary: "the demo's missing Products and Benefits; without any Organization, the demo itself",
  options: { organization: { type: "string" } },
  async run(wiring, values) {
    await withDatabase(wiring, async (ctx) => {
      const demo = values["organization"] === undefined ? await seedDemo(ctx) : null;
      if (demo) {
        return wiring.print(introduce(ctx, demo));
      }
      const organization = await findOrganization(ctx, values);
      const products = await seedCatalogue(ctx, organization);
      const text =
        products.length > 0
          ? `Added ${products.join(", ")} to ${organization.name}.`
          : `${organization.name} has them all.`;
      wiring.print({ text, json: { organization: present(ctx, organization), products } });
    });
  },
};
