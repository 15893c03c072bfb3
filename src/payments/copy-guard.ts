import type { ProviderRefusal } from "../domain/model/payment-outcome.ts";
import type { PaymentProvider } from "./provider.ts";

const REFUSED: ProviderRefusal = { status: "refused", scope: "account", reason: "copy" };
const refuse = async () => REFUSED;

/**
 * The provider as a copy of the installation sees it (rule D1c): no call of a copy changes a state at the provider. A
 * read is refused as well, because an adapter may cancel a charge while it reads. The history stays readable. The
 * notices wait for an adoption at their cursor. `forget` fails, so its caller repeats the call later.
 */
export function heldBack(provider: PaymentProvider): PaymentProvider {
  return {
    ...provider,
    saveCard: refuse,
    charge: refuse,
    read: refuse,
    cancel: refuse,
    refund: refuse,
    forget: () => Promise.reject(new Error("this database is a copy, so its providers are held")),
    notices: null,
  };
}
