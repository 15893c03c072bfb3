import type { DeclineCode, Outcome } from "../../src/domain/model/payment-outcome.ts";
import type { PaymentProvider } from "../../src/payments/provider.ts";
import type { TestApp } from "./app.ts";

/**
 * The outcome of a charge or refund, regardless of its card. `send` passes the request on to the provider. `silent`:
 * outcomes of earlier requests read as unknown, too.
 */
export type BankAnswer = { charge(send: () => Promise<Outcome>): Promise<Outcome>; silent?: true };

export const declines = (code: DeclineCode): BankAnswer => ({ charge: async () => ({ status: "declined", code }) });
/** The request gets lost and never reaches the provider. */
export const loses: BankAnswer = { charge: async () => ({ status: "unknown" }) };
/** The charge is made, but its outcome stays unknown while this answer stands. */
export const keepsSilent: BankAnswer = {
  silent: true,
  async charge(send) {
    await send();
    return { status: "unknown" };
  },
};

/** The provider of a sandbox, with outcomes that a test can override. */
export type Bank = {
  /** Sets the outcome of charges and refunds from now on; null: the cards decide. */
  says(answer: BankAnswer | null): void;
};

export function bankOf({ ctx: { payments } }: Pick<TestApp, "ctx">): Bank {
  const { sandbox } = payments;
  let answer: BankAnswer | null = null;
  const charge: PaymentProvider["charge"] = (request) => {
    const send = () => sandbox.charge(request);
    return answer ? answer.charge(send) : send();
  };
  const read: PaymentProvider["read"] = async (...key) =>
    answer?.silent ? { status: "unknown" } : sandbox.read(...key);
  const refund: PaymentProvider["refund"] = (request) => {
    const send = () => sandbox.refund(request);
    return answer ? answer.charge(send) : send();
  };
  payments.sandbox = { ...sandbox, charge, refund, read };
  return { says: (said) => void (answer = said) };
}
