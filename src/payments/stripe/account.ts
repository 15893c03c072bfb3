import type { Refusal } from "../../domain/payment/outcome.ts";
import type { Api, StripeFault } from "./client.ts";
import type { Account } from "./objects.ts";
import type { Settings } from "./settings.ts";

export const refusedAccount = (reason: Extract<Refusal, { scope: "account" }>["reason"]): Refusal => ({
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
export function accountRefusal({ status, code, type, message }: StripeFault): Refusal | null {
  if (status === 401 || KEY_CODES.has(code ?? "")) return refusedAccount("key_invalid");
  if (type === "invalid_request_error" && /similar object exists in (live|test) mode/.test(message)) {
    return refusedAccount("key_invalid");
  }
  if (status === 403) return refusedAccount("permission_missing");
  return ACCOUNT_CODES.has(code ?? "") ? refusedAccount("account_restricted") : null;
}

/** Asks Stripe whether the account may charge. Restrictions have no error code of their own. */
export async function restriction(api: Api): Promise<Refusal | null> {
  const account = await api.get<Account>("/v1/account");
  return account.charges_enabled ? null : refusedAccount("account_restricted");
}

/**
 * Checks once for each provider object that the key belongs to the account. A key of another account would find none of
 * the cards, and so each of the cards would count as gone.
 */
export function accountCheck({ account }: Settings) {
  let isChecked = false;
  return async (api: Api): Promise<Refusal | null> => {
    if (isChecked) return null;
    const { id } = await api.get<Account>("/v1/account");
    if (id !== account) return refusedAccount("key_invalid");
    isChecked = true;
    return null;
  };
}
