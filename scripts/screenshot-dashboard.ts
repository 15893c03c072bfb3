import type { Browser, BrowserContext, Page } from "playwright-core";
import type { Context } from "../src/context.ts";
import { createWebApp } from "../src/web/app.ts";
import { findView, foundCompany, type Company, type Installation, type CompanyView } from "./screenshot-company.ts";
import {
  dashboardPicture,
  dashboardRoutes,
  QUERIES,
  OTHER_SUBJECTS,
  OUTER_PICTURES,
  type Others,
} from "./screenshot-dashboard-routes.ts";
import { sent, type Shot } from "./screenshot-steps.ts";

const OWNER = { name: "Olga Owner", email: "olga@example.com", password: "correct horse battery" };
type Cookies = Awaited<ReturnType<BrowserContext["cookies"]>>;
/** The dashboard, its subjects, and the session of its owner. `setUp`, `invitation`, `newPassword`: links. */
export type Desk = { url: string; view: CompanyView; cookies: Cookies; invitation: string; newPassword: string };

const open = async (page: Page, address: string, cookies: Cookies = [], status = 200): Promise<void> => {
  if (cookies.length > 0) await page.context().addCookies(cookies);
  const answer = await page.goto(address);
  if (answer && answer.status() !== status) throw new Error(`${address} answers with ${answer.status()}`);
};

/** The page for the first user, before there is one. */
export const setUpShot = ({ setUp }: Installation): Shot => ({
  name: "dashboard-set-up",
  open: (page) => open(page, setUp),
});

/** Makes the first user, and founds the company. */
export async function openDesk(browser: Browser, billow: Installation): Promise<Desk & { close(): void }> {
  const company = await foundCompany(billow);
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(billow.setUp);
  await page.getByLabel("Your name").fill(OWNER.name);
  await page.getByLabel("E-mail").fill(OWNER.email);
  await page.getByLabel("Password").fill(OWNER.password);
  await sent(page, () => page.getByRole("button", { name: "Set up the dashboard" }).click());
  const invite = async (email: string, role: string): Promise<string> =>
    (await billow.command("team", "invite", email, "--role", role, "--organization", "Kestrel")).url;
  const invitation = await invite("sam@example.com", "support");
  await invite(`${"accounts-payable.".repeat(3)}team@example.com`, "finance");
  const newPassword = (await billow.command("team", "password", OWNER.email)).url;
  const cookies = await context.cookies();
  const read = async (path: string) => (await context.request.get(billow.url + path)).text();
  const view = await findView(company, read);
  await context.close();
  return { url: billow.url, view, cookies, invitation, newPassword, close: () => stopReceiver(company) };
}

function stopReceiver({ receiver }: Company): void {
  receiver.closeAllConnections();
  receiver.close();
}

/** The address of a page about the usual resources, or about others. */
function addressOf({ url, view }: Desk, route: string, others: Others = OTHER_SUBJECTS[route] ?? {}): string {
  return url + route.replaceAll(/:(\w+)/g, (_, name: string) => view[others[name] ?? name] ?? name);
}

const DASHBOARD = "/dashboard/:organizationId";
const CUSTOMER = `${DASHBOARD}/customers/:customerId`;

/** The pages that have other contents in an Organization without rows. */
const LISTS =
  "customers subscriptions invoices payments refunds disputes checkouts discounts payment-links products benefits";
const OTHERS =
  "sandbox sandbox/fill developers/webhooks developers/events developers/requests metrics/mrr metrics/revenue";
const EMPTY = [
  DASHBOARD,
  ...`${LISTS} ${OTHERS} search?q=ada customers?email=ada%40example.com`
    .split(" ")
    .map((path) => `${DASHBOARD}/${path}`),
];

/** Forms with faults: the page, and values by the names of the fields. The form is sent as it is then. */
const REFUSED: Record<string, Record<string, string>> = {
  [`${DASHBOARD}/settings`]: { name: "", "taxId.value": "12" },
  [`${DASHBOARD}/settings/dunning`]: { "dunning.retryDays": "3, 2, x" },
  [`${DASHBOARD}/team/invite`]: { email: "sam" },
  [`${DASHBOARD}/developers/webhooks/new`]: { url: "ftp://example.com" },
  [`${DASHBOARD}/products/new`]: { key: "Not a key!", name: "" },
  [`${DASHBOARD}/benefits/new`]: { key: "Not a key!", name: "" },
  [`${DASHBOARD}/discounts/new`]: { code: "a b", basisPoints: "120" },
  [`${DASHBOARD}/payment-links/new`]: { name: "", quantity: "x" },
  [`${DASHBOARD}/customers/new`]: { email: "ada" },
  [`${CUSTOMER}/balance/adjust`]: { amount: "twelve" },
  [`${CUSTOMER}/invoices/:invoiceId/refund`]: { amount: "1000000" },
};

