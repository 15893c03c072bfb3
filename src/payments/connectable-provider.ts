import type { AccountRefusal } from "../domain/model/payment-outcome.ts";
import type { Amount } from "../domain/money.ts";
import type { AccountReader } from "./account-reader.ts";
import type { AccountWriter } from "./account-writer.ts";
import type { Queryable, Tx } from "../store/driver/db.ts";
import type { Payer, PaymentProvider } from "./provider.ts";

/** Live money, or the provider's test mode. */
export type KeyMode = "live" | "test";

/**
 * The account behind a key. `name`: the seller's name there. `canCharge` false: the provider lets the account charge
 * nothing yet, or not any more; null: the key may not tell. `missing`: the permissions that the key lacks, in the
 * provider's words. `missingToForget`: the same for permissions that only the deletion of Customers needs.
 */
export type ProbedAccount = {
  account: string;
  name: string | null;
  mode: KeyMode;
  canCharge: boolean | null;
  missing: readonly string[];
  missingToForget: readonly string[];
};

/**
 * `refused`: the provider does not accept the key. `missing`: the key may not even read its account. `unreachable`: the
 * provider gave no answer.
 */
export type Probed =
  | ProbedAccount
  | { refused: AccountRefusal }
  | { account: null; missing: readonly string[] }
  | { unreachable: string };

export type KeyOfAccount = { account: string; key: string };
/** `webhookSecrets`: the secrets that verify notices, the newest first; none without inbound notices. */
export type ConnectionSettings = KeyOfAccount & { webhookSecrets: readonly string[] };

/** Amounts in ISO 4217 minor units. A charge is a multiple of `step`, at least `least` and at most `most`. */
export type AmountLimits = { least: Amount; most: Amount; step: Amount };

/** The provider's own id of an object. `id`: the id of a Customer of ours, or the key of a charge. */
export type ProviderRef = { id: string; account: string; ref: string };

/** A payment provider that an operator connects by a key. Each text of an answer or an error is free of the key. */
export type Connectable = {
  /** Stands in the rows of connections, cards and payments, and in the address of notices. */
  readonly name: string;
  /**
   * The amounts of a currency that every account can charge; null: the provider does not take this currency. Needs no
   * key, so an amount due is the same while no key can be read.
   */
  amounts(currency: string): AmountLimits | null;
  /** The beginning of the keys of a mode, for the advice about a text that is no key: `rk_live_`. */
  readonly keyBeginnings: Readonly<Record<KeyMode, string>>;
  /** The mode of a key by its form; null: the text is no key of this provider. */
  modeOf(key: string): KeyMode | null;
  /** Asks the provider about a key, and tries each permission. Makes no change there, and moves no money. */
  probe(key: string): Promise<Probed>;
  /** Reads the Customers and subscriptions of the provider's own billing. Absent: the provider has no billing. */
  reader?(key: string): AccountReader;
  /** The id of our Customer with this id at the provider; null: there is none. */
  customerOfRef?(db: Queryable, of: { organizationId: string; account: string }, ref: string): Promise<string | null>;
  /**
   * Makes a Customer at the provider, whom other software has made there, the one of our Customer. Our Customer keeps
   * the one that it has already.
   */
  adoptCustomer?(tx: Tx, of: { organizationId: string; account: string }, payer: Payer, ref: string): Promise<void>;
  /** Stops subscriptions of the provider's own billing. Absent: the provider has no billing. */
  writer?(key: string): AccountWriter;
  /** Opens the adapter for an account. Does not ask the provider. */
  open(settings: ConnectionSettings): Promise<PaymentProvider>;
  /**
   * Makes the provider send its notices to `url`, in place of an earlier registration of the same address. Returns the
   * secret that verifies them. @throws Error if the provider refuses or gives no answer
   */
  sendNotices(of: KeyOfAccount, url: string): Promise<{ secret: string }>;
  /**
   * Ends the sending to `url`. A repetition has no effect. @throws Error if the provider refuses or gives no answer
   */
  endNotices(of: KeyOfAccount, url: string): Promise<void>;
  /**
   * The provider's own ids of these Customers, and of the charges with these keys, for an export. With them, another
   * program can charge the cards. Read from the adapter's own book, without the provider. Left out: the provider's ids
   * stand in our rows, or there are none.
   */
  customerRefs?(db: Queryable, organizationId: string, customerIds: readonly string[]): Promise<ProviderRef[]>;
  chargeRefs?(db: Queryable, organizationId: string, keys: readonly string[]): Promise<ProviderRef[]>;
};
