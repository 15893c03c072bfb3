import { inject } from "vitest";
import { createSandboxProvider, type SandboxProvider } from "../../src/payments/sandbox.ts";
import type { Context } from "../../src/context.ts";
import type { Database } from "../../src/store/driver/db.ts";
import { withBank, type Call } from "./over-stripe/disputes.ts";
import { createOverStripe } from "./over-stripe/provider.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The provider of sandboxes: Billow's own, or Stripe's adapter over the local Stripe server. */
    provider: "sandbox" | "stripe";
  }
}

/**
 * True if the sandboxes of this project have Stripe's adapter over the local Stripe server. The command of the
 * simulation runs outside of Vitest, and has a choice of its own.
 */
export const isOverStripe = (): boolean => process.env["VITEST"] !== undefined && inject("provider") === "stripe";

/** A provider of the sandboxes in a database, which finds the book of earlier payments. */
export const sandboxOver = (db: Database): SandboxProvider =>
  isOverStripe() ? createOverStripe(db) : createSandboxProvider({ db, publicOrigin: "" });

/** Gives a Context the provider of this project. Answers the end of that provider, for the time after the test. */
export function takeProvider({ db, payments }: Pick<Context, "db" | "payments">): () => Promise<void> {
  if (!isOverStripe()) return async () => undefined;
  const provider = createOverStripe(db);
  payments.sandbox = provider;
  return provider.close;
}

/** The management API of a sandbox, with the bank of this project's provider. */
export const withBankOf = (ctx: Context, organizationId: string, manage: Call): Call =>
  isOverStripe() ? withBank(ctx, organizationId, manage) : manage;
