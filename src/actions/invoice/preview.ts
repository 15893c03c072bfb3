import type { Context } from "../../context.ts";
import * as preview from "../../domain/settlement/preview-by-hand.ts";
import { readCustomerBilling, type Decide } from "../customer-billing.ts";

const previewOn = <T>(ctx: Context, organizationId: string, id: string, decide: Decide<T>): Promise<T> =>
  readCustomerBilling(ctx, { by: "invoice", organizationId, id }, decide, { deleted: true });

/** The effect of `void`, computed by the decision that voids the invoice. @throws Refusal 404, 409 */
export const previewVoid = (ctx: Context, organizationId: string, id: string): Promise<preview.ByHandPreview> =>
  previewOn(ctx, organizationId, id, (billing) => preview.previewVoid(billing, id));

/** The effect of `mark-paid`, computed by the decision that marks the invoice. @throws Refusal 404, 409 */
export const previewMarkPaid = (ctx: Context, organizationId: string, id: string): Promise<preview.ByHandPreview> =>
  previewOn(ctx, organizationId, id, (billing) => preview.previewMarkPaid(billing, id));

/** The effect of `pay`, if the charge succeeds. @throws Refusal 404, 409 */
export const previewCharge = (ctx: Context, organizationId: string, id: string): Promise<preview.ChargePreview> =>
  previewOn(ctx, organizationId, id, (billing) => preview.previewCharge(billing, id));
