import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { foundOrganization } from "../../src/actions/organization/found-organization.ts";
import { draftUser } from "../../src/actions/team/set-up.ts";
import { COMMAND } from "../../src/domain/team/audit.ts";
import { ROLES, type Role } from "../../src/domain/team/role.ts";
import { changeRole, deleteMembership, insertMembership, listMembers } from "../../src/store/memberships.ts";
import { listOrganizations } from "../../src/store/organizations.ts";
import { findUserByEmail, users } from "../../src/store/users.ts";
import { caller, startTestApp, type TestApp } from "../support/app.ts";
import { ageSessions, openDashboard, OWNER, signInAt, type Desk } from "../support/dashboard.ts";
import { wordsOf } from "../support/pages.ts";

const PAGE = "/dashboard/new-organization";
const BY = { actor: COMMAND, clientAddress: null };

let app: TestApp;
let owner: Desk;
beforeAll(async () => {
  app = await startTestApp({ trustedProxies: ["127.0.0.1"] });
  owner = await openDashboard(app);
});
afterAll(() => app.close());
beforeEach(async () => void (await owner.send("/dashboard/confirm", { password: OWNER.password })));

/** As the command `org create` does it. */
const found = (name: string, mode: "live" | "sandbox") =>
  app.ctx.db.tx((tx) => foundOrganization(tx, { name, mode }, BY));
/** A user with these roles, by the id of the Organization. */
async function userWith(name: string, roles: Record<string, Role>): Promise<Desk & { id: string }> {
  const email = `${name}@example.com`;
  const user = await draftUser({ email, name, password: OWNER.password });
  await app.ctx.db.tx(async (tx) => {
    users.insert(tx, user);
    for (const [organizationId, role] of Object.entries(roles)) insertMembership(tx, organizationId, user.id, role);
  });
  return Object.assign(await signInAt(app.url, { email, password: OWNER.password }), { id: user.id });
}
const membersOf = async (organizationId: string) =>
  (await listMembers(app.ctx.db.read, organizationId)).map(({ email, role }) => `${email}: ${role}`);
const named = async (name: string) => (await listOrganizations(app.ctx.db.read)).filter((each) => each.name === name);

let forms = 0;
const onceOf = () => String((forms += 1)).padStart(22, "x");
const create = (desk: Desk, fields: Record<string, string>, once = onceOf()) =>
  desk.send(PAGE, { once, timeZone: "UTC", clock: "", ...fields });

describe("before the first live Organization", () => {
  test("the first user sees a new sandbox at once, and another owner of a sandbox does not", async () => {
    const other = await userWith("other", { [app.organization.id]: "owner" });
    const { organization, owners } = await found("Second sandbox", "sandbox");
    expect(await membersOf(organization.id)).toEqual([`${OWNER.email}: owner`]);
    expect(owners).toHaveLength(1);
    expect(wordsOf((await owner.get("/dashboard")).text)).toContain("Second sandbox Sandbox · Owner");
    expect((await other.get(`/dashboard/${organization.id}`)).status).toBe(404);
    expect((await other.get(PAGE)).status).toBe(403);
  });

  test("an owner of a mere sandbox gets no live Organization, and makes none", async () => {
    const eve = await userWith("eve", { [app.organization.id]: "owner" });
    const { organization } = await found("Live at last", "live");
    expect(await membersOf(organization.id)).toEqual([`${OWNER.email}: owner`]);
    for (const mode of ["live", "sandbox"]) {
      const refused = await create(eve, { name: "Eve’s own", mode });
      expect([refused.status, wordsOf(refused.text)]).toEqual([403, expect.stringContaining("Only an owner")]);
    }
    expect(await named("Eve’s own")).toEqual([]);
    expect((await eve.get(`/dashboard/${app.organization.id}`)).text).not.toContain(PAGE);
    expect((await eve.get(`/dashboard/${organization.id}`)).status).toBe(404);
  });
});

