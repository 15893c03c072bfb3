import type { Context } from "../../context.ts";
import * as preview from "../../domain/settlement/preview-by-hand.ts";
import { readAccount, type Decide } from "../customer-billing.ts";

const previewOn = <T>(ctx: Context, organizationId: string, id: string, decide: Decide<T>): Promise<T> =>
  readAccount(ctx, { by: "invoice", organizationId, id }, decide, { deleted: true });

/** The effect of `void`, computed by the decision that voids the invoice. @throws AppError 404, 409 */
export const previewVoid = (ctx: Context, organizationId: string, id: string): Promise<preview.ByHandPreview> =>
  previewOn(ctx, organizationId, id, (account) => preview.previewVoid(account, id));

/** The effect of `mark-paid`, computed by the decision that marks the invoice. @throws AppError 404, 409 */
export const previewMarkPaid = (ctx: Context, organizationId: string, id: string): Promise<preview.ByHandPreview> =>
  previewOn(ctx, organizationId, id, (account) => preview.previewMarkPaid(account, id));

/** The effect of `pay`, if the charge succeeds. @throws AppError 404, 409 */
export const previewCharge = (ctx: Context, organizationId: string, id: string): Promise<preview.ChargePreview> =>
  previewOn(ctx, organizationId, id, (account) => preview.previewCharge(account, id));
