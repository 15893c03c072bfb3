import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { html } from "hono/html";
import type { Context } from "../src/context.ts";
import { parseInstant } from "../src/domain/calendar.ts";
import type { Organization } from "../src/domain/model/organization.ts";
import {
  developersStylesPath,
  findAsset,
  metricsStylesPath,
  sandboxStylesPath,
  settingsStylesPath,
} from "../src/web/assets.ts";
import { field } from "../src/web/components/field.ts";
import type { PageEnvironment } from "../src/web/environment.ts";
import { protect } from "../src/web/guards.ts";
import { stylesheet, type Html } from "../src/web/layout.ts";
import { badge, type Tone } from "../src/web/dashboard/components/badge.ts";
import { id, money, moneyCell, NONE, time } from "../src/web/dashboard/components/cells.ts";
import { choices } from "../src/web/dashboard/components/choices.ts";
import { confirmPanel } from "../src/web/dashboard/components/confirm-panel.ts";
import { definitions } from "../src/web/dashboard/components/definitions.ts";
import { emptyState } from "../src/web/dashboard/components/empty-state.ts";
import { filterBar } from "../src/web/dashboard/components/filter-bar.ts";
import { notice } from "../src/web/dashboard/components/notice.ts";
import { pager } from "../src/web/dashboard/components/pager.ts";
import { payload } from "../src/web/dashboard/components/payload.ts";
import { secret } from "../src/web/dashboard/components/secret.ts";
import { STATES, statusBadge, type Kind } from "../src/web/dashboard/components/status.ts";
import { tabs } from "../src/web/dashboard/components/tabs.ts";
import { timeline } from "../src/web/dashboard/components/timeline.ts";
import { dashboardPage } from "../src/web/dashboard/frame.ts";
import { clock, dunning, figures } from "./gallery-pictures.ts";
import { table } from "../src/web/dashboard/table.ts";
import type { DashboardRequest } from "../src/web/dashboard/request.ts";

const AT = parseInstant("2026-02-28T22:30:00.000Z")!;
const ORIGIN = "http://127.0.0.1";
const BASE = "/dashboard";
const ORGANIZATION = {
  id: "org_components",
  name: "Billow",
  mode: "sandbox",
  timeZone: "Europe/Berlin",
  defaultCurrency: "usd",
  branding: { displayName: null, accentColor: null, logoUrl: null },
} as Organization;
/** A request of a made-up owner. Its links lead to no page. */
const REQUEST = {
  user: { name: "Olga Owner" },
  role: "owner",
  organization: ORGANIZATION,
  memberships: [],
  ownsInstallation: false,
  token: "token",
  base: BASE,
  self: `${BASE}/${ORGANIZATION.id}`,
  // A page with rows of the replica for reads.
  age: () => 1_000,
} as unknown as DashboardRequest;
const TONES: readonly Tone[] = ["good", "busy", "warn", "bad", "quiet"];

function states(): Html {
  const kinds = Object.keys(STATES) as Kind[];
  const badgesOf = (kind: Kind) =>
    Object.keys(STATES[kind]).map((status) => html`${statusBadge(kind, status as never)} `);
  return definitions([
    ...TONES.map((tone) => [`Tone “${tone}”`, badge(tone, "A state")] as const),
    ...kinds.map((kind) => [`${kind.charAt(0).toUpperCase()}${kind.slice(1)}`, html`${badgesOf(kind)}`] as const),
  ]);
}

function notices(): Html {
  return html`${notice("done", "The change has been made.")}
${notice("fault", "The change was refused. This line has the reason and the remedy.")}
${notice("warning", "Something waits for a person.")}
${notice("hint", html`A sentence of help, with <a href="#notices">a link</a>.`)}`;
}

function buttons(): Html {
  return html`<div class="actions">
<button class="button small" type="button">Save the change</button>
<button class="button small other" type="button">Preview the change</button>
<button class="button small danger" type="button">Delete the row</button>
<a class="button small other" href="#buttons">A link that looks like one</a>
</div>`;
}

function list(zone: string): Html {
  const row = (name: string, amount: number, currency: string) => html`<tr>
<th scope="row"><a href="#list">${name}</a></th>
<td>${statusBadge("invoice", "open")}</td>
<td class="wide">${time(AT, zone)}</td>
${moneyCell(amount, currency)}
</tr>`;
  const headings = ["Name", "Status", { label: "Created", isWide: true }, { label: "Amount", isNumber: true }];
  const rows = [
    row("Ada Lovelace", 2371, "usd"),
    row("A name that is longer than its column and takes a second line on most screens", -123456789, "eur"),
    row("明日香", 4900, "jpy"),
  ];
  return html`${table("Example of a list", headings, rows)}
${pager({ previous: "#list", next: "#list" })}`;
}

