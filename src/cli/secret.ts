import { rotateSecrets, type Rotation, type StoredSecret } from "../actions/payment/connection-secrets.ts";
import { rotateFactors, type UnopenedFactor } from "../actions/team/second-factor.ts";
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

const describeFactor = ({ userId, state }: UnopenedFactor) => `${userId}  second factor: ${FAULTS[state]}`;

function present({ reencrypted, kept, unopened }: Rotation, factors: readonly UnopenedFactor[]): Output {
  const remaining = unopened.length + factors.length;
  const remain = `${counted(remaining, "value")} ${remaining === 1 ? "remains" : "remain"}`;
  const text = [
    ...unopened.map(describe),
    ...factors.map(describeFactor),
    ...(factors.length > 0
      ? ["`node bin/billow.mjs team password` gives these users a new password, without a second factor."]
      : []),
    `${counted(reencrypted, "value")} re-encrypted under BILLOW_SECRET, ${kept} there before. ${remain} under others.`,
    ...(remaining > 0
      ? ["Add the missing secret to BILLOW_SECRET_PREVIOUS and repeat, or connect these accounts again."]
      : []),
  ].join("\n");
  return { text, json: { reencrypted, kept, remaining, unopened: [...unopened, ...factors] } };
}

export const secretRotate: Command = {
  usage: "secret rotate",
  summary: "re-encrypts the stored keys and second factors under BILLOW_SECRET",
  group: "Check and repair",
  options: {},
  example: "secret rotate",
  exits: {
    0: "each value is encrypted under BILLOW_SECRET",
    1: "values remain that no given secret opens, or the command failed",
  },
  async run(wiring) {
    return withDatabase(wiring, async (ctx) => {
      const [accounts, factors] = [await rotateSecrets(ctx), await rotateFactors(ctx)];
      const reencrypted = accounts.reencrypted + factors.reencrypted;
      const kept = accounts.kept + factors.kept;
      wiring.print(present({ ...accounts, reencrypted, kept }, factors.unopened));
      return accounts.unopened.length + factors.unopened.length > 0 ? REMAIN : 0;
    });
  },
};
