import { realNow } from "../../clock.ts";
import type { Context } from "../../context.ts";
import { OPEN_ID_SECONDS } from "../../domain/team/user.ts";
import {
  authorizationUrl,
  identityOf,
  OpenIdError,
  type Challenge,
  type Identity,
  type OpenIdFault,
} from "../../outbound/open-id.ts";
import { open, seal } from "../../encryption.ts";
import { dashboardUrl } from "../links.ts";

export type { Identity } from "../../outbound/open-id.ts";

/**
 * The purpose of a visit to the provider. `confirm`: the person of a session gives the password again. `connect`:
 * the person of a session connects an account. `next`: the page after it. `secret`: of a link.
 */
export type OpenIdPurpose =
  | { kind: "sign_in"; next: string }
  | { kind: "confirm"; userId: string; next: string }
  | { kind: "connect"; userId: string }
  | { kind: "invitation"; secret: string }
  | { kind: "set_up"; secret: string };

/** A visit to the provider that has begun. `begunAt`: epoch milliseconds. */
type Begun = { purpose: OpenIdPurpose; challenge: Challenge; begunAt: number };

// The visit belongs to no Organization.
const SEALED_FIELD = { organizationId: "installation", field: "dashboard.open_id" };

const textOf = ({ purpose, challenge, begunAt }: Begun): string =>
  new URLSearchParams({ ...purpose, ...challenge, begunAt: String(begunAt) }).toString();

/** Reads a text of `textOf`, which only this installation can write. */
function begunOf(text: string): Begun {
  const fields: unknown = Object.fromEntries(new URLSearchParams(text));
  const { state, nonce, verifier, begunAt, ...purpose } = fields as OpenIdPurpose & Challenge & { begunAt: string };
  return { purpose, challenge: { state, nonce, verifier }, begunAt: Number(begunAt) };
}

/** The page to which the provider leads back. The operator registers this address at the provider. */
export const openIdCallback = (ctx: Pick<Context, "config">): string => `${dashboardUrl(ctx)}/open-id/callback`;

/** The host of the provider, by which people know the provider; null: there is no provider. */
export function openIdHost({ config }: Pick<Context, "config">): string | null {
  return config.openId && new URL(config.openId.issuer).host;
}

/** Records the reason for the operator, and answers the fault for the person. */
function faultOf(ctx: Context, error: unknown): { fault: OpenIdFault } {
  if (!(error instanceof OpenIdError)) throw error;
  if (error.fault !== "refused") ctx.log.warn({ err: error.cause }, `sign-in by OpenID: ${error.fault}`);
  return { fault: error.fault };
}

/**
 * Begins a visit to the provider. `url`: the provider's page. `begun`: the text for the browser's cookie, which only
 * Billow can read. `fault`: the provider can't be reached. Null: there is no provider.
 */
export async function beginOpenId(
  ctx: Context,
  purpose: OpenIdPurpose,
): Promise<{ url: string; begun: string } | { fault: OpenIdFault } | null> {
  const { openId } = ctx.config;
  if (openId === null) return null;
  try {
    const { url, challenge } = await authorizationUrl(openId, openIdCallback(ctx), {
      again: purpose.kind === "confirm",
    });
    const begun: Begun = { purpose, challenge, begunAt: realNow() };
    return { url, begun: seal(ctx.keyring, SEALED_FIELD, textOf(begun)) };
  } catch (error) {
    return faultOf(ctx, error);
  }
}

/** The visit of a cookie; null: the cookie is missing, too old, or not one of ours. */
function readBegun(ctx: Context, text: string | null): Begun | null {
  const opened = text === null ? null : open(ctx.keyring, SEALED_FIELD, text);
  if (opened === null || "fault" in opened) return null;
  const begun = begunOf(opened.value);
  return begun.begunAt + OPEN_ID_SECONDS * 1000 > realNow() ? begun : null;
}

/** A visit that has ended at the provider. `begunAt`: epoch milliseconds. */
export type Ended = { purpose: OpenIdPurpose; identity: Identity; begunAt: number };

/**
 * Ends a visit to the provider. `begun`: the text of the browser's cookie; null: no cookie. `search`: the query with
 * which the browser came back. Null: there is no provider.
 */
export async function endOpenId(
  ctx: Context,
  begun: string | null,
  search: string,
): Promise<Ended | { fault: OpenIdFault; purpose: OpenIdPurpose | null } | null> {
  const { openId } = ctx.config;
  if (openId === null) return null;
  const read = readBegun(ctx, begun);
  if (read === null) return { fault: "invalid", purpose: null };
  const { purpose, challenge, begunAt } = read;
  try {
    const identity = await identityOf(openId, new URL(openIdCallback(ctx) + search), challenge);
    return { purpose, identity, begunAt };
  } catch (error) {
    return { ...faultOf(ctx, error), purpose };
  }
}