function forms(): Html {
  const fields = [
    { name: "text", label: "A text", value: "" },
    { name: "choice", label: "A choice", value: "b", options: [["a", "First"] as const, ["b", "Second"] as const] },
    { name: "wrong", label: "With a fault", value: "x", fault: "Enter a number." },
  ];
  const input = { inputmode: "text", autocomplete: "off", required: false, maxlength: 20 } as const;
  return html`${filterBar("#forms", fields, "#forms")}
<div class="narrow">
${field({ ...input, name: "plain", label: "A field", hint: "A sentence about the field." })}
${field({ ...input, name: "faulty", label: "A field with a fault", value: "x", fault: "Enter a date." })}
</div>`;
}

function groups(): Html {
  const all = [
    ["first", "The first choice", "A sentence about this choice."],
    ["second", "The second choice"],
  ] as const;
  return html`${choices({ name: "many", legend: "Several choices", choices: all, chosen: ["second"] })}
${choices({ name: "one", legend: "One of them", choices: all, chosen: ["first"], isOne: true })}
${choices({ name: "none", legend: "With a fault", choices: all, chosen: [], fault: "Choose at least one." })}`;
}

function story(zone: string): Html {
  const entry = (tone: Tone, n: number) => ({
    at: AT,
    tone,
    title: `An entry of the tone “${tone}”`,
    detail: n % 2 === 0 ? "A detail of the entry." : undefined,
  });
  return timeline(TONES.map(entry), zone);
}

const PARTS: readonly (readonly [name: string, title: string, show: (request: DashboardRequest) => Html])[] = [
  ["states", "States", states],
  ["notices", "Notices", notices],
  ["buttons", "Buttons", buttons],
  ["list", "List", ({ organization }) => list(organization.timeZone)],
  ["empty", "List without rows", () => emptyState("Each sale will appear here.", { href: "#empty", label: "Sell it" })],
  ["forms", "Filters and fields", forms],
  ["choices", "Choices", groups],
  [
    "secret",
    "Secret that is shown once",
    () => secret("Example of a key", "blw_test_0123456789abcdefghijklmnopqrstuv"),
  ],
  ["payload", "Body of an event", () => payload("Example of a body", JSON.stringify({ type: "an.event" }, null, 2))],
  ["figures", "Tiles and charts", figures],
  ["clock", "Time line of the clock", ({ self, organization }) => clock(self, organization.timeZone)],
  ["dunning", "Time line of dunning", dunning],
  [
    "values",
    "Values",
    ({ organization }) =>
      definitions([
        ["Id", id(organization.id)],
        ["Time", time(AT, organization.timeZone)],
        ["Money", money(2371, organization.defaultCurrency)],
        ["Missing value", NONE],
      ]),
  ],
  ["timeline", "Timeline", ({ organization }) => story(organization.timeZone)],
  [
    "tabs",
    "Tabs",
    () =>
      tabs("Example of tabs", [
        { href: "#tabs", label: "The present one", isCurrent: true },
        { href: "#tabs", label: "Another one", isCurrent: false },
      ]),
  ],
  [
    "confirm",
    "Before a change",
    ({ token, self }) =>
      confirmPanel(
        { request: { token }, once: "" },
        {
          effect: html`<p>This line has the exact effect.</p>`,
          label: "Make the change",
          isDangerous: true,
          back: `${self}/components`,
        },
      ),
  ],
];

/** The page with each component in each state, as an owner of a sandbox sees it. */
function galleryPage(ctx: Context): Html {
  const part = ([name, title, show]: (typeof PARTS)[number]) => html`<section aria-labelledby="${name}">
<h2 id="${name}">${title}</h2>
${show(REQUEST)}
</section>`;
  const lead = "Each component of the dashboard in each state, for developers of Billow.";
  const body = html`${PARTS.map(part)}`;
  const styles = [developersStylesPath(ctx), metricsStylesPath(ctx), sandboxStylesPath(ctx), settingsStylesPath(ctx)];
  const head = html`${styles.map((path) => stylesheet(path))}`;
  return dashboardPage({ ...REQUEST, ctx }, { section: null, title: "Components", body, lead, head });
}

/** Serves the page on 127.0.0.1, with the headers of Billow's pages and without a database. Port 0: a free port. */
export async function startGallery(port: number): Promise<{ url: string; close(): Promise<void> }> {
  const app = new Hono<PageEnvironment>();
  app.use(protect(ORIGIN));
  app.get("/", (c) => c.html(galleryPage({ config: { publicOrigin: ORIGIN } } as Context)));
  app.get("/static/:file", async (c) => {
    const asset = findAsset(c.req.path);
    if (!asset) return c.notFound();
    const { body, headers } = await asset.encoded(c.req.header("Accept-Encoding"));
    return c.body(body, 200, { "Content-Type": asset.type, ...headers });
  });
  const server = createServer(getRequestListener(app.fetch as Parameters<typeof getRequestListener>[0]));
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