function refusedShot(desk: Desk, route: string, fields: Record<string, string>): Shot {
  return {
    name: `${dashboardPicture(route)}-refused`,
    async open(page) {
      await open(page, addressOf(desk, route), desk.cookies);
      page.setDefaultTimeout(5_000);
      for (const [name, value] of Object.entries(fields)) await page.fill(`main [name="${name}"]`, value);
      const save = page.locator("main form button[type=submit]:not([name])");
      // A form about money has only a preview, which is refused like the action.
      const preview = page.locator("main form button[name=look][value=preview]");
      await ((await save.count()) > 0 ? save : preview).last().click();
      await page.locator("main :is(.fault, [role=alert])").first().waitFor();
    },
  };
}

const LONG: Others = { customerId: "long" };

function otherShots(desk: Desk): Shot[] {
  const at = (name: string, route: string, others?: Others, status?: number): Shot => ({
    name: `dashboard-${name}`,
    open: (page) => open(page, addressOf(desk, route, others), desk.cookies, status),
  });
  const unfolded = at("customers-one-unfolded", CUSTOMER);
  return [
    ...EMPTY.map((route) =>
      at(
        `none-${dashboardPicture(route)
          .slice("dashboard-".length)
          .replaceAll(/[^a-z-]+/g, "-")}`,
        route,
        { organizationId: "empty" },
      ),
    ),
    at("customers-one-long", CUSTOMER, LONG),
    at("customers-one-new", CUSTOMER, { customerId: "credited" }),
    at("customers-one-owing", CUSTOMER, { customerId: "owing" }),
    at("customers-many", `${DASHBOARD}/customers`, { organizationId: "many" }),
    at("search-found", `${DASHBOARD}/search?q=example.com`),
    at("search-name", `${DASHBOARD}/search?q=Maximiliane`),
    {
      name: unfolded.name,
      async open(page) {
        await unfolded.open(page);
        await page.evaluate(`document.querySelectorAll("main details").forEach((each) => (each.open = true))`);
      },
    },
    {
      name: "dashboard-customers-many-next",
      async open(page) {
        await open(page, addressOf(desk, `${DASHBOARD}/customers`, { organizationId: "many" }), desk.cookies);
        await sent(page, () => page.getByRole("link", { name: "Next page" }).click());
      },
    },
    at("missing", `${DASHBOARD}/customers/cus_unknown`, {}, 404),
    at("customers-refused", `${DASHBOARD}/customers?email=x&order=sideways`, {}, 422),
    {
      name: "dashboard-products-one-price-changes-new-effect",
      async open(page) {
        const route = `${DASHBOARD}/products/:productId/price-changes/new`;
        await open(page, addressOf(desk, route), desk.cookies);
        await sent(page, () => page.getByRole("button", { name: "Preview" }).click());
      },
    },
    {
      name: "dashboard-sign-in-refused",
      async open(page) {
        await open(page, `${desk.url}/dashboard/sign-in`);
        await page.getByLabel("E-mail").fill(OWNER.email);
        await page.getByLabel("Password").fill("wrong password");
        await page.getByRole("button", { name: "Sign in" }).click();
        await page.locator(".notice").waitFor();
      },
    },
  ];
}

/** The two pages in the picture of the README: a Checkout, and the overview of the dashboard. */
export function readmeShots(desk: Desk): Record<"checkout" | "overview", (page: Page) => Promise<void>> {
  return {
    checkout: (page) => open(page, desk.view["checkoutUrl"]!),
    overview: (page) => open(page, addressOf(desk, DASHBOARD), desk.cookies),
  };
}

function outerShots({ url, cookies, invitation, newPassword }: Desk): Shot[] {
  const SPECIAL: Record<string, readonly [address: string, cookies: Cookies]> = {
    "/dashboard/sign-in": [`${url}/dashboard/sign-in`, []],
    "/dashboard/forgotten-password": [`${url}/dashboard/forgotten-password`, []],
    "/dashboard/new-password/:secret": [newPassword, []],
    "/dashboard/invitations/:secret": [invitation, []],
  };
  return Object.entries(OUTER_PICTURES)
    .filter(([route]) => route !== "/dashboard/set-up/:secret")
    .map(([route, name]) => {
      const [address, own] = SPECIAL[route] ?? [url + route, cookies];
      return { name, open: (page) => open(page, address, own) };
    });
}

/** Every page of the dashboard, with special contents too: without rows, with long names, with a refused form. */
export function dashboardShots(desk: Desk): Shot[] {
  const app = createWebApp({ config: { publicOrigin: desk.url } } as Context);
  const routes = dashboardRoutes(app.routes.filter(({ method }) => method === "GET").map(({ path }) => path));
  return [
    ...routes.map((route) => ({
      name: dashboardPicture(route),
      open: (page: Page) => open(page, addressOf(desk, route) + (QUERIES[route] ?? ""), desk.cookies),
    })),
    ...outerShots(desk),
    ...otherShots(desk),
    ...Object.entries(REFUSED).map(([route, fields]) => refusedShot(desk, route, fields)),
  ];
}
