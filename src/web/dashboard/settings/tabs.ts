import type { Permission } from "../../../domain/team/role.ts";
import type { OrganizationResource } from "../../../resources/organization.ts";

type Tab = { name: string; path: string; label: string; permission: Permission };

/** The tabs of the settings, in their order. `path` follows the path of the settings. */
export const TABS = [
  { name: "general", path: "", label: "General", permission: "settings" },
  { name: "branding", path: "/branding", label: "Branding", permission: "settings" },
  { name: "emails", path: "/emails", label: "E-mails", permission: "settings" },
  { name: "taxes", path: "/taxes", label: "Tax rates", permission: "tax" },
  { name: "dunning", path: "/dunning", label: "Dunning", permission: "settings" },
  { name: "portal", path: "/portal", label: "Portal", permission: "settings" },
  { name: "payments", path: "/payments", label: "Payments", permission: "settings" },
] as const satisfies readonly Tab[];

export type TabName = (typeof TABS)[number]["name"];

/** The tab that shows each field of the Organization. */
export const FIELD_TABS: Readonly<Record<keyof OrganizationResource, TabName>> = {
  id: "general",
  name: "general",
  mode: "general",
  timeZone: "general",
  defaultCurrency: "general",
  defaultProration: "general",
  quantityRise: "general",
  quantityFall: "general",
  invoicePrefix: "general",
  legalName: "general",
  address: "general",
  taxId: "general",
  supportEmail: "general",
  supportUrl: "general",
  termsUrl: "general",
  privacyUrl: "general",
  websiteUrl: "general",
  notices: "general",
  createdAt: "general",
  updatedAt: "general",
  branding: "branding",
  emails: "emails",
  taxRates: "taxes",
  dunning: "dunning",
  portal: "portal",
  portalUrl: "portal",
  contactEmail: "payments",
  sandboxEntry: "payments",
  payments: "payments",
};

export const SETTINGS = "/settings";
export const tabOf = (name: TabName) => TABS.find((tab) => tab.name === name)!;
