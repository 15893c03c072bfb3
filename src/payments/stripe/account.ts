import type { ProviderRefusal } from "../../domain/model/payment-outcome.ts";
import { StripeFault, type Api } from "./client.ts";
import type { Account } from "./objects.ts";
import { isLive, type Settings } from "./settings.ts";

export const refusedAccount = (reason: Extract<ProviderRefusal, { scope: "account" }>["reason"]): ProviderRefusal => ({
  status: "refused",
  scope: "account",
  reason,
});

const KEY_CODES = new Set(["account_invalid", "api_key_expired", "livemode_mismatch", "platform_api_key_expired"]);
const ACCOUNT_CODES = new Set(["capability_not_active", "testmode_charges_only"]);

/**
 * The refusal of all that the key asks for; null: the fault lies with this one request. An object that exists in the
 * other mode alone shows a key of the wrong mode, and not that the object is gone.
 */
export function accountRefusal({ status, code, type, message }: StripeFault): ProviderRefusal | null {
  if (status === 401 || KEY_CODES.has(code ?? "")) return refusedAccount("key_invalid");
  if (type === "invalid_request_error" && /similar object exists in (live|test) mode/.test(message)) {
    return refusedAccount("key_invalid");
  }
  if (status === 403) return refusedAccount("permission_missing");
  return ACCOUNT_CODES.has(code ?? "") ? refusedAccount("account_restricted") : null;
}

/** The account that Stripe names when the key lacks a permission; null: the error is another one, or names none. */
const accountNamed = ({ status, message }: StripeFault): string | null =>
  status === 403 ? (/\bon account '(acct_\w+)'/.exec(message)?.[1] ?? null) : null;

/** The account of the key. A key without the right to read it still gets the id, by Stripe's refusal. */
export async function accountOf(api: Api): Promise<Account | Pick<Account, "id">> {
  try {
    return await api.get<Account>("/v1/account");
  } catch (error) {
    const id = error instanceof StripeFault ? accountNamed(error) : null;
    if (id === null) throw error;
    return { id };
  }
}

/**
 * Asks Stripe whether the account may charge. Restrictions have no error code of their own. A key that may not read its
 * account tells of no restriction.
 */
export async function restriction(api: Api): Promise<ProviderRefusal | null> {
  const account = await accountOf(api);
  return "charges_enabled" in account && !account.charges_enabled ? refusedAccount("account_restricted") : null;
}

/**
 * Checks once for each provider object that the key belongs to the account. A key of another account would find none of
 * the cards, and so each of the cards would count as gone.
 */
export function accountCheck({ account }: Settings) {
  let isChecked = false;
  return async (api: Api): Promise<ProviderRefusal | null> => {
    if (isChecked) return null;
    const { id } = await accountOf(api);
    if (id !== account) return refusedAccount("key_invalid");
    isChecked = true;
    return null;
  };
}

/** The permissions that the adapter needs, by the names of Stripe's dashboard, each with a harmless request. */
const PERMISSIONS: readonly [permission: string, probe: (api: Api) => Promise<unknown>][] = [
  // Writes name objects that do not exist. Stripe checks the permission before it looks for the object.
  ["PaymentIntents: write", (api) => api.post("/v1/payment_intents/pi_billow_probe/cancel", {})],
  ["SetupIntents: write", (api) => api.post("/v1/setup_intents/seti_billow_probe/cancel", {})],
  ["Checkout Sessions: write", (api) => api.post("/v1/checkout/sessions/cs_billow_probe/expire", {})],
  ["Customers: write", (api) => api.post("/v1/customers/cus_billow_probe", {})],
  ["Charges and Refunds: write", (api) => api.post("/v1/refunds/re_billow_probe", {})],
  ["Charges and Refunds: read", (api) => api.get("/v1/charges", { limit: 1 })],
  ["Disputes: read", (api) => api.get("/v1/disputes", { limit: 1 })],
  ["Events: read", (api) => api.get("/v1/events", { limit: 1 })],
  ["PaymentMethods: read", (api) => api.get("/v1/payment_methods/pm_billow_probe")],
  ["Balance transactions: read", (api) => api.get("/v1/balance_transactions", { limit: 1 })],
];
export const ACCOUNT_PERMISSION = "Account: read";
/** The permissions that only the deletion of a Customer needs. Without them the adapter charges all the same. */
const FORGETTING: typeof PERMISSIONS = [
  ["Subscriptions: read", (api) => api.get("/v1/subscriptions", { limit: 1 })],
  ["PaymentMethods: write", (api) => api.post("/v1/payment_methods/pm_billow_probe/detach", {})],
];

/**
 * The account as Stripe has it, and the permissions of the key. `account`: null if the key is not valid, or if Stripe
 * names no account; its fields are null if the key may not read it. `isOther`: the key is of another account than the
 * connected one. `permissions`: those that each key needs. `toForget`: those that the deletion of Customers needs. Both
 * are empty if the key is not valid. `says`: Stripe's own words about a missing one.
 */
export type ProbeResult = {
  isValid: boolean;
  isOther: boolean;
  livemode: boolean;
  account: {
    id: string;
    chargesEnabled: boolean | null;
    defaultCurrency: string | null;
    statementPrefix: string | null;
  } | null;
  permissions: Permission[];
  toForget: Permission[];
};
type Permission = { name: string; granted: boolean; says: string | null };

/** Stripe names the row of its dashboard. The sentence before has a part of the key. */
const wordsOf = ({ message }: StripeFault): string | null =>
  /\b(?:Enabling|Having) .*/s.exec(message)?.[0].trim() ?? null;

/** Whether the request passed the check of permissions, in spite of any other error. */
export async function tried(name: string, run: () => Promise<unknown>, refused?: (fault: StripeFault) => void) {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof StripeFault) || error.status === 401) throw error;
    if (error.status === 403) {
      refused?.(error);
      return { name, granted: false, says: wordsOf(error) };
    }
  }
  return { name, granted: true, says: null };
}

const shownOf = (account: Account | null) => ({
  chargesEnabled: account?.charges_enabled ?? null,
  defaultCurrency: account?.default_currency ?? null,
  statementPrefix: account?.settings?.card_payments?.statement_descriptor_prefix ?? null,
});

/**
 * Reads the account, and tries each permission that the adapter needs. Changes nothing at Stripe. `expected`: null if
 * no account is connected yet.
 * @throws Unanswered, ProviderBusy
 */
export async function probeAccount(api: Api, key: string, expected: string | null): Promise<ProbeResult> {
  const livemode = isLive(key);
  const permissions: Permission[] = [];
  const toForget: Permission[] = [];
  let found: Account | null = null;
  let named: string | null = null;
  const note = (fault: StripeFault) => void (named ??= accountNamed(fault));
  const read = async () => void (found = await api.get<Account>("/v1/account"));
  try {
    permissions.push(await tried(ACCOUNT_PERMISSION, read, note));
    for (const [name, probe] of PERMISSIONS) permissions.push(await tried(name, () => probe(api), note));
    for (const [name, probe] of FORGETTING) toForget.push(await tried(name, () => probe(api), note));
  } catch (error) {
    if (!(error instanceof StripeFault)) throw error;
    return { isValid: false, isOther: false, livemode, account: null, permissions: [], toForget: [] };
  }
  const account = found as Account | null;
  const id = account?.id ?? (named as string | null);
  return {
    isValid: true,
    isOther: id !== null && expected !== null && id !== expected,
    livemode,
    account: id === null ? null : { id, ...shownOf(account) },
    permissions,
    toForget,
  };
}
