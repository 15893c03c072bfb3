import type { Context } from "../../context.ts";

/**
 * The address to which a provider sends its notices for an Organization. Null without https: then the server is on a
 * private network or on a developer's machine, and the provider is polled.
 */
export function inboundUrl(
  { publicOrigin }: Pick<Context["config"], "publicOrigin">,
  provider: string,
  organizationId: string,
): string | null {
  return publicOrigin.startsWith("https:") ? `${publicOrigin}/inbound/${provider}/${organizationId}` : null;
}
