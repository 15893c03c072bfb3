import { expect } from "vitest";
import {
  createOrganizationWithKeys,
  type OrganizationWithKeys,
} from "../../src/actions/organization/create-organization.ts";
import type { Config } from "../../src/config.ts";
import type { Context } from "../../src/context.ts";
import { parseInstant } from "../../src/domain/calendar.ts";
import type { Organization } from "../../src/domain/model/organization.ts";
import { runOnce } from "../../src/worker/worker.ts";
import { auditAll } from "./audit.ts";
import { checkConformance } from "./conformance.ts";
import { borrow, giveBack, install, type Installation } from "./installation.ts";
import { withBankOf } from "./provider.ts";

/** Untyped JSON of the server, because tests assert on it. */
export type Json = ReturnType<typeof JSON.parse>;
export type TestAnswer = { status: number; headers: Headers; body: Json };
/** `path` follows the surface's base path. An object is sent as JSON, a string as it is. */
export type TestCall = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<TestAnswer>;
/** `clock`: an RFC 3339 instant at which the Organization's time stands still; without it, real time. */
export type TestOrganizationOptions = { clock?: string; timeZone?: string; mode?: Organization["mode"] };

export type TestApp = OrganizationWithKeys & {
  ctx: Context;
  /** The origin, without a slash at the end. */
  url: string;
  api: TestCall;
  manage: TestCall;
  /** The calls of a sold program, without a key. */
  licenses: TestCall;
  /** Does all due work. */
  runDue(): Promise<void>;
  otherOrganization(options?: TestOrganizationOptions): Promise<OrganizationWithKeys>;
  /** Closes everything. @throws if the books of any Organization disagree. */
  close(): Promise<void>;
};

function createTestOrganization(ctx: Context, options: TestOrganizationOptions): Promise<OrganizationWithKeys> {
  const { clock, timeZone, mode = "sandbox" } = options;
  const at = clock === undefined ? null : parseInstant(clock);
  if (clock !== undefined && at === null) throw new RangeError(`${clock} is not an instant`);
  const wanted = { name: "Test", mode, ...(timeZone !== undefined && { timeZone }), ...(at !== null && { clock: at }) };
  return ctx.db.tx((tx) => createOrganizationWithKeys(tx, wanted));
}

/**
 * Calls one surface with a key, or without one (null). Every answer is checked against the surface's OpenAPI
 * document.
 */
export function caller(base: string, key: string | null): TestCall {
  return async (method, path, body, headers = {}) => {
    const text = body === undefined ? null : typeof body === "string" ? body : JSON.stringify(body);
    const own = {
      ...(key !== null && { Authorization: `Bearer ${key}` }),
      ...(text !== null && { "Content-Type": "application/json" }),
    };
    const request: RequestInit = { method, body: text, redirect: "manual", headers: { ...own, ...headers } };
    const response = await fetch(base + path, request);
    const answer = await response.text();
    const json = /^application\/(problem\+)?json/.test(response.headers.get("Content-Type") ?? "");
    const found = {
      status: response.status,
      headers: response.headers,
      body: json && answer !== "" ? JSON.parse(answer) : answer,
    };
    if (/\/(public\/v2|manage\/v1|licenses\/v1)$/.test(base)) await checkConformance(base, method, path, found);
    return found;
  };
}

/** Advances a sandbox's clock until it has arrived. A long advance takes several requests. */
export async function advanceSandbox(manage: TestCall, wanted: { to: string } | { by: string }): Promise<TestAnswer> {
  const advance = (target: object) => manage("POST", "/sandbox/clock/advance", target);
  let answer = await advance(wanted);
  while (answer.status === 202) answer = await advance({ to: answer.body.target });
  return answer;
}

/** `leave` gives the installation back or closes it. */
async function appOn(
  { ctx, url }: Installation,
  options: TestOrganizationOptions,
  leave: () => Promise<void>,
): Promise<TestApp> {
  const own = await createTestOrganization(ctx, options);
  return {
    ...own,
    ctx,
    url,
    api: caller(`${url}/public/v2`, own.keys.public),
    manage: withBankOf(ctx, own.organization.id, caller(`${url}/manage/v1`, own.keys.manage)),
    licenses: caller(`${url}/licenses/v1`, null),
    runDue: async () => void (await runOnce(ctx)),
    otherOrganization: (others = {}) => createTestOrganization(ctx, others),
    async close() {
      const disagreements = await auditAll(ctx.db).catch((error: unknown) => [String(error)]);
      await leave();
      expect(disagreements).toEqual([]);
    },
  };
}

/**
 * A real server with one sandbox Organization. This test alone uses the server and the database until its end. A later
 * test may use both again.
 */
export async function startTestApp(
  overrides: Partial<Config> = {},
  options: TestOrganizationOptions = {},
): Promise<TestApp> {
  const installation = await borrow(overrides);
  return appOn(installation, options, () => giveBack(overrides, installation));
}

/**
 * Like `startTestApp`, but the server stops at the end of the test. For tests that end a server or change the settings
 * of a connection.
 */
export async function startOwnTestApp(
  overrides: Partial<Config> = {},
  options: TestOrganizationOptions = {},
): Promise<TestApp> {
  const installation = await install(overrides);
  return appOn(installation, options, installation.close);
}
