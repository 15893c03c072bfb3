import { randomBytes } from "node:crypto";
import type { Context } from "../../src/context.ts";
import type { Outcome } from "../../src/domain/model/payment-outcome.ts";
import type { AmountLimits, Connectable, ConnectionSettings, Probed } from "../../src/payments/connectable-provider.ts";
import { openConnected } from "../../src/actions/payment/connected-provider.ts";
import { openLimiters } from "../../src/payments/limiter.ts";
import type { Charge, PaymentProvider, Refund, SaveCard } from "../../src/payments/provider.ts";

/** An account at the toy bank, with its book. `keys`: the keys that the bank accepts. */
export type ToyAccount = {
  id: string;
  mode: "live" | "test";
  keys: Set<string>;
  canCharge: boolean;
  missing: string[];
  missingToForget: string[];
  /** The secret of each registered address for notices. */
  endpoints: Map<string, string>;
  charges: { key: string; amount: number; currency: string; by: string }[];
  refunds: { key: string; chargeKey: string; amount: number; by: string }[];
};

/**
 * A payment provider in memory that can be connected, named `toy`. Its keys look like `toy_test_…`. Each typed card
 * pays, and nothing is asked of the buyer. `isDown`: the bank gives no answer.
 */
export type ToyBank = {
  connectable: Connectable;
  isDown: boolean;
  /** The settings of each provider that was opened, oldest first. */
  opened: ConnectionSettings[];
  limits(currency: string): AmountLimits | null;
  /** Makes an account, and a key for it. */
  account(id: string, mode?: "live" | "test"): ToyAccount & { key: string };
};

const newKey = (mode: string) => `toy_${mode}_${randomBytes(16).toString("hex")}`;

export function createToyBank(): ToyBank {
  const accounts: ToyAccount[] = [];
  const cards = new Map<string, string>();
  const at = (key: string) => accounts.find(({ keys }) => keys.has(key)) ?? null;

  /** @throws Error as a network does, or for a key that the bank does not accept */
  function reach(key: string): ToyAccount {
    if (bank.isDown) throw new Error("connect ECONNREFUSED");
    const account = at(key);
    if (!account) throw new Error("the key is not valid");
    return account;
  }

  function provider({ account: id, key }: ConnectionSettings): PaymentProvider {
    const save = async (request: SaveCard | Charge): Promise<Outcome> => {
      const account = at(key);
      if (!account || account.id !== id) return { status: "refused", scope: "account", reason: "key_invalid" };
      if (cards.get(request.card ?? "") !== id) return { status: "declined", code: "card_gone" };
      if ("amount" in request && !account.charges.some((charge) => charge.key === request.key))
        account.charges.push({ key: request.key, amount: request.amount, currency: request.currency, by: key });
      return { status: "succeeded" };
    };
    return {
      name: "toy",
      account: id,
      limits: { inFlight: 10, perSecond: 1_000 },
      deadline: 5_000,
      entry: {
        kind: "typed",
        async accept(_, { number, expMonth, expYear }) {
          const ref = `toycard_${randomBytes(8).toString("hex")}`;
          cards.set(ref, id);
          const last4 = number.replaceAll(" ", "").slice(-4);
          return {
            card: { ref, fingerprint: `${id}_${number}`, type: "card", brand: "toy", last4, expMonth, expYear },
          };
        },
      },
      saveCard: save,
      charge: save,
      async read(_, requestKey) {
        const { charges, refunds } = reach(key);
        const isThere = [...charges, ...refunds].some((each) => each.key === requestKey);
        return isThere ? { status: "succeeded" } : { status: "absent" };
      },
      cancel: async () => ({ status: "declined", code: "canceled" }),
      async refund(request: Refund) {
        const { refunds } = reach(key);
        const { key: refundKey, chargeKey, amount } = request;
        if (!refunds.some((each) => each.key === refundKey))
          refunds.push({ key: refundKey, chargeKey, amount, by: key });
        return { status: "succeeded" };
      },
      forget: async () => undefined,
      history: async () => ({ entries: [], next: null }),
      notices: null,
    };
  }

  const bank: ToyBank = {
    isDown: false,
    opened: [],
    limits: () => ({ least: 50, most: 1_000_000, step: 1 }),
    account(id, mode = "test") {
      const key = newKey(mode);
      const known = accounts.find((each) => each.id === id);
      if (known) {
        known.keys.add(key);
        return Object.assign(known, { key });
      }
      const [endpoints, charges, refunds] = [new Map<string, string>(), [], []];
      const may = { canCharge: true, missing: [], missingToForget: [] };
      const made = { id, mode, keys: new Set([key]), ...may, endpoints, charges, refunds, key };
      accounts.push(made);
      return made;
    },
    connectable: {
      name: "toy",
      amounts: (currency) => bank.limits(currency),
      keyBeginnings: { live: "toy_live_", test: "toy_test_" },
      modeOf: (key) => (/^toy_(live|test)_\w+$/.exec(key)?.[1] as "live" | "test" | undefined) ?? null,
      async probe(key): Promise<Probed> {
        if (bank.isDown) return { unreachable: "connect ECONNREFUSED" };
        const account = at(key);
        if (!account) return { refused: "key_invalid" };
        const { id, mode, canCharge, missing, missingToForget } = account;
        return { account: id, name: `Shop ${id}`, mode, canCharge, missing, missingToForget };
      },
      async open(settings) {
        bank.opened.push(settings);
        return provider(settings);
      },
      async sendNotices({ key }, url) {
        const secret = `toysec_${randomBytes(16).toString("hex")}`;
        reach(key).endpoints.set(url, secret);
        return { secret };
      },
      endNotices: async ({ key }, url) => void reach(key).endpoints.delete(url),
    },
  };
  return bank;
}

/** Lets operators of this installation connect these providers, in place of all others. */
export function useConnectables({ payments, db, keyring, config }: Context, ...all: Connectable[]): void {
  const connectables = new Map(all.map((each) => [each.name, each]));
  Object.assign(payments, {
    connectables,
    connected: openConnected({ db, keyring, config, connectables, limiterOf: openLimiters() }),
  });
}
