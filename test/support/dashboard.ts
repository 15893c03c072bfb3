import { expect } from "vitest";
import { setUp } from "../../src/actions/team/set-up.ts";
import { newOnce } from "../../src/web/dashboard/form-action.ts";
import { sql, type Database } from "../../src/store/driver/db.ts";
import type { TestApp } from "./app.ts";
import { startWebClient, type WebClient } from "./portal.ts";

export const OWNER = { name: "Olga Owner", email: "olga@example.com", password: "correct horse battery" };

/** The token of the forms on a page. */
export function tokenOf(text: string): string {
  const [, token] = /name="token" value="([\w-]+)"/.exec(text) ?? [];
  expect(token, "a page with a form").toBeTruthy();
  return token!;
}

type Send = (path: string, fields?: Record<string, string>) => ReturnType<WebClient["post"]>;

/** A browser at the dashboard. `send` sends a form with the token of the session. `sendOnce` adds a new key. */
export type Desk = WebClient & { send: Send; sendOnce: Send };

/** Signs in with e-mail and password. */
export async function signInAt(url: string, { email, password }: { email: string; password: string }): Promise<Desk> {
  const client = startWebClient(url);
  const answer = await client.post("/dashboard/sign-in", { email, password });
  expect(answer.status).toBe(303);
  let token: string | null = null;
  const send: Send = async (path, fields = {}) => {
    token ??= tokenOf((await client.get("/dashboard/confirm")).text);
    return client.post(path, { token, ...fields });
  };
  const sendOnce: Send = (path, fields) => send(path, { once: newOnce(), ...fields });
  return Object.assign(client, { send, sendOnce });
}

/** Makes the first user, an owner of every Organization, and signs in. */
export async function openDashboard({ ctx, url }: TestApp): Promise<Desk> {
  expect(await setUp(ctx, OWNER)).not.toBeNull();
  return signInAt(url, OWNER);
}

const ageSessionsStatement = sql(
  "test.user_sessions_age",
  `UPDATE user_sessions SET confirmed_at = confirmed_at - $1::interval, expires_at = expires_at - $1::interval`,
);

/** Makes every session older by this much real time. */
export async function ageSessions(db: Database, by: string): Promise<void> {
  await db.tx((tx) => tx.query(ageSessionsStatement, [by]));
}
