import type { Context } from "../../context.ts";
import type { Check } from "../../domain/doctor/check.ts";
import { judgeSecrets } from "../../domain/doctor/judge.ts";
import { storedSecrets } from "../payment/connection-secrets.ts";
import { factorStates } from "../team/second-factor.ts";

/** The stored keys and webhook secrets of accounts, and the second factors of people, by the secret that opens them. */
export async function checkSecrets(ctx: Context): Promise<Check> {
  const none = { present: 0, previous: 0, unknown_key: 0, damaged: 0 };
  const [values, factors] = [{ ...none }, { ...none }];
  for await (const { state } of storedSecrets(ctx)) values[state] += 1;
  for (const state of await factorStates(ctx)) factors[state] += 1;
  return judgeSecrets({ values, factors });
}
