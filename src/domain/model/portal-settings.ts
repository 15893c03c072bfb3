import type { Pause } from "./subscription.ts";

/** The operations of a signed-in Customer that a seller can switch on and off (rule I10). */
export const PORTAL_OPERATIONS = [
  "changePlan",
  "changeQuantity",
  "editDetails",
  "changeEmail",
  "manageDevices",
  "cancel",
  "export",
] as const;
export type PortalAction = (typeof PORTAL_OPERATIONS)[number];

/** The operations that are off until the seller switches them on. All others are on at first (rule I10a). */
const OFF_AT_FIRST: readonly PortalAction[] = ["changeQuantity", "export"];
const isOffAtFirst = (operation: PortalAction): boolean => OFF_AT_FIRST.includes(operation);

/**
 * `portalOff`: the operations that were on at first and are off. `portalOn`: those that were off at first and are on.
 */
type PortalSwitches = { portalOff: readonly PortalAction[]; portalOn: readonly PortalAction[] };

export const MOST_PAUSE_MONTHS = 12;
export const MOST_PAUSES_A_YEAR = 12;
/** The pauses that a Customer may make (rule S8l). */
export type PortalPause = { longestMonths: number; perYear: number; access: Pause["access"] };

/** `portalProducts`: the Products that a Customer may change to; null: every Product of the group. */
type PortalSettings = PortalSwitches & { portalProducts: readonly string[] | null };

/** Whether the seller lets Customers do this in the portal (rules I10a, I10e). */
export function portalAllows({ portalOff, portalOn }: PortalSwitches, operation: PortalAction): boolean {
  return isOffAtFirst(operation) ? portalOn.includes(operation) : !portalOff.includes(operation);
}

/** The switches with these changes. Operations that the changes leave out stay as they are. */
export function switched(settings: PortalSwitches, changes: Partial<Record<PortalAction, boolean | undefined>>) {
  const isOn = (operation: PortalAction) => changes[operation] ?? portalAllows(settings, operation);
  return {
    portalOff: PORTAL_OPERATIONS.filter((operation) => !isOffAtFirst(operation) && !isOn(operation)),
    portalOn: PORTAL_OPERATIONS.filter((operation) => isOffAtFirst(operation) && isOn(operation)),
  };
}

/**
 * Whether a Customer may change to this Product in the portal (rules I10b, P11a). The rules of a change apply as well
 * (rules C4, P5).
 */
export function portalOffers(settings: PortalSettings, productId: string): boolean {
  const { portalProducts } = settings;
  return portalAllows(settings, "changePlan") && (portalProducts === null || portalProducts.includes(productId));
}
