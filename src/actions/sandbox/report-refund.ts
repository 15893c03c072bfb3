import type { Context } from "../../context.ts";
import { SANDBOX } from "../../domain/model/payment-outcome.ts";
import type { RefundReport } from "../../domain/model/refund-report.ts";
import type { Refund } from "../../domain/model/refund.ts";
import { reportRefund } from "../refund/report.ts";

const ACCOUNT = { provider: SANDBOX, providerAccount: SANDBOX };

/** Reports a fact of the sandbox provider's book. @throws Error if Billow does not know the charge */
export async function reportSandboxRefund(ctx: Context, organizationId: string, report: RefundReport): Promise<Refund> {
  const reported = await reportRefund(ctx, organizationId, ACCOUNT, report);
  if (typeof reported === "string")
    throw new Error(`the refund ${report.ref} was reported, but the answer is ${reported}`);
  return reported;
}
