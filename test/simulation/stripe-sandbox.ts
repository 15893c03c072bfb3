import { connectAccount } from "../../src/actions/payment/connect.ts";
import { openConnected } from "../../src/actions/payment/connected-provider.ts";
import { rowOfInstallation } from "../../src/actions/installation-row.ts";
import type { Context } from "../../src/context.ts";
import type { Connectable } from "../../src/payments/connectable-provider.ts";
import { openLimiters } from "../../src/payments/limiter.ts";
import type { PaymentProvider } from "../../src/payments/provider.ts";
import { createStripeConnectable } from "../../src/payments/stripe/connection.ts";
import { createStripeProvider } from "../../src/payments/stripe/stripe.ts";
import type { Database } from "../../src/store/driver/db.ts";
import { organizations } from "../../src/store/organizations.ts";
import { startStripe, type StripeServer } from "../payments/stripe/server.ts";
import { Draw } from "./draw.ts";

/** Only an installation with https is sent notices. No request goes to this address. */
const ORIGIN = "https://billow.example";
/** The local server takes calls as fast as they come. */
const LIMITS = { inFlight: 20, perSecond: Infinity };
/** Stripe's clock begins so long before real time, so that the whole history is old enough for the nightly import. */
const HEAD_START = 45 * 60_000;

/** An Organization that is connected to an account of a local Stripe server of its own. */
export type StripeSandbox = {
  ctx: Context;
  organizationId: string;
  stripe: StripeServer;
  /** The address of notices. */
  inbound: string;
  draw: Draw;
  /** The adapter over a database, in a new process. */
  provider(db: Database): PaymentProvider;
  /** Stripe's clock goes on. */
  pass(milliseconds: number): void;
  /** True while a buyer's answer at the bank is on its way. Such answers are heard in the order of the attempts. */
  unheard: boolean;
};

async function connect(ctx: Context, organizationId: string, connectable: Connectable, key: string): Promise<void> {
  const organization = (await organizations.find(ctx.db.read, organizationId))!;
  const connected = await connectAccount(ctx, connectable, organization, { key, variable: null });
  if ("fault" in connected || connected.notices !== "sent")
    throw new Error(`Stripe is not connected: ${JSON.stringify(connected)}`);
}

/** Starts a local Stripe server and connects the Organization, as an operator would. */
export async function openStripeSandbox(outer: Context, organizationId: string, seed: number): Promise<StripeSandbox> {
  let clock = Date.now() - HEAD_START;
  const now = () => clock;
  const stripe = await startStripe({ now });
  const draw = new Draw(seed ^ 0x5712_19e5);
  // Stripe does not say whether the end of a page stops an authentication, or leaves it for Billow to cancel.
  stripe.operations.onExpiry(draw.pick(["cancels", "leaves"] as const));
  const { id: installation } = (await rowOfInstallation(outer.db)).installation;
  const config = { ...outer.config, publicOrigin: ORIGIN };
  const { url: baseUrl, key, accountId: account } = stripe;
  const warn = () => undefined;
  const secrets = () => [...stripe.book.endpointSecrets.values()];
  const provider = (db: Database): PaymentProvider => ({
    ...createStripeProvider({ db, account, key, webhookSecrets: secrets(), installation, baseUrl, now, warn }),
    limits: LIMITS,
  });
  const connectable: Connectable = {
    ...createStripeConnectable({ db: outer.db, installation: async () => installation, warn, baseUrl }),
    open: async () => provider(outer.db),
  };
  const connectables = new Map([[connectable.name, connectable]]);
  const limiterOf = openLimiters();
  const connected = openConnected({ db: outer.db, keyring: outer.keyring, config, connectables, limiterOf });
  const ctx: Context = { ...outer, config, payments: { ...outer.payments, connected, connectables } };
  await connect(ctx, organizationId, connectable, key);
  return {
    ctx,
    organizationId,
    stripe,
    inbound: [...stripe.book.endpoints.values()][0]!.url,
    draw,
    provider,
    pass(milliseconds) {
      clock += milliseconds;
    },
    unheard: false,
  };
}
