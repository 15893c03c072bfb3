import { hostOf, isLoopback } from "../../cidr.ts";
import type { Context } from "../../context.ts";
import type { Organization } from "../../domain/model/organization.ts";
import { Refusal } from "../../domain/refusal.ts";
import { refusalOfUrl, type PostPolicy } from "../../outbound/addresses.ts";

/**
 * The policy for webhook URLs. Only https to public IP addresses is allowed. In a sandbox, http is allowed too, and so
 * is loopback if Billow itself is served from a loopback address.
 */
export function policyOf(ctx: Context, mode: "live" | "sandbox"): PostPolicy {
  const sandbox = mode === "sandbox";
  const allowLoopback = sandbox && isLoopback(hostOf(new URL(ctx.config.publicOrigin)));
  return { allowHttp: sandbox, allowLoopback, allowed: ctx.config.webhookAllowedCidrs };
}

/**
 * Refuses a URL if its text alone shows that it can't be called. Each connection checks its IP address.
 * @throws Refusal `validation_failed`
 */
export function requireUrl(ctx: Context, { mode }: Organization, url: string): void {
  const refusal = refusalOfUrl(url, policyOf(ctx, mode));
  if (refusal) throw new Refusal("webhook_url_refused", { field: "/url", why: refusal.why });
}
