import type { Context } from "../context.ts";
import { writeVerification } from "../store/verifications.ts";
import type { Verification } from "./verify.ts";

/** Stores a verification for the dashboard, without the examples. */
export async function storeVerification({ db }: Pick<Context, "db">, verification: Verification): Promise<void> {
  const disagreements = verification.disagreements.map(({ rule, says, count: violations }) => ({
    rule,
    says,
    count: violations,
  }));
  await db.tx((tx) => writeVerification(tx, verification.organizationId, disagreements));
}
