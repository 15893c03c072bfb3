import { globSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { storeVerification } from "../../src/actions/store-verification.ts";
import { firstRunUrl } from "../../src/actions/team/set-up.ts";
import { verifyOrganization } from "../../src/actions/verify.ts";
import { createWebApp } from "../../src/web/app.ts";
import { advanceSandbox, startTestApp, type TestApp } from "../support/app.ts";
import { openDashboard, type Desk } from "../support/dashboard.ts";
import { wordsOf } from "../support/pages.ts";
import { startWebClient } from "../support/portal.ts";

const COMMAND = /bin\/billow|\bnpm |\bbillow [a-z-]+ [a-z-]/;

let app: TestApp;
let owner: Desk;
let live: string;
let setUpLink: string;
let beforeTheFirst: string;
beforeAll(async () => {
  app = await startTestApp(
    { trustedProxies: ["127.0.0.1"] },
    { clock: "2027-02-24T09:00:00Z", timeZone: "Europe/Berlin" },
  );
  live = (await app.otherOrganization({ mode: "live" })).organization.id;
  setUpLink = new URL((await firstRunUrl(app.ctx))!).pathname;
  beforeTheFirst = (await startWebClient(app.url).get("/dashboard/sign-in")).text;
  owner = await openDashboard(app);
});
afterAll(() => app.close());

test("no page of the dashboard shows a command of the shell", async () => {
  const routes = createWebApp(app.ctx).routes.filter(
    ({ method, path }) => method === "GET" && path.startsWith("/dashboard"),
  );
  const paths = [...new Set(routes.map(({ path }) => path))].flatMap((path) =>
    [app.organization.id, live].map((id) => path.replace(":organizationId", id).replace(/:\w+/g, "x")),
  );
  const stranger = startWebClient(app.url);
  let shown = 0;
  for (const path of new Set(paths))
    for (const client of [owner, stranger]) {
      const { status, text } = await client.get(path);
      expect(wordsOf(text), path).not.toMatch(COMMAND);
      if (status === 200) shown += 1;
    }
  expect(shown).toBeGreaterThan(60);
  const gone = await Promise.all([setUpLink, "/dashboard/new-password/x"].map((path) => stranger.get(path)));
  const forgotten = await stranger.post("/dashboard/forgotten-password", { email: "ada@example.com" });
  for (const text of [beforeTheFirst, forgotten.text, ...gone.map((each) => each.text)]) {
    expect(wordsOf(text)).not.toMatch(COMMAND);
    expect(text).toContain('href="/docs/operating/team#');
  }
});

test("no source of a page in the dashboard, the portal or the Checkout has a command of the shell", () => {
  const files = globSync("src/web/**/*.ts", { exclude: ["**/*.test.ts"] });
  expect(files.length).toBeGreaterThan(100);
  // The first page is for developers on the machine of the server, and has the address of the client.
  const pages = files.filter((file) => file !== "src/web/home.ts");
  const found = pages.filter((file) => /bin\/billow|\bnpm (?:run|install|start|ci)\b/.test(readFileSync(file, "utf8")));
  expect(found).toEqual([]);
});

test("every page of the guide that the dashboard names has its heading", async () => {
  const sources = globSync("src/web/dashboard/**/*.ts").map((file) => readFileSync(file, "utf8"));
  const named = sources.flatMap((source) => [...source.matchAll(/"(operating\/[\w-]+)#([\w-]+)"/g)]);
  expect(named.length).toBeGreaterThan(4);
  for (const [, page, anchor] of named) {
    const { status, text } = await startWebClient(app.url).get(`/docs/${page}`);
    expect([status, text.includes(`id="${anchor}"`)], `${page}#${anchor}`).toEqual([200, true]);
  }
});

test("the last check of a sandbox has the date of the sandbox's own clock", async () => {
  const overview = async (id = app.organization.id) => wordsOf((await owner.get(`/dashboard/${id}`)).text);
  expect(await overview()).not.toContain("data check");
  expect(await overview(live)).toContain("The data of this Organization has never been checked.");
  await storeVerification(app.ctx, await verifyOrganization(app.ctx, app.organization));
  const line =
    "The last data check found no fault, at 24 Feb 2027, 10:00 by the clock of this sandbox. About the check";
  expect(await overview()).toContain(line);
  await advanceSandbox(app.manage, { by: "P1D" });
  expect(await overview()).toContain(line);
  await storeVerification(app.ctx, {
    organizationId: app.organization.id,
    disagreements: [{ rule: "mrr", says: "The counted MRR differs.", count: 2, examples: [] }],
    held: { count: 0, examples: [] },
    counts: {} as never,
  });
  expect(await overview()).toContain(
    "The counted MRR differs. mrr , 2 cases, found at 25 Feb 2027, 10:00 by the clock of this sandbox.",
  );
});
