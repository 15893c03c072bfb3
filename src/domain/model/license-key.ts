import { DAY, type Instant } from "../calendar.ts";
import type { BenefitGrant } from "./benefit.ts";
import type { Metadata } from "./product.ts";

/** One use of a license key: a device, a site, an installation (rule B4). */
export type LicenseActivation = {
  organizationId: string;
  id: string;
  grantId: string;
  /** The licensed program's own name for this activation. */
  label: string | null;
  metadata: Metadata;
  /** The last validation on this device, exact to a day; null: the device has not validated the key since then. */
  lastSeenAt: Instant | null;
  createdAt: Instant;
};

/** Whether a validation at `now` is to be noted on the activation: once a day is enough (rule B4). */
export function isSeenAnew({ lastSeenAt, createdAt }: LicenseActivation, now: Instant): boolean {
  return now - (lastSeenAt ?? createdAt) >= DAY;
}

const BASE_32 = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const GROUPS = 4;
const GROUP_CHARACTERS = 5;
/** The number of random bytes for a key: one for each character after the prefix. */
export const LICENSE_KEY_BYTES = GROUPS * GROUP_CHARACTERS;

function grouped(prefix: string, characters: string): string {
  const groups = Array.from({ length: GROUPS }, (_, n) =>
    characters.slice(n * GROUP_CHARACTERS, (n + 1) * GROUP_CHARACTERS),
  );
  return [...(prefix === "" ? [] : [prefix]), ...groups].join("-");
}

/**
 * A key of 100 random bits, after the Benefit's prefix. Its groups can be read over the phone: Crockford's base 32
 * has no look-alikes.
 */
export function formatLicenseKey(prefix: string | null, bytes: Uint8Array): string {
  return grouped(prefix ?? "", Array.from(bytes.subarray(0, LICENSE_KEY_BYTES), (byte) => BASE_32[byte & 31]).join(""));
}

/** The key in a typed text: upper or lower case, look-alikes and any separators are accepted. */
export function readLicenseKey(typed: string): string {
  const characters = typed.toUpperCase().replace(/[^A-Z0-9]/g, "");
  const end = characters.slice(-LICENSE_KEY_BYTES);
  return grouped(characters.slice(0, -LICENSE_KEY_BYTES), end.replace(/[IL]/g, "1").replaceAll("O", "0"));
}

const GROUP = `[${BASE_32}]{${GROUP_CHARACTERS}}`;
const KEY_IN_TEXT = new RegExp(`\\b(?:[A-Z0-9]+-)?${GROUP}(?:-${GROUP}){${GROUPS - 1}}\\b`, "g");

/** A text with each license key in it replaced. */
export const replaceLicenseKeys = (text: string, by: (key: string) => string): string =>
  text.replace(KEY_IN_TEXT, (key) => by(key));

/**
 * Whether a grant gives access at `now`. A grant stays `active` after the end of its access until a worker revokes the
 * grant.
 */
export function isGranted(grant: Pick<BenefitGrant, "status">, accessEndsAt: Instant | null, now: Instant): boolean {
  return grant.status === "active" && (accessEndsAt === null || accessEndsAt > now);
}

/** The reason why a key can't have one more activation (rule B4); null: no reason. `limit` null: there is no limit. */
export function activationRefusal(
  granted: boolean,
  activations: number,
  limit: number | null,
): "license_not_active" | "activation_limit_reached" | null {
  if (!granted) return "license_not_active";
  return limit !== null && activations >= limit ? "activation_limit_reached" : null;
}
