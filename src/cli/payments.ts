import { connectAccount, type Connection, type ConnectionFault, type GivenKey } from "../actions/payment/connect.ts";
import { disconnectAccount, type Disconnection } from "../actions/payment/disconnect.ts";
import type { UnchargeablePrice } from "../actions/payment/unchargeable-prices.ts";
import type { Context } from "../context.ts";
import { formatMoney } from "../domain/currency.ts";
import type { Organization } from "../domain/model/organization.ts";
import type { AccountRefusal } from "../domain/model/payment-outcome.ts";
import { presentPaymentAccount, type PaymentAccountResource } from "../resources/payment-account.ts";
import type { Connectable } from "../payments/connectable-provider.ts";
import { allConnectionsOf, connectionsOf } from "../store/provider-connections.ts";
import {
  CommandError,
  optional,
  ORGANIZATION,
  UsageError,
  type Command,
  type Output,
  type Values,
  type Wiring,
} from "./command.ts";
import { findOrganization, withDatabase } from "./database.ts";
import { noteCommand } from "./command-audit.ts";
import { table } from "./table.ts";

const VARIABLE = /^BILLOW_PAYMENTS_[A-Z0-9_]+$/;

/** @throws UsageError */
function connectableOf({ payments }: Context, name: string): Connectable {
  const found = payments.connectables.get(name);
  if (found) return found;
  const names = [...payments.connectables.keys()].join(", ");
  throw new UsageError(`There is no provider ${JSON.stringify(name)}. There are: ${names}.`);
}

const PROMPT = "Paste the key of the provider, then press Enter and Ctrl-D.";

/**
 * A key is never an argument, because other users of the machine can see the arguments of a process.
 * @throws UsageError, CommandError
 */
async function readKey(ctx: Context, values: Values, readInput: Wiring["readInput"]): Promise<GivenKey> {
  const variable = optional(values, "variable");
  if (variable === undefined) return { key: (await readInput(PROMPT)).trim(), variable: null };
  if (!VARIABLE.test(variable))
    throw new UsageError("--variable must be the name of a variable that begins with BILLOW_PAYMENTS_.");
  const key = ctx.config.paymentKeys.get(variable);
  if (key === undefined) throw new CommandError(`${variable} is not set. Set this variable for every Billow process.`);
  return { key, variable };
}

const LIMITS: Record<UnchargeablePrice["reason"], string> = {
  currency: "the provider does not take this currency",
  too_small: "below the least amount of the provider",
  too_large: "above the largest amount of the provider",
  step: "finer than the amounts of the provider",
};
const REFUSALS: Record<AccountRefusal, string> = {
  key_invalid: "the key is not valid, or was revoked",
  permission_missing: "the key lacks permissions",
  account_restricted: "the account is restricted",
  disconnected: "the account is not connected",
  copy: "this installation is a copy",
};
/** The most prices that an error names. */
const MOST_NAMED = 10;

function explainPrices(prices: readonly UnchargeablePrice[]): string {
  const named = prices
    .slice(0, MOST_NAMED)
    .map(({ name, currency, amount, reason }) => `${name} ${formatMoney(amount, currency)} (${LIMITS[reason]})`);
  const more = prices.length > MOST_NAMED ? [`${prices.length - MOST_NAMED} more`] : [];
  return `The provider can't charge these prices. Change or archive the Products: ${[...named, ...more].join("; ")}.`;
}

function explain(found: ConnectionFault, { mode }: Organization, { key, variable }: GivenKey): string {
  switch (found.fault) {
    case "no_key":
      if (key === "")
        return "There was no key on stdin. Add < key.txt to the command, or name the variable of a key by --variable.";
      return (
        `The text ${variable === null ? "on stdin" : `in ${variable}`} is no key of the provider. ` +
        `A key for a ${mode} Organization begins with ${found.beginning}.`
      );
    case "mode":
      return mode === "live"
        ? "This is a test key, and a live Organization takes only live keys."
        : "This is a live key, and a sandbox takes only test keys.";
    case "key_refused":
      return `The provider refuses the key: ${REFUSALS[found.reason]}. Check the key in the provider's dashboard.`;
    case "unreachable":
      return `The provider can't be reached: ${found.reason.replace(/\.$/, "")}. No change was made.`;
    case "permissions":
      return `The key lacks permissions: ${found.missing.join("; ")}. Add them in the provider's dashboard.`;
    case "prices":
      return explainPrices(found.prices);
  }
}

const NOTICES: Record<Connection["notices"], string> = {
  sent: "The provider sends its notices to this server.",
  private: "PUBLIC_ORIGIN is not https, so the provider is polled every five minutes.",
  failed: "The provider did not register the address for notices, so the provider is polled every five minutes.",
};

const UNABLE = {
  true: [],
  false: ["The provider does not let the account charge yet. Finish its set-up there."],
  null: ["Warning: the key may not read its account, so Billow can't see whether the account may charge."],
} as const;

const unableToForget = (missing: readonly string[]): string[] =>
  missing.length === 0
    ? []
    : [
        `Warning: the key lacks permissions that the deletion of a Customer needs: ${missing.join("; ")}. ` +
          "Without them the Customer or the cards stay at the provider.",
      ];

function presentConnection({ connection, account, notices }: Connection): Output {
  const shown = presentPaymentAccount(connection);
  const owner = account.name === null ? shown.account : `${shown.account} (${account.name})`;
  const lines = [
    `${shown.provider} ${owner} takes new payments, in ${shown.mode} mode.`,
    NOTICES[notices],
    ...UNABLE[String(account.canCharge) as keyof typeof UNABLE],
    ...unableToForget(account.missingToForget),
  ];
  const { canCharge, missingToForget } = account;
  return { text: lines.join("\n"), json: { ...shown, canCharge, missingToForget } };
}

