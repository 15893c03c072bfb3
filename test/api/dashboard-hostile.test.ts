import { afterAll, beforeAll, expect, test } from "vitest";
import { createWebApp } from "../../src/web/app.ts";
import { ROOT } from "../../src/web/dashboard/request.ts";
import { startFixture, type Fixture } from "../support/dashboard-fixture.ts";
import { tokenOf } from "../support/dashboard.ts";
import { fieldsOf as formOf } from "../support/filled-form.ts";

// Each form of the dashboard is sent by an owner, with a real token and values that no page of ours sends.

/** As on the wire: percent-encoded, because some of these can't be written from a JavaScript value. */
const VALUES = [
  "",
  "%00",
  "a%00b",
  // A lone surrogate, and text that is not UTF-8.
  "%ED%A0%80",
  "%FF",
  "%EF%BF%BF%E2%80%AE",
  "x".repeat(12_000),
  "9".repeat(400),
  "-1",
  "1e400",
  "0x10",
  "9007199254740993",
  "99999999999999999999",
  "NaN",
  "null",
  "%7B%22a%22%3A1%7D",
  "__proto__",
  "%D9%A3",
  "2026-02-30",
  "%2B999999-01-01T00%3A00%3A00Z",
  "data%3Atext%2Fhtml%2Cx",
  "%0D%0ASet-Cookie%3Aa%3Db",
  "'%3B+DROP+TABLE+customers%3B+--",
];
const TYPES = ["application/json", "multipart/form-data; boundary=x", "text/plain", ""];

let fixture: Fixture;
let paths: string[];
let token: string;
/** The ids of existing resources, by the parameter of a path. */
let own: Record<string, string>;
/** Another Organization. */
let foreignId: string;

beforeAll(async () => {
  fixture = await startFixture();
  const { story, owner } = fixture;
  const { app, ok } = story;
  token = tokenOf((await owner.get("/dashboard/confirm")).text);
  paths = createWebApp(app.ctx)
    .routes.filter(({ method, path }) => method === "POST" && path.startsWith(ROOT))
    .map(({ path }) => path)
    // These two begin work that goes on after the answer.
    .filter((path) => !/sandbox\/(fill|stop)$/.test(path));
  const idOf = async (list: string) => (await ok(app.manage("GET", list))).data[0].id as string;
  own = {
    customerId: fixture.ada.customerId,
    subscriptionId: fixture.ada.id,
    invoiceId: fixture.invoice.id,
    refundId: fixture.refund.id,
    disputeId: fixture.dispute.id,
    checkoutId: fixture.checkout.id,
    discountId: fixture.discount.id,
    productId: fixture.ada.productId,
    benefitId: await idOf("/benefits"),
    grantId: await idOf("/benefit-grants"),
    emailId: await idOf("/emails"),
    paymentId: await idOf("/payments"),
    kind: "receipt",
  };
  foreignId = (await app.otherOrganization()).organization.id;
});
afterAll(() => fixture.story.close());

/** The path of a route. Parameters without a resource get an id that exists nowhere. */
const pathOf = (path: string, ids: Record<string, string>) =>
  path
    .replace(":organizationId", ids["organizationId"] ?? fixture.story.app.organization.id)
    .replace(/:(\w+)/g, (_, name: string) => ids[name] ?? "x");

async function send(path: string, body: string, type = "application/x-www-form-urlencoded"): Promise<number> {
  const headers = { Cookie: fixture.owner.cookie!, "Content-Type": type, Accept: "text/html" };
  const answer = await fetch(fixture.story.app.url + path, { method: "POST", headers, body, redirect: "manual" });
  await answer.arrayBuffer();
  return answer.status;
}

/** The names of the fields in the forms of a page; those of its errors, too. */
const namesIn = (html: string) => [
  ...new Set([...html.matchAll(/<(?:input|select|textarea|button)[^>]* name="([^"]+)"/g)].map(([, name]) => name!)),
];

/** The fields of the form of a route: by its page, or by the page that its refusal shows. */
async function fieldsOf(path: string): Promise<string[]> {
  const page = await fixture.owner.get(path);
  const refused = await fixture.owner.post(path, { token });
  const known = ["name", "email", "amount", "currency", "key", "version", "seen", "confirm", "done"];
  return [...new Set([...namesIn(page.text), ...namesIn(refused.text), ...known])].filter((name) => name !== "token");
}

/** The answers to these bodies that are faults of ours, one line each. */
async function faultsOf(route: string, path: string, bodies: readonly (readonly [what: string, body: string])[]) {
  const faults: string[] = [];
  for (const [what, body] of bodies) {
    const status = await send(path, body);
    if (status >= 500) faults.push(`${status} ${route}, ${what}`);
  }
  return faults;
}

const pair = (name: string, value: string) => `&${encodeURIComponent(name)}=${value}`;
const allOf = (names: readonly string[], value: string) => names.map((name) => pair(name, value)).join("");

test("a form whose fields are all hostile, or sent twice, is never a fault of ours", async () => {
  expect(paths.length).toBeGreaterThan(40);
  const faults: string[] = [];
  for (const route of paths) {
    const path = pathOf(route, own);
    const names = await fieldsOf(path);
    const bodies = VALUES.map((value) => {
      const body = `token=${token}${allOf(names, value)}`.slice(0, 16_000);
      return [`all fields ${value.slice(0, 30)}`, body] as const;
    });
    const twice = `token=${token}${allOf(names, "1")}${allOf(names, "2")}`;
    faults.push(...(await faultsOf(route, path, [...bodies, ["all fields twice", twice]])));
  }
  expect(faults).toEqual([]);
});

test("a form of a page with one hostile field is never a fault of ours", async () => {
  const faults: string[] = [];
  let tried = 0;
  for (const route of paths) {
    const path = pathOf(route, own);
    const form = formOf((await fixture.owner.get(path)).text);
    for (const name of new Set(form.keys())) {
      if (name === "token") continue;
      const value = VALUES[tried % VALUES.length]!;
      tried += 1;
      const fresh = formOf((await fixture.owner.get(path)).text);
      fresh.delete(name);
      faults.push(
        ...(await faultsOf(route, path, [[`${name} ${value.slice(0, 30)}`, `${fresh}${pair(name, value)}`]])),
      );
    }
  }
  expect(tried).toBeGreaterThan(VALUES.length);
  expect(faults).toEqual([]);
});

test("another content type, and a form of another Organization, are refused", async () => {
  const answers: string[] = [];
  for (const route of paths) {
    const path = pathOf(route, own);
    for (const type of TYPES) {
      const status = await send(path, `token=${token}`, type);
      if (status !== 415) answers.push(`${status} ${route} as ${type}`);
    }
    const elsewhere = await send(pathOf(route, { ...own, organizationId: foreignId }), `token=${token}`);
    if (elsewhere !== 404) answers.push(`${elsewhere} ${route} of another Organization`);
  }
  expect(answers).toEqual([]);
});
