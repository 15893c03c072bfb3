import type { Json } from "./app.ts";
import { openDashboard, type Desk } from "./dashboard.ts";
import { submit, type Changes } from "./filled-form.ts";
import { get, type Page } from "./pages.ts";
import { startPortalStory } from "./portal.ts";
import type { Story } from "./story.ts";

/** A sandbox on 1 March 2026 with one Subscription, and its owner at the settings of the dashboard. */
export type SettingsDesk = {
  story: Story;
  owner: Desk;
  /** The path of the settings. */
  settings: string;
  /** The path of the portal. */
  portal: string;
  subscription: Json;
  /** The Organization as it was at first. */
  initial: Json;
  organization(): Promise<Json>;
  /** Changes settings by the API. */
  change(body: object): Promise<Json>;
  /** Opens a page of the settings, changes fields of its form, and sends the form. */
  save(path: string, changes?: Changes): Promise<Page>;
  /** The entries of the audit log, newest first. */
  entries(): Promise<Json[]>;
  /** The page of a new Checkout. */
  checkoutPage(): Promise<string>;
  /** Gives the Organization its first settings again. */
  reset(): Promise<void>;
};

export async function startSettings(): Promise<SettingsDesk> {
  const { story, portal, subscription } = await startPortalStory();
  const { app, ok } = story;
  const owner = await openDashboard(app);
  const settings = `/dashboard/${app.organization.id}/settings`;
  const organization = async () => (await app.manage("GET", "/organization")).body;
  const change = (body: object) => ok(app.manage("PATCH", "/organization", body));
  const initial = await organization();
  return {
    story,
    owner,
    settings,
    portal,
    subscription,
    initial,
    organization,
    change,
    save: (path, changes) => submit(owner, settings + path, changes),
    entries: async () => (await app.manage("GET", "/audit-log?limit=50")).body.data,
    async checkoutPage() {
      const { url } = await ok(app.api("POST", "/checkouts", { productKey: "pro" }));
      return (await get(url)).text;
    },
    async reset() {
      const { name, legalName, address, taxId, supportEmail, branding, emails, taxRates } = initial;
      const { dunning, contactEmail, timeZone, portal: allowed } = initial;
      const others = { dunning, contactEmail, timeZone, portal: allowed };
      await change({ name, legalName, address, taxId, supportEmail, branding, emails, taxRates, ...others });
    },
  };
}

export const location = ({ headers }: Pick<Page, "headers">) => headers.get("Location");
export const outcome = (answer: Page) => [answer.status, location(answer)];

/** The text of the fault below a field. */
export const faultAt = (text: string, name: string) =>
  new RegExp(`id="${name.replaceAll(".", "\\.")}-fault">([^<]*)<`).exec(text)?.[1];