export const paymentsConnect: Command = {
  usage: "payments connect PROVIDER [--variable BILLOW_PAYMENTS_NAME] [--organization ID|NAME]",
  summary: "connects an account at a payment provider; reads its key from stdin or from a variable",
  group: "Payments",
  options: {
    variable: {
      type: "string",
      value: "BILLOW_PAYMENTS_NAME",
      says: "the variable of the server that holds the key (default: the key is read from stdin and stored encrypted)",
    },
    ...ORGANIZATION,
  },
  example: "payments connect stripe --organization Acme < key.txt",
  words: 1,
  async run(wiring, values, [name]) {
    await withDatabase(wiring, async (ctx) => {
      const connectable = connectableOf(ctx, name!);
      const organization = await findOrganization(ctx, values);
      const given = await readKey(ctx, values, wiring.readInput);
      const result = await connectAccount(ctx, connectable, organization, given);
      if ("fault" in result) throw new CommandError(explain(result, organization, given));
      await noteCommand(ctx, organization.id, "connectPayments");
      wiring.print(presentConnection(result));
    });
  },
};

const HEADINGS = ["PROVIDER", "ACCOUNT", "MODE", "NOTICES", "KEY", "STATE"];

type ListedAccount = PaymentAccountResource & { takesNewPayments: boolean };

function rowOf(listed: ListedAccount): string[] {
  const { provider, account, mode, notices, keyVariable, disconnectedAt, takesNewPayments } = listed;
  if (disconnectedAt !== null) return [provider, account, mode, "", "", "disconnected"];
  const state = takesNewPayments ? "takes new payments" : "for earlier payments";
  return [provider, account, mode, notices, keyVariable ?? "encrypted", state];
}

const WITHOUT_ACCOUNT: Record<Organization["mode"], string> = {
  sandbox: "The built-in provider takes new payments, with test cards.",
  live: "This Organization takes no payments: no account is connected for new payments.",
};

export const paymentsStatus: Command = {
  usage: "payments status [--organization ID|NAME]",
  summary: "lists the accounts of an Organization at payment providers; doctor asks the providers",
  group: "Payments",
  options: ORGANIZATION,
  example: "payments status --organization Acme",
  async run(wiring, values) {
    await withDatabase(wiring, async (ctx) => {
      const organization = await findOrganization(ctx, values);
      const data = (await allConnectionsOf(ctx.db.read, organization.id)).map((connection) => {
        const { provider, providerAccount } = connection;
        const takesNewPayments = provider === organization.provider && providerAccount === organization.providerAccount;
        return { ...presentPaymentAccount(connection), takesNewPayments };
      });
      const rows = data.length === 0 ? [] : [table(HEADINGS, data.map(rowOf), "")];
      const lines = organization.provider === null ? [...rows, WITHOUT_ACCOUNT[organization.mode]] : rows;
      wiring.print({ text: lines.join("\n"), json: { data } });
    });
  },
};

/**
 * The account that is meant: the named one, the one that takes new payments, or the only one.
 * @throws CommandError, UsageError
 */
async function accountToEnd(ctx: Context, organization: Organization, provider: string, values: Values) {
  const connected = (await connectionsOf(ctx.db.read, organization.id, provider)).map((each) => each.providerAccount);
  const current = organization.provider === provider ? organization.providerAccount : null;
  const account = optional(values, "account") ?? current ?? (connected.length === 1 ? connected[0] : undefined);
  if (account !== undefined && connected.includes(account)) return account;
  if (account === undefined && connected.length > 1)
    throw new UsageError(`--account is missing. These accounts are connected: ${connected.join(", ")}.`);
  throw new CommandError("No such account is connected. node bin/billow.mjs payments status lists the accounts.");
}

function presentDisconnection({ connection, noticesLeft }: Disconnection): Output {
  const shown = presentPaymentAccount(connection);
  const lines = [
    `${shown.provider} ${shown.account} is disconnected.`,
    "Billow charges none of its cards and refunds none of its payments.",
    ...(noticesLeft ? ["The provider still sends notices. Delete the address of this server in its dashboard."] : []),
  ];
  return { text: lines.join("\n"), json: { ...shown, noticesLeft } };
}

export const paymentsDisconnect: Command = {
  usage: "payments disconnect PROVIDER [--account ID] [--organization ID|NAME]",
  summary: "deletes the key of an account, by default of the account that takes new payments",
  group: "Payments",
  options: {
    account: {
      type: "string",
      value: "ID",
      says: "the account at the provider (default: the one that takes new payments)",
    },
    ...ORGANIZATION,
  },
  example: "payments disconnect stripe --organization Acme",
  words: 1,
  async run(wiring, values, [provider]) {
    await withDatabase(wiring, async (ctx) => {
      connectableOf(ctx, provider!);
      const organization = await findOrganization(ctx, values);
      const providerAccount = await accountToEnd(ctx, organization, provider!, values);
      const key = { organizationId: organization.id, provider: provider!, providerAccount };
      const ended = await disconnectAccount(ctx, key);
      if (!ended) throw new CommandError("Another process has disconnected this account.");
      await noteCommand(ctx, organization.id, "disconnectPayments");
      wiring.print(presentDisconnection(ended));
    });
  },
};
