import { expect } from "vitest";
import { caller, type Json, type TestCall } from "./app.ts";
import type { Started, Workspace } from "./command-line.ts";
import { ok } from "./story.ts";

/** The API keys of a sandbox. */
export type Keys = { public: string; manage: string };

/** Migrates the database of the environment, and makes a sandbox there by the command line. */
export async function foundShop(
  workspace: Workspace,
  environment: Record<string, string>,
  ...more: string[]
): Promise<Keys> {
  expect(await workspace.run(["migrate"], environment)).toMatchObject({ code: 0, stderr: "" });
  const made = ["org", "create", "--name", "Shop", "--mode", "sandbox", "--json", ...more];
  return (JSON.parse((await workspace.run(made, environment)).stdout) as Json).keys;
}

/** Both APIs of a server that was started with `--json`. */
export function callersOf({ output: { url } }: Started, keys: Keys): { api: TestCall; manage: TestCall } {
  return { api: caller(`${url}/public/v2`, keys.public), manage: caller(`${url}/manage/v1`, keys.manage) };
}

/** Creates the Product `pro` for 30.00 USD a month. */
export async function offerPro(manage: TestCall): Promise<void> {
  const prices = [{ currency: "usd", amount: 3000 }];
  await ok(manage("POST", "/products", { key: "pro", name: "Pro", interval: "month", prices }));
}
