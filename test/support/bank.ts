import type { DeclineCode, Outcome, PaymentProvider } from "../../src/payments/provider.ts";
import type { TestApp } from "./app.ts";

/** What becomes of a charge, whatever its card says; `send` passes it on to the provider. */
export type Verdict = (send: () => Promise<Outcome>) => Promise<Outcome>;

export const declines =
  (code: DeclineCode): Verdict =>
  async () => ({ status: "declined", code });
/** The request gets lost, and the provider knows nothing of it. */
export const loses: Verdict = async () => ({ status: "unknown" });
/** The charge is made, but nobody learns of it as long as this lasts. */
export const keepsSilent: Verdict = async (send) => {
  await send();
  return { status: "unknown" };
};

/** The provider behind the cards of a sandbox, with a mind of its own for as long as a test wants. */
export type Bank = {
  /** From now on this becomes of each charge, and nothing is told of what became of earlier ones; null: as the cards have it. */
  says(verdict: Verdict | null): void;
};

export function bankOf({ ctx: { payments } }: Pick<TestApp, "ctx">): Bank {
  const { sandbox } = payments;
  let verdict: Verdict | null = null;
  const charge: PaymentProvider["charge"] = (request) => {
    const send = () => sandbox.charge(request);
    return verdict ? verdict(send) : send();
  };
  const read: PaymentProvider["read"] = async (...key) => (verdict ? { status: "unknown" } : sandbox.read(...key));
  payments.sandbox = { ...sandbox, charge, read };
  return { says: (said) => void (verdict = said) };
}