describe("an owner of the installation", () => {
  test("makes a live Organization with two keys that are shown once", async () => {
    expect((await owner.get(`/dashboard/${app.organization.id}`)).text).toContain(`href="${PAGE}"`);
    expect((await owner.get("/dashboard")).text).toContain(`href="${PAGE}"`);
    expect((await owner.get(PAGE)).status).toBe(200);
    const once = onceOf();
    const fields = { name: "  Kestrel ", mode: "live", timeZone: "Europe/Berlin" };
    const made = await create(owner, fields, once);
    const [organization] = await named("Kestrel");
    expect([made.status, organization]).toEqual([
      200,
      expect.objectContaining({ mode: "live", timeZone: "Europe/Berlin", clockAt: null }),
    ]);
    const [publicKey, manageKey] = [...made.text.matchAll(/>(blw_\w+|[\w-]*live[\w-]{40,})</g)].map(([, key]) => key!);
    const { id } = organization!;
    expect((await caller(`${app.url}/manage/v1`, manageKey!)("GET", "/organization")).body).toMatchObject({ id });
    const checkout = caller(`${app.url}/public/v2`, publicKey!)("POST", "/checkouts", { productKey: "nothing" });
    expect((await checkout).status).toBe(422);
    expect((await caller(`${app.url}/manage/v1`, publicKey!)("GET", "/organization")).status).toBe(403);
    expect(made.headers.get("Cache-Control")).toContain("no-store");
    expect(await membersOf(id)).toEqual([`${OWNER.email}: owner`]);
    // The same form again makes no second Organization, and its answer has no key.
    const again = await create(owner, fields, once);
    expect([again.status, again.headers.get("Location")]).toEqual([303, "/dashboard"]);
    expect(await named("Kestrel")).toHaveLength(1);
    const log = wordsOf((await owner.get(`/dashboard/${id}/audit-log`)).text);
    expect(log).toContain("Create organization");
    expect(log).toContain("mode: live, time zone: Europe/Berlin");
    expect(log).toContain(OWNER.name);
  });

  test("makes a sandbox whose clock stands at the beginning of a day", async () => {
    const made = await create(owner, {
      name: "Trials",
      mode: "sandbox",
      timeZone: "America/New_York",
      clock: "2027-01-31",
    });
    expect(made.status).toBe(200);
    const [organization] = await named("Trials");
    expect(organization).toMatchObject({ mode: "sandbox", clockAt: Date.parse("2027-01-31T05:00:00Z") });
    expect((await owner.get(`/dashboard/${organization!.id}/sandbox`)).text).toContain("31 Jan 2027");
  });

  test.each<[fields: Record<string, string>, fault: string]>([
    [{ name: "", mode: "live" }, 'id="name-fault"'],
    [{ name: "a".repeat(129), mode: "live" }, 'id="name-fault"'],
    [{ name: "a\u0000b", mode: "live" }, 'id="name-fault"'],
    [{ name: "Odd", mode: "" }, 'id="mode-fault"'],
    [{ name: "Odd", mode: "production" }, 'id="mode-fault"'],
    [{ name: "Odd", mode: "live", timeZone: "Europe/Bern" }, 'id="timeZone-fault"'],
    [{ name: "Odd", mode: "sandbox", clock: "tomorrow" }, 'id="clock-fault"'],
    [{ name: "Odd", mode: "live", clock: "2027-01-31" }, 'id="clock-fault"'],
    [{ name: "Odd", mode: "live", once: "" }, "This form has no key"],
  ])("sees the fault beside the field: %j", async (fields, fault) => {
    const before = await listOrganizations(app.ctx.db.read);
    const { status, text } = await create(owner, fields);
    expect([status, text.includes(fault)]).toEqual([422, true]);
    expect(await listOrganizations(app.ctx.db.read)).toHaveLength(before.length);
  });

  test("gives the password again, and needs the token of the form", async () => {
    const fields = { name: "Forged", mode: "live", timeZone: "UTC", once: onceOf() };
    expect((await owner.post(PAGE, fields)).status).toBe(403);
    expect((await owner.post(PAGE, { ...fields, token: "x".repeat(43) })).status).toBe(403);
    await ageSessions(app.ctx.db, "15 minutes");
    const asked = await create(owner, fields);
    expect(asked.headers.get("Location")).toBe(`/dashboard/confirm?next=${encodeURIComponent(PAGE)}`);
    expect(await named("Forged")).toEqual([]);
  });

  test("who no longer owns each live Organization makes none, and gets none", async () => {
    const { organization } = await found("Of two", "live");
    const first = (await findUserByEmail(app.ctx.db.read, OWNER.email))!;
    await app.ctx.db.tx(async (tx) => {
      const partner = await draftUser({ email: "partner@example.com", name: "Partner", password: OWNER.password });
      users.insert(tx, partner);
      insertMembership(tx, organization.id, partner.id, "owner");
      changeRole(tx, organization.id, first.id, "finance");
    });
    expect((await owner.get(PAGE)).status).toBe(403);
    expect(await membersOf((await found("Of no one", "live")).organization.id)).toEqual([]);
    await app.ctx.db.tx(async (tx) => changeRole(tx, organization.id, first.id, "owner"));
    expect((await owner.get(PAGE)).status).toBe(200);
    await app.ctx.db.tx(async (tx) => deleteMembership(tx, organization.id, first.id));
    expect((await owner.get(PAGE)).status).toBe(403);
    await app.ctx.db.tx(async (tx) => insertMembership(tx, organization.id, first.id, "owner"));
  });
});

test.each(ROLES.filter((role) => role !== "owner"))(
  "a person with the role %s has no button and gets 403",
  async (role) => {
    const [live] = await named("Kestrel");
    const desk = await userWith(`only-${role}`, { [live!.id]: role, [app.organization.id]: role });
    expect((await desk.get(PAGE)).status).toBe(403);
    expect((await create(desk, { name: "Sneaked", mode: "sandbox" })).status).toBe(403);
    for (const path of ["/dashboard", `/dashboard/${live!.id}`])
      expect((await desk.get(path)).text).not.toContain(PAGE);
    expect(await named("Sneaked")).toEqual([]);
    expect(await membersOf((await found(`Beside ${role}`, "sandbox")).organization.id)).toEqual([
      `${OWNER.email}: owner`,
    ]);
  },
);
