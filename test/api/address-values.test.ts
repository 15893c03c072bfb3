import { afterAll, beforeAll, expect, test } from "vitest";
import { invitationUrl } from "../../src/actions/links.ts";
import { newPasswordUrl } from "../../src/actions/team/new-password.ts";
import { createWebApp } from "../../src/web/app.ts";
import { startFixture, type Fixture } from "../support/dashboard-fixture.ts";
import { OWNER } from "../support/dashboard.ts";
import { inviteTo } from "../support/invite.ts";
import { signInTo, startWebClient, type WebClient } from "../support/portal.ts";

// A link of a stranger must not fill in a form: the person would see an amount or an e-mail address of the stranger's
// choice, beside a button that uses it. So a page with a form takes no typed value from its address.

let fixture: Fixture;
let buyer: WebClient;
beforeAll(async () => {
  fixture = await startFixture();
  buyer = await signInTo(fixture.story, fixture.ada.customerId);
});
afterAll(() => fixture.story.close());

/** The values of a stranger. One of them is good in each kind of field. */
const VALUES = ["stranger@example.net", "73.91", "2031-07-31", "7391", "yes"];
/** Fields of a form that hold no value: the token, the key of one sending, and the page after a sign-in. */
const OWN = new Set(["token", "once", "next"]);
const LINK = { name: "A link", products: [{ productKey: "yearly" }] };
/** Most pages of one route. Rows of a list lead to pages of the same form. */
const MOST_OF_ROUTE = 2;

/**
 * Pages of a state that this fixture does not have. They belong to an operation, whose address brings the subject
 * alone, or have no typed field. The address of a payment link brings values by design (0120), which its page shows.
 */
const OF_OTHER_STATES = [
  "/buy/:link",
  "/dashboard/account/open-id",
  "/dashboard/set-up/:secret",
  "/dashboard/sign-in/code",
  "/dashboard/:organizationId/price-changes/:priceChangeId/pause",
  "/dashboard/:organizationId/price-changes/:priceChangeId/resume",
  "/dashboard/:organizationId/price-changes/:priceChangeId/stop",
  "/dashboard/:organizationId/price-changes/:priceChangeId/withdraw",
  "/dashboard/:organizationId/sandbox/fill",
  "/dashboard/:organizationId/sandbox/stop",
  "/dashboard/:organizationId/developers/deliveries/:deliveryId/redeliver",
  "/dashboard/:organizationId/customers/:customerId/portal-link/email",
  "/dashboard/:organizationId/customers/:customerId/subscriptions/:subscriptionId/keep-plan",
  "/dashboard/:organizationId/customers/:customerId/subscriptions/:subscriptionId/undo-cancellation",
  "/dashboard/:organizationId/customers/:customerId/subscriptions/:subscriptionId/resume",
  "/dashboard/:organizationId/customers/:customerId/subscriptions/:subscriptionId/trial",
  "/dashboard/:organizationId/payment-links/:paymentLinkId/switch-on",
  "/portal/:organizationId/email/confirm/:secret",
  "/portal/:organizationId/email/undo/:secret",
  "/portal/:organizationId/licences/:grantId/devices/:activationId",
  "/portal/:organizationId/subscriptions/:subscriptionId/disown",
  "/portal/:organizationId/subscriptions/:subscriptionId/resume",
  "/portal/:organizationId/subscriptions/:subscriptionId/pause",
  "/portal/:organizationId/subscriptions/:subscriptionId/price",
  "/portal/:organizationId/subscriptions/:subscriptionId/plan/:productId",
  "/portal/:organizationId/subscriptions/:subscriptionId/quantity",
  "/sandbox/challenge/:organizationId/:token",
  "/sandbox/pay/:organizationId/:token",
];

const pattern = (route: string) => new RegExp(`^${route.replaceAll(/:\w+/g, "[^/]+")}$`);
/** The routes that answer a GET and a POST, with their patterns. Longer routes without parameters come first. */
function formRoutes(): { route: string; matches: RegExp }[] {
  const { routes } = createWebApp(fixture.story.app.ctx);
  const gets = new Set(routes.filter(({ method }) => method === "GET").map(({ path }) => path));
  const paths = [...new Set(routes.filter(({ method }) => method === "POST").map(({ path }) => path))];
  return paths
    .filter((path) => gets.has(path))
    .sort((one, other) => one.split(":").length - other.split(":").length)
    .map((route) => ({ route, matches: pattern(route) }));
}

const formsIn = (text: string) =>
  [...text.matchAll(/<form\b(?=[^>]*method="post").*?<\/form>/gs)].map(([form]) => form);
