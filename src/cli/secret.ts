import { rotateSecrets, type Rotation, type StoredSecret } from "../actions/payment/connection-secrets.ts";
import { counted } from "../domain/words.ts";
import type { Command, Output } from "./command.ts";
import { withDatabase } from "./database.ts";

/** The exit code if values remain that can't be opened. */
const REMAIN = 1;

const FAULTS: Record<string, string> = {
  unknown_key: "no given secret opens the value",
  damaged: "the value was changed in the database",
};

const describe = ({ organizationId, provider, providerAccount, field, state }: StoredSecret) =>
  `${organizationId}  ${provider} ${providerAccount}  ${field}: ${FAULTS[state]}`;

function present({ reencrypted, kept, unopened }: Rotation): Output {
  const remaining = unopened.length;
  const remain = `${counted(remaining, "value")} ${remaining === 1 ? "remains" : "remain"}`;
  const text = [
    ...unopened.map(describe),
    `${counted(reencrypted, "value")} re-encrypted under BILLOW_SECRET, ${kept} there before. ${remain} under others.`,
    ...(remaining > 0
      ? ["Add the missing secret to BILLOW_SECRET_PREVIOUS and repeat, or connect these accounts again."]
      : []),
  ].join("\n");
  return { text, json: { reencrypted, kept, remaining, unopened } };
}

export const secretRotate: Command = {
  usage: "secret rotate",
  summary: "re-encrypt every stored key under BILLOW_SECRET: exit code 1 if values remain that no given secret opens",
  options: {},
  async run(wiring) {
    return withDatabase(wiring, async (ctx) => {
      const rotation = await rotateSecrets(ctx);
      wiring.print(present(rotation));
      return rotation.unopened.length > 0 ? REMAIN : 0;
    });
  },
};
