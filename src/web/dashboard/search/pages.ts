import { allows } from "../../../domain/team/role.ts";
import { SECTION_GROUPS, sectionsOf, type SectionName } from "../sections.ts";
import { SETTINGS, TABS, type TabName } from "../settings/tabs.ts";
import type { Hit, Search } from "./hit.ts";

/** A shorter text begins a word of too many pages. */
const LEAST_BEGINNING = 3;

/** Other words for the matter of a page. */
const WORDS: Partial<Record<SectionName | TabName, string>> = {
  overview: "home, MRR, revenue, figures",
  reports: "accounting, bookkeeping, ledger, receivables",
  products: "plans, prices",
  benefits: "license keys, files, features",
  discounts: "coupons, promotion codes",
  payment_links: "buy links, pricing table, QR code",
  disputes: "chargebacks",
  sandbox: "clock, test cards",
  events: "log",
  requests: "log",
  imports: "migration, move from Stripe",
  team: "people, members, roles, invitations, refund limit",
  general: "time zone, currency, address, legal name, invoice prefix, support, terms, privacy, website",
  branding: "logo, colours, colors",
  emails: "mails, letters",
  taxes: "VAT, GST, sales tax",
  dunning: "retries, days of grace, failed renewals",
  portal: "cancellation",
  payments: "Stripe, provider, cards",
};

const wordsIn = (text: string) =>
  ` ${text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim()}`;

/** The pages of the dashboard that the person may see, with a word in their names that begins with the typed text. */
export function pagesNamed({ self, base, role, mode, typed }: Search): Hit[] {
  const begun = wordsIn(typed);
  if (begun.trim().length < LEAST_BEGINNING) return [];
  const sections = SECTION_GROUPS.flatMap((group) => sectionsOf(role, mode, group));
  const tabs = TABS.filter(({ permission }) => allows(role, permission));
  const pages = [
    ...sections.map(({ name, label, path }) => ({ label, path: self + path, other: WORDS[name] })),
    ...tabs.map(({ name, label, path }) => ({ label, path: self + SETTINGS + path, other: WORDS[name] })),
    { label: "Your account", path: `${base}/account`, other: "password, second factor, OpenID" },
  ];
  return pages
    .filter(({ label, other = "" }) => wordsIn(`${label} ${other}`).includes(begun))
    .map(({ label, path }) => ({ kind: "Pages", label, text: "", path }));
}
