import { expect } from "vitest";
import { draftUser } from "../../src/actions/team/set-up.ts";
import type { Role } from "../../src/domain/team/role.ts";
import { insertMembership } from "../../src/store/memberships.ts";
import { users } from "../../src/store/users.ts";
import type { TestApp } from "./app.ts";
import { OWNER, signInAt, type Desk } from "./dashboard.ts";
import type { Page } from "./pages.ts";

/** The address of the person who joined with this role. */
export const emailOf = (role: Role, organizationId: string): string =>
  `${role}-${organizationId.slice(-6).toLowerCase()}@example.com`;

/** A signed-in person with this role in the Organization. */
export async function joinAs(app: TestApp, role: Role, organizationId = app.organization.id): Promise<Desk> {
  const email = emailOf(role, organizationId);
  const user = await draftUser({ email, name: role, password: OWNER.password });
  await app.ctx.db.tx(async (tx) => {
    users.insert(tx, user);
    insertMembership(tx, organizationId, user.id, role);
  });
  return signInAt(app.url, { email, password: OWNER.password });
}

const plain = (text: string) => text.replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&amp;", "&");

/** The hidden fields of the form that does the action of a page; null: the page has no such form. */
export function actionFieldsOf(text: string): Record<string, string> | null {
  const [, form] = /<form method="post" class="confirm"[^>]*>(.*?)<\/form>/s.exec(text) ?? [];
  if (form === undefined) return null;
  const hidden = [...form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)];
  const names = hidden.map(([, name]) => name!);
  // The server reads the first field of a name, so a second one would be lost.
  expect(names.filter((name, n) => names.indexOf(name) !== n)).toEqual([]);
  return Object.fromEntries(hidden.map(([, name, value]) => [name!, plain(value!)]));
}

/**
 * Opens the page of an action. With `preview=yes` in its query, the values of the query are typed into the form, and
 * the button "Preview" is clicked: an address alone brings no values.
 */
export function seen(desk: Desk, path: string): Promise<Page> {
  const [page, query] = path.split("?") as [string, string?];
  const { preview, ...typed } = Object.fromEntries(new URLSearchParams(query));
  return preview === undefined ? desk.get(path) : desk.send(page, typed);
}

/** Opens the page of an action, which must offer the action, and sends its form with further fields. */
export async function doAction(desk: Desk, path: string, fields: Record<string, string> = {}): Promise<Page> {
  const page = await seen(desk, path);
  const hidden = actionFieldsOf(page.text);
  expect(hidden, `${path}: ${page.status}`).not.toBeNull();
  return desk.post(path.split("?")[0]!, { ...hidden!, ...fields });
}
