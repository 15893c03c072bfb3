import type { Organization } from "../model/organization.ts";

/** The roles of a person in an Organization, from all permissions to reading alone. */
export const ROLES = ["owner", "developer", "finance", "support", "read_only"] as const;
export type Role = (typeof ROLES)[number];

export const ROLE_NAMES: Record<Role, string> = {
  owner: "Owner",
  developer: "Developer",
  finance: "Finance",
  support: "Support",
  read_only: "Read only",
};

/** The roles beside the owner that have each permission. An owner has every permission. */
const GRANTED = {
  /** See Customers, Subscriptions, money, the catalogue and the overview. */
  read: ["developer", "finance", "support", "read_only"],
  /** Make and change Customers. */
  customers: ["support"],
  /** Change, cancel and restart Subscriptions. */
  subscriptions: ["support"],
  /** Send an e-mail again. */
  emails: ["support"],
  /** Refund payments. The Organization limits the refunds of support. */
  refunds: ["finance", "support"],
  /** Credit, pay out, void, retry, mark as paid, and answer disputes. */
  money: ["finance"],
  /** See reports, and download lists and documents in bulk. */
  exports: ["finance"],
  /** Tax rates and tax ids. */
  tax: ["finance"],
  /** Products, prices, Benefits and Discounts. */
  catalogue: ["developer"],
  /** API keys of the public API. */
  keys: ["developer"],
  /** Secrets of keys of the management API, which can do all that an owner can do with money and keys. */
  manage_keys: [],
  /** Webhook endpoints, their deliveries and test events. */
  webhooks: ["developer"],
  /** The log of events and requests. */
  events: ["developer"],
  /** The clock and the test data of a sandbox. */
  sandbox: ["developer"],
  /** Branding, e-mails, dunning, the portal, and the bank details of the seller. */
  settings: [],
  /** Members, their roles, and invitations. */
  team: [],
  /** The log of all changes. */
  audit_log: [],
} as const satisfies Record<string, readonly Role[]>;

export type Permission = keyof typeof GRANTED;
export const PERMISSIONS = Object.keys(GRANTED) as Permission[];

/** Whether a role has a permission, by the matrix of `docs/operating/team.md`. */
export function allows(role: Role, permission: Permission): boolean {
  return role === "owner" || (GRANTED[permission] as readonly Role[]).includes(role);
}

/**
 * The most that a role may refund of one invoice, in minor units of `currency`; null: there is no limit. The limit of
 * support is set in the Organization's default currency, so support makes no refund in another one. Without a limit,
 * support makes no refund.
 */
export function refundLimitOf(
  role: Role,
  { supportRefundLimit, defaultCurrency }: Pick<Organization, "supportRefundLimit" | "defaultCurrency">,
  currency: string,
): number | null {
  if (role !== "support") return allows(role, "refunds") ? null : 0;
  return currency === defaultCurrency ? (supportRefundLimit ?? 0) : 0;
}
