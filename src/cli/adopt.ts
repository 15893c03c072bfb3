import { adopt as adoptDatabase, type Adoption } from "../actions/installation.ts";
import { counted } from "../domain/words.ts";
import type { Command } from "./command.ts";
import { withDatabase } from "./database.ts";

function describe({ installationId, isAdopted, released }: Adoption): string {
  if (!isAdopted) return `This database is already the one of the installation ${installationId}. No work is held.`;
  const { charges, refunds, emails, deliveries } = released;
  const parts = [counted(charges, "charge"), counted(refunds, "refund"), counted(emails, "e-mail")];
  const webhooks = counted(deliveries, "webhook delivery", "webhook deliveries");
  return `This database is now the one of the installation ${installationId}.
Released: ${parts.join(", ")} and ${webhooks}. The worker carries them out.`;
}

export const adopt: Command = {
  usage: "adopt",
  summary: "makes this copy of a database the one of the installation, so that charges, e-mails and webhooks go on",
  options: {},
  async run(wiring) {
    await withDatabase(wiring, async (ctx) => {
      const adoption = await adoptDatabase(ctx);
      const { installationId, isAdopted: adopted, released } = adoption;
      wiring.print({ text: describe(adoption), json: { installationId, adopted, released } });
    });
  },
};
