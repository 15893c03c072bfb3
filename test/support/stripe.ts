import { expect } from "vitest";
import { rowOfInstallation } from "../../src/actions/installation-row.ts";
import { connectAccount } from "../../src/actions/payment/connect.ts";
import type { Connectable } from "../../src/payments/connectable-provider.ts";
import { createStripeConnectable } from "../../src/payments/stripe/connection.ts";
import { sql } from "../../src/store/driver/db.ts";
import { startStripe, type StripeServer } from "../payments/stripe/server.ts";
import type { TestApp } from "./app.ts";
import { createWorkspace, type Begun, type Finished } from "./command-line.ts";
import { useConnectables } from "./toy-bank.ts";

/**
 * A poll leaves the present second to the next poll, and reads the last minute again. So each poll finds all events.
 */
const BEHIND = 30_000;

/** A local Stripe server with a clock that is half a minute behind `now`, which is in milliseconds. */
export const startStripeBehind = (now: () => number = Date.now): Promise<StripeServer> =>
  startStripe({ now: () => now() - BEHIND });

/** The server of a test reaches this local server in place of Stripe, and forgets what it has read of the accounts. */
export function reachStripe(
  { ctx }: Pick<TestApp, "ctx">,
  { url: baseUrl }: StripeServer,
  warn: (message: string) => void = () => undefined,
): Connectable {
  const { db } = ctx;
  const installation = async () => (await rowOfInstallation(db)).installation.id;
  const connectable = createStripeConnectable({ db, installation, warn, baseUrl });
  useConnectables(ctx, connectable);
  return connectable;
}

/** The sandbox takes its new payments at the local Stripe server, as after `billow payments connect stripe`. */
export async function connectStripe(
  app: TestApp,
  stripe: StripeServer,
  warn?: (message: string) => void,
): Promise<void> {
  const given = { key: stripe.key, variable: null };
  const connected = await connectAccount(app.ctx, reachStripe(app, stripe, warn), app.organization, given);
  expect(connected).not.toHaveProperty("fault");
}

const pollStatement = sql("test.poll_stripe", "UPDATE provider_connections SET poll_at = statement_timestamp()");

/** Five minutes pass: Billow reads the list of Stripe's events, and does all other due work. */
export async function pollStripe({ ctx, runDue }: TestApp): Promise<void> {
  await ctx.db.tx((tx) => tx.query(pollStatement, []));
  await runDue();
}

/** A file of this folder, with the variables that it reads. */
export type Imported = { file: string; variables: Record<string, string> };

const importing = (file: string) => `--import=${new URL(file, import.meta.url).href}`;

/** The command line of the installation of a test. */
export type StripeCommands = {
  /**
   * Runs `billow` in a process of its own, which reaches the local server in place of Stripe. `into`: the file that
   * takes stdout. `imported`: a file of this folder that the process loads first, such as `doomed-commit.ts`.
   */
  billow(args: string[], input?: string, into?: string, imported?: Imported): Promise<Finished>;
  /** As `billow`, and returns at once. */
  begin(args: string[], input?: string): Begun;
  clear(): Promise<void>;
};

export async function openStripeCommands({ ctx }: TestApp, stripe: StripeServer): Promise<StripeCommands> {
  const workspace = await createWorkspace();
  const environment = {
    DATABASE_URL: ctx.config.databaseUrl!,
    BILLOW_SECRET: ctx.config.secret!,
    PUBLIC_ORIGIN: ctx.config.publicOrigin,
    NODE_OPTIONS: importing("stripe-origin.ts"),
    TEST_STRIPE_URL: stripe.url,
  };
  return {
    billow(args, input, into, imported) {
      const more = imported && {
        ...imported.variables,
        NODE_OPTIONS: `${environment.NODE_OPTIONS} ${importing(imported.file)}`,
      };
      return workspace.begin(args, { ...environment, ...more }, input, into).finished;
    },
    begin: (args, input) => workspace.begin(args, environment, input),
    clear: workspace.clear,
  };
}
