import type { Organization } from "../../domain/model/organization.ts";
import { allows, type Permission, type Role } from "../../domain/team/role.ts";

/** The parts of the navigation, in their order. */
export const SECTION_GROUPS = ["business", "catalogue", "developers", "organization"] as const;
export type SectionGroup = (typeof SECTION_GROUPS)[number];

/**
 * `isOfSandboxes`: a live Organization has no such page. `unless`: roles with this permission do not need the entry,
 * because another entry leads to its page.
 */
type Section = {
  name: string;
  group: SectionGroup;
  path: string;
  label: string;
  permission: Permission;
  isOfSandboxes?: true;
  unless?: Permission;
};

/** The entries of the navigation, in their order. `path` follows the path of the Organization's dashboard. */
export const SECTIONS = [
  { name: "overview", group: "business", path: "", label: "Overview", permission: "read" },
  { name: "customers", group: "business", path: "/customers", label: "Customers", permission: "read" },
  { name: "subscriptions", group: "business", path: "/subscriptions", label: "Subscriptions", permission: "read" },
  { name: "invoices", group: "business", path: "/invoices", label: "Invoices", permission: "read" },
  { name: "payments", group: "business", path: "/payments", label: "Payments", permission: "read" },
  { name: "refunds", group: "business", path: "/refunds", label: "Refunds", permission: "read" },
  { name: "disputes", group: "business", path: "/disputes", label: "Disputes", permission: "read" },
  { name: "checkouts", group: "business", path: "/checkouts", label: "Checkouts", permission: "read" },
  { name: "reports", group: "business", path: "/reports", label: "Reports", permission: "exports" },
  { name: "products", group: "catalogue", path: "/products", label: "Products", permission: "read" },
  { name: "benefits", group: "catalogue", path: "/benefits", label: "Benefits", permission: "read" },
  { name: "discounts", group: "catalogue", path: "/discounts", label: "Discounts", permission: "read" },
  { name: "payment_links", group: "catalogue", path: "/payment-links", label: "Payment links", permission: "read" },
  {
    name: "sandbox",
    group: "developers",
    path: "/sandbox",
    label: "Sandbox",
    permission: "sandbox",
    isOfSandboxes: true,
  },
  { name: "keys", group: "developers", path: "/developers/keys", label: "API keys", permission: "keys" },
  { name: "webhooks", group: "developers", path: "/developers/webhooks", label: "Webhooks", permission: "webhooks" },
  { name: "events", group: "developers", path: "/developers/events", label: "Events", permission: "events" },
  { name: "requests", group: "developers", path: "/developers/requests", label: "Requests", permission: "events" },
  { name: "settings", group: "organization", path: "/settings", label: "Settings", permission: "settings" },
  {
    name: "taxes",
    group: "organization",
    path: "/settings/taxes",
    label: "Tax rates",
    permission: "tax",
    unless: "settings",
  },
  { name: "imports", group: "organization", path: "/imports", label: "Imports", permission: "settings" },
  { name: "team", group: "organization", path: "/team", label: "Team", permission: "team" },
  { name: "audit_log", group: "organization", path: "/audit-log", label: "Audit log", permission: "audit_log" },
] as const satisfies readonly Section[];

export type SectionName = (typeof SECTIONS)[number]["name"];

/** The entries of one part that a role sees, in an Organization of this mode. */
export function sectionsOf(
  role: Role,
  mode: Organization["mode"],
  group: SectionGroup,
): (Section & { name: SectionName })[] {
  const all: readonly (Section & { name: SectionName })[] = SECTIONS;
  return all.filter(
    (section) =>
      section.group === group &&
      allows(role, section.permission) &&
      (mode === "sandbox" || !section.isOfSandboxes) &&
      (section.unless === undefined || !allows(role, section.unless)),
  );
}
