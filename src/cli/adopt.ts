import { adopt as adoptDatabase, type Adoption } from "../actions/installation.ts";
import { counted } from "../domain/words.ts";
import type { Command } from "./command.ts";
import { withDatabase } from "./database.ts";

function describe({ installationId, isAdopted, released, accounts }: Adoption): string {
  if (accounts > 0 && !isAdopted)
    return `The charges of ${counted(accounts, "account")} that waited after the promotion of the database go on.`;
  if (!isAdopted) return `This database is already the one of the installation ${installationId}. No work is held.`;
  const { charges, refunds, emails, deliveries } = released;
  const parts = [counted(charges, "charge"), counted(refunds, "refund"), counted(emails, "e-mail")];
  const webhooks = counted(deliveries, "webhook delivery", "webhook deliveries");
  return `This database is now the one of the installation ${installationId}.
Released: ${parts.join(", ")} and ${webhooks}. The worker carries them out.`;
}

export const adopt: Command = {
  usage: "adopt",
  summary: "makes a copy of a database the one of the installation, and lets held charges, e-mails and webhooks go on",
  group: "Data and imports",
  options: {},
  example: "adopt",
  async run(wiring) {
    await withDatabase(wiring, async (ctx) => {
      const adoption = await adoptDatabase(ctx);
      const { installationId, isAdopted: adopted, released, accounts } = adoption;
      wiring.print({ text: describe(adoption), json: { installationId, adopted, released, accounts } });
    });
  },
};
