import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { draftUser } from "../../src/actions/team/set-up.ts";
import { allows, PERMISSIONS, ROLES, type Permission, type Role } from "../../src/domain/team/role.ts";
import { insertMembership } from "../../src/store/memberships.ts";
import { users } from "../../src/store/users.ts";
import { createWebApp } from "../../src/web/app.ts";
import { ROOT } from "../../src/web/dashboard/request.ts";
import { startTestApp, type TestApp } from "../support/app.ts";
import { ageSessions, OWNER, signInAt, type Desk } from "../support/dashboard.ts";
import { startWebClient } from "../support/portal.ts";

// The tests are made from the tables of the manual, so the manual can't be wrong.
const manual = readFileSync(new URL("../../docs/operating/team.md", import.meta.url), "utf8");
/** The rows of the table under a first heading that begins with this text. */
function tableOf(heading: string): string[][] {
  const lines = manual.split("\n");
  const first = lines.findIndex((line) => line.startsWith(`| ${heading}`));
  const end = lines.findIndex((line, n) => n > first && !line.startsWith("|"));
  return lines.slice(first + 2, end).map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll("`", "")),
  );
}
const COLUMNS: readonly Role[] = ["owner", "developer", "finance", "support", "read_only"];
const matrix = new Map(tableOf("permission").map(([name, ...cells]) => [name!, cells]));
const pages = tableOf("page below").map(([path, permission, again]) => ({
  path: ROOT + (path === "/" ? "" : path!),
  permission: permission as Permission,
  asksAgain: again === "yes",
}));
const may = (role: Role, permission: Permission) => matrix.get(permission)![COLUMNS.indexOf(role)] === "yes";

test("the matrix of the manual is the one of the code", () => {
  expect([...COLUMNS].sort()).toEqual([...ROLES].sort());
  expect([...matrix.keys()].sort()).toEqual([...PERMISSIONS].sort());
  for (const role of ROLES)
    for (const permission of PERMISSIONS)
      expect(may(role, permission), `${role} ${permission}`).toBe(allows(role, permission));
});

describe("every route", () => {
  let app: TestApp;
  let routes: { method: string; path: string }[];
  const desks = new Map<Role, Desk>();
  beforeAll(async () => {
    app = await startTestApp({ trustedProxies: ["127.0.0.1"] });
    for (const role of ROLES) {
      const email = `${role}@example.com`;
      const user = await draftUser({ email, name: role, password: OWNER.password });
      await app.ctx.db.tx(async (tx) => {
        users.insert(tx, user);
        insertMembership(tx, app.organization.id, user.id, role);
      });
      desks.set(role, await signInAt(app.url, { email, password: OWNER.password }));
    }
    routes = createWebApp(app.ctx)
      .routes.filter(({ method, path }) => method !== "ALL" && (path === ROOT || path.startsWith(`${ROOT}/`)))
      .map(({ method, path }) => ({ method, path }));
  });
  afterAll(() => app.close());

  /** The path of a route, with an id of no resource in the place of each parameter. */
  const pathOf = (path: string, organizationId = app.organization.id) =>
    path.replace(":organizationId", organizationId).replace(/:\w+/g, "x");
  const ask = (desk: Desk, { method, path }: { method: string; path: string }) =>
    method === "GET" ? desk.get(path) : desk.send(path, { once: "" });

  test("is in the manual", () => {
    const known = new Set(pages.map(({ path }) => path));
    expect([...new Set(routes.map(({ path }) => path))].filter((path) => !known.has(path))).toEqual([]);
    const existing = new Set(routes.map(({ path }) => path));
    expect(pages.filter(({ path }) => !existing.has(path))).toEqual([]);
  });

  test.each(ROLES)("as %s", async (role) => {
    for (const { method, path } of routes) {
      const { permission } = pages.find((page) => page.path === path)!;
      const { status, text } = await ask(desks.get(role)!, { method, path: pathOf(path) });
      const what = `${role} ${method} ${path}`;
      if (may(role, permission)) expect([200, 303, 404, 422], what).toContain(status);
      else expect([status, text.includes("Your role does not allow this")], what).toEqual([403, true]);
    }
  });

  test("of another Organization is not found, with each role", async () => {
    const other = (await app.otherOrganization()).organization.id;
    for (const desk of desks.values())
      for (const { method, path } of routes)
        expect((await ask(desk, { method, path: pathOf(path, other) })).status, `${method} ${path}`).toBe(404);
  });

  test("leads a visitor without a session to the sign-in", async () => {
    for (const { method, path } of routes) {
      const client = startWebClient(app.url);
      const answer = method === "GET" ? await client.get(pathOf(path)) : await client.post(pathOf(path));
      expect([answer.status, answer.headers.get("Location")?.split("?")[0]]).toEqual([303, "/dashboard/sign-in"]);
    }
  });

  test("refuses a forged form of an owner", async () => {
    const owner = desks.get("owner")!;
    const forms = routes.filter(({ method }) => method === "POST");
    expect(forms.length).toBeGreaterThan(0);
    for (const { path } of forms) {
      expect((await owner.post(pathOf(path))).status, path).toBe(403);
      expect((await owner.post(pathOf(path), { token: "x".repeat(43) })).status, path).toBe(403);
      const headers = { Cookie: owner.cookie!, "Sec-Fetch-Site": "same-site" };
      const request = { method: "POST", headers, body: new URLSearchParams({ token: "x" }) };
      expect((await fetch(app.url + pathOf(path), request)).status, path).toBe(403);
    }
  });

  test("that asks for the password again does so after a quarter of an hour, and no other does", async () => {
    const owner = desks.get("owner")!;
    await owner.send("/dashboard/confirm", { password: OWNER.password });
    await ageSessions(app.ctx.db, "15 minutes");
    for (const { method, path } of routes) {
      const { asksAgain } = pages.find((page) => page.path === path)!;
      const answer = await ask(owner, { method, path: pathOf(path) });
      const leadsThere = answer.headers.get("Location")?.startsWith("/dashboard/confirm?") ?? false;
      expect(leadsThere, `${method} ${path}`).toBe(asksAgain);
    }
  });
});
