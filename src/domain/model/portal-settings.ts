import type { Pause } from "./subscription.ts";

/** The operations of a signed-in Customer that a seller can switch off (rule I10). */
export const PORTAL_OPERATIONS = ["changePlan", "editDetails", "changeEmail", "manageDevices", "cancel"] as const;
export type PortalAction = (typeof PORTAL_OPERATIONS)[number];

export const MOST_PAUSE_MONTHS = 12;
export const MOST_PAUSES_A_YEAR = 12;
/** The pauses that a Customer may make (rule S8l). */
export type PortalPause = { longestMonths: number; perYear: number; access: Pause["access"] };

/** `portalProducts`: the Products that a Customer may change to; null: every Product of the group. */
type PortalSettings = { portalOff: readonly PortalAction[]; portalProducts: readonly string[] | null };

/** Whether the seller lets Customers do this in the portal (rules I10a, I10e). */
export function portalAllows({ portalOff }: Pick<PortalSettings, "portalOff">, operation: PortalAction): boolean {
  return !portalOff.includes(operation);
}

/**
 * Whether a Customer may change to this Product in the portal (rules I10b, P11a). The rules of a change apply as well
 * (rules C4, P5).
 */
export function portalOffers(settings: PortalSettings, productId: string): boolean {
  const { portalProducts } = settings;
  return portalAllows(settings, "changePlan") && (portalProducts === null || portalProducts.includes(productId));
}
