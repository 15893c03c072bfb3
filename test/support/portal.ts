import { expect } from "vitest";
import type { Config } from "../../src/config.ts";
import { sql, type Database } from "../../src/store/driver/db.ts";
import type { Json } from "./app.ts";
import { withPlainSpaces, type Page } from "./pages.ts";
import { CARDS, startStory, type Story } from "./story.ts";

/** A web client that keeps its cookies, as a browser does. */
export type WebClient = {
  get(path: string): Promise<Page>;
  post(path: string, fields?: Record<string, string> | URLSearchParams): Promise<Page>;
  cookie: string | null;
};

/** The cookies that a browser sends after this `Set-Cookie`; null: none. */
function withCookie(cookies: string | null, set: string): string | null {
  const [pair = ""] = set.split(";");
  const name = pair.slice(0, pair.indexOf("=") + 1);
  const others = (cookies?.split("; ") ?? []).filter((each) => !each.startsWith(name));
  const kept = set.includes("Max-Age=0") ? others : [...others, pair];
  return kept.length === 0 ? null : kept.join("; ");
}

let clients = 0;

/** `origin`: the server's origin. Each client comes from an IP address of its own if 127.0.0.1 is a trusted proxy. */
export function startWebClient(origin: string, cookie: string | null = null): WebClient {
  clients += 1;
  const from = `198.18.${clients >> 8}.${clients & 255}`;
  async function ask(path: string, init: RequestInit): Promise<Page> {
    const headers = {
      Accept: "text/html",
      "X-Forwarded-For": from,
      ...(client.cookie !== null && { Cookie: client.cookie }),
    };
    const response = await fetch(new URL(path, origin), { ...init, headers, redirect: "manual" });
    for (const set of response.headers.getSetCookie()) client.cookie = withCookie(client.cookie, set);
    return { status: response.status, headers: response.headers, text: withPlainSpaces(await response.text()) };
  }
  const client: WebClient = {
    cookie,
    get: (path) => ask(path, {}),
    post: (path, fields = {}) => ask(path, { method: "POST", body: new URLSearchParams(fields) }),
  };
  return client;
}

/** A sandbox on 1 March 2026 in which Ada has bought `pro`. `portal` is the path of its portal. */
export async function startPortalStory(
  config: Partial<Config> = {},
): Promise<{ story: Story; portal: string; subscription: Json }> {
  const story = await startStory({ clock: "2026-03-01T09:00:00Z" }, { trustedProxies: ["127.0.0.1"], ...config });
  await story.plan("pro", 3000, { name: "Pro" });
  const portal = `/portal/${story.app.organization.id}`;
  const subscription = await story.buy(
    { productKey: "pro", customer: { email: "Ada@example.com", name: "Ada" } },
    CARDS.pays,
  );
  return { story, portal, subscription };
}

/** Signs in with a link from the API. `returnUrl` is the merchant's page to which the portal leads back. */
export async function signInTo(
  { app, ok }: Story,
  customerId: string,
  returnUrl: string | null = null,
): Promise<WebClient> {
  const { url } = await ok(app.manage("POST", `/customers/${customerId}/portal-sessions`, { returnUrl }));
  const there = startWebClient(app.url);
  expect((await there.post(new URL(url).pathname)).headers.get("Location")).toBe(`/portal/${app.organization.id}`);
  return there;
}

const ageLinksStatement = sql(
  "test.portal_links_age",
  "UPDATE portal_links SET expires_at = expires_at - $1::interval",
);
const ageSessionsStatement = sql(
  "test.portal_sessions_age",
  "UPDATE portal_sessions SET expires_at = expires_at - $1::interval",
);
const ageChangesStatement = sql(
  "test.email_changes_age",
  `UPDATE email_changes SET asked_at = asked_at - $1::interval, changed_at = changed_at - $1::interval,
     expires_at = expires_at - $1::interval`,
);
const ageEmailsStatement = sql("test.portal_emails_age", "UPDATE emails SET queued_at = queued_at - $1::interval");

const comeDueStatement = sql(
  "test.portal_emails_due",
  "UPDATE emails SET attempt_at = statement_timestamp() WHERE attempt_at IS NOT NULL",
);

/** Makes the next attempt at each e-mail due now. */
export function comeDue(db: Database): Promise<unknown> {
  return db.tx((tx) => tx.query(comeDueStatement));
}

/** Ages links, sessions, changes of e-mail addresses and e-mails by this much real time. */
export function age(db: Database, by: string): Promise<void> {
  return db.tx(async (tx) => {
    for (const statement of [ageLinksStatement, ageSessionsStatement, ageChangesStatement, ageEmailsStatement])
      await tx.query(statement, [by]);
  });
}
