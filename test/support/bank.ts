import type { DeclineCode, Outcome } from "../../src/domain/payment/outcome.ts";
import type { PaymentProvider } from "../../src/payments/provider.ts";
import type { TestApp } from "./app.ts";

/**
 * What becomes of a charge or refund, whatever its card says; `send` passes it on to the provider. `silent`: nobody learns of earlier
 * ones.
 */
export type Verdict = { charge(send: () => Promise<Outcome>): Promise<Outcome>; silent?: true };

export const declines = (code: DeclineCode): Verdict => ({ charge: async () => ({ status: "declined", code }) });
/** The request gets lost, and the provider knows nothing of it. */
export const loses: Verdict = { charge: async () => ({ status: "unknown" }) };
/** The charge is made, but nobody learns of it as long as this lasts. */
export const keepsSilent: Verdict = {
  silent: true,
  async charge(send) {
    await send();
    return { status: "unknown" };
  },
};

/** The provider behind the cards of a sandbox, with a mind of its own for as long as a test wants. */
export type Bank = {
  /** What becomes of charges and refunds from now on; null: as the cards have it. */
  says(verdict: Verdict | null): void;
};

export function bankOf({ ctx: { payments } }: Pick<TestApp, "ctx">): Bank {
  const { sandbox } = payments;
  let verdict: Verdict | null = null;
  const charge: PaymentProvider["charge"] = (request) => {
    const send = () => sandbox.charge(request);
    return verdict ? verdict.charge(send) : send();
  };
  const read: PaymentProvider["read"] = async (...key) => (verdict?.silent ? { status: "unknown" } : sandbox.read(...key));
  const refund: PaymentProvider["refund"] = (request) => {
    const send = () => sandbox.refund(request);
    return verdict ? verdict.charge(send) : send();
  };
  payments.sandbox = { ...sandbox, charge, refund, read };
  return { says: (said) => void (verdict = said) };
}