const namesIn = (text: string) =>
  new Set(
    formsIn(text)
      .flatMap((form) => [...form.matchAll(/<(?:input|select|textarea|button)[^>]*? name="([^"]+)"/gs)])
      .map(([, name]) => name!)
      .filter((name) => !OWN.has(name)),
  );
/** The values that a page shows in its forms. */
const valuesIn = (text: string) => VALUES.filter((value) => formsIn(text).some((form) => form.includes(`"${value}"`)));

/** Follows the links of pages. Answers the paths of pages with forms, and their routes. */
async function crawl(
  client: WebClient,
  starts: string[],
  isInside: (path: string) => boolean,
): Promise<Map<string, string>> {
  const [routes, found, counts] = [formRoutes(), new Map<string, string>(), new Map<string, number>()];
  const known = new Set(starts);
  const waiting = [...starts];
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    const { text, headers } = await client.get(path);
    const own = path.split("?")[0]!;
    const { route } = routes.find(({ matches }) => matches.test(own)) ?? {};
    if (route !== undefined && formsIn(text).length > 0) found.set(path, route);
    const next = headers.get("Location");
    const links = [...text.matchAll(/href="([^"#?]+)[^"]*"/g)].map(([, href]) => href!);
    for (const link of next === null ? links : [next]) {
      if (known.has(link) || !isInside(link) || /\.csv$|\/docs\//.test(link)) continue;
      const kind = link.replaceAll(/\b[a-z]{2,4}_[0-9a-z]{26}\b/g, ":id");
      if ((counts.get(kind) ?? 0) >= MOST_OF_ROUTE) continue;
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
      known.add(link);
      waiting.push(link);
    }
  }
  return found;
}

async function expectNoValues(client: WebClient, path: string): Promise<void> {
  const { text } = await client.get(path);
  const names = namesIn(text);
  const [page, buttons] = [path.split("?")[0]!, formsIn(text).length];
  for (const value of VALUES) {
    const query = new URLSearchParams([...names].map((name) => [name, value]));
    for (const [name, asked] of Object.entries({ preview: "yes", look: "preview", form: "sent", confirmed: "yes" }))
      query.append(name, asked);
    const filled = (await client.get(`${page}?${query}`)).text;
    const before = new Set(valuesIn(text));
    expect(
      valuesIn(filled).filter((each) => !before.has(each)),
      `${page} shows a value of its address`,
    ).toEqual([]);
    expect(formsIn(filled).length, `${page} has a further button`).toBeLessThanOrEqual(buttons);
  }
}

test("no page with a form takes a typed value from its address", { timeout: 360_000 }, async () => {
  const { story, owner, home } = fixture;
  const { app } = story;
  const customer = `${home}/customers/${fixture.ada.customerId}`;
  const { data } = await story.ok(app.manage("GET", `/invoices?customerId=${fixture.grace.customerId}&limit=1`));
  const endpoint = { url: "https://example.com/hooks" };
  const { id } = await story.ok(app.manage("POST", "/webhook-endpoints", endpoint));
  const checkout = await story.ok(app.api("POST", "/checkouts", { productKey: "yearly" }));
  const { id: linkId } = await story.ok(app.manage("POST", "/payment-links", LINK));
  const session = await story.ok(app.manage("POST", `/customers/${fixture.grace.customerId}/portal-sessions`, {}));
  const wanted = { email: "new@example.com", role: "support", invitedBy: "Olga" } as const;
  const invitation = await inviteTo(app.ctx, app.organization.id, wanted);
  const pathOf = (url: string) => new URL(url).pathname;
  const links = [
    "/dashboard/sign-in",
    "/dashboard/forgotten-password",
    pathOf(invitationUrl(app.ctx, invitation!, "handed")),
    pathOf((await newPasswordUrl(app.ctx, OWNER.email))!),
    pathOf(checkout.url),
    pathOf(data[0].url),
    pathOf(session.url),
    `/portal/${app.organization.id}`,
  ];
  const portal = `/portal/${app.organization.id}`;
  const inside = (root: string) => (path: string) => path.startsWith(root);
  const crawls: [WebClient, Map<string, string>][] = [
    [startWebClient(app.url), await crawl(startWebClient(app.url), links, () => false)],
    [buyer, await crawl(buyer, [portal], inside(portal))],
    [
      owner,
      await crawl(
        owner,
        [
          home,
          "/dashboard/account",
          "/dashboard/confirm",
          customer,
          `${customer}/balance/pay-out`,
          `${home}/customers/new`,
          `${home}/developers/webhooks/${id}`,
          `${home}/payment-links/${linkId}`,
          `${home}/sandbox/checkouts/${checkout.id}/pay`,
        ],
        inside("/dashboard/"),
      ),
    ],
  ];
  const routes = new Set(crawls.flatMap(([, found]) => [...found.values()]));
  const missed = formRoutes().filter(({ route }) => !routes.has(route));
  expect(missed.map(({ route }) => route).sort()).toEqual([...OF_OTHER_STATES].sort());
  for (const [client, found] of crawls) for (const path of found.keys()) await expectNoValues(client, path);
});
