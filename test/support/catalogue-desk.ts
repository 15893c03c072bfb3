import { expect } from "vitest";
import type { Json } from "./app.ts";
import { openDashboard, type Desk } from "./dashboard.ts";
import { submit, type Changes } from "./filled-form.ts";
import type { Page } from "./pages.ts";
import { startStory, type Story } from "./story.ts";

/** The catalogue of a sandbox on 1 March 2026 in Berlin, and its owner at the dashboard. */
export type CatalogueDesk = {
  story: Story;
  owner: Desk;
  /** The path of the Organization's dashboard. */
  home: string;
  manage(method: string, path: string, body?: object): Promise<Json>;
  /** Makes a resource by the form of `products`, `benefits`, `discounts` or `payment-links`, and answers its id. */
  created(path: string, changes: Changes): Promise<string>;
  /** The audit log's entries about a resource, of people alone. */
  auditOf(resourceId: string): Promise<Json[]>;
};

export async function startCatalogueDesk(): Promise<CatalogueDesk> {
  const config = { trustedProxies: ["127.0.0.1"] };
  const story = await startStory({ clock: "2026-03-01T09:00:00Z", timeZone: "Europe/Berlin" }, config);
  const owner = await openDashboard(story.app);
  const home = `/dashboard/${story.app.organization.id}`;
  const manage: CatalogueDesk["manage"] = (method, path, body) => story.ok(story.app.manage(method, path, body));
  return {
    story,
    owner,
    home,
    manage,
    async created(path, changes) {
      const answer = await submit(owner, `${home}/${path}/new`, changes);
      expect([answer.status, faultsOf(answer)]).toEqual([303, []]);
      return idIn(answer);
    },
    async auditOf(resourceId) {
      const { data } = await manage("GET", "/audit-log?limit=100");
      return data.filter((entry: Json) => entry.resourceId === resourceId && entry.actor.type === "user");
    },
  };
}

export const leadsTo = ({ headers }: Page): string | null => headers.get("Location");
/** The id of the resource to which an answer leads. */
export const idIn = (page: Page): string => /\/((?:prd|bft|dsc|plk)_[0-9a-z]{26})/.exec(leadsTo(page) ?? "")![1]!;

const plain = (text: string) => text.replaceAll("&#39;", "'").replaceAll("&quot;", '"');
/** The faults that stand at the fields of a page. */
export const faultsOf = ({ text }: Page): string[] =>
  [...text.matchAll(/<p class="fault"[^>]*>([^<]*)</g)].map(([, fault]) => plain(fault!));
/** The fault that stands at one field. */
export function faultAt({ text }: Page, name: string): string | undefined {
  const pattern = `<p class="fault" id="${name.replaceAll(".", "\\.")}-fault">([^<]*)</p>`;
  const [, fault] = new RegExp(pattern).exec(text) ?? [];
  return fault === undefined ? undefined : plain(fault);
}
