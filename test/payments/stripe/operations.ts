import { billingOperations } from "./billing-operations.ts";
import { emit, type Book, type Key } from "./book.ts";
import { cardByToken, type Decline } from "./cards.ts";
import { move } from "./charges.ts";
import { attach, deleteCustomer, detach, makeCustomer, makePaymentMethod } from "./customers.ts";
import { closeDispute, escalate, openDispute, reinstateFee, type NewDispute } from "./disputes.ts";
import type { Charge, Dispute, PaymentIntent, Refund } from "./objects.ts";
import { attemptPayment, authenticatePayment, makePaymentIntent, settlePayment } from "./payment-intents.ts";
import { failRefund, makeRefund, settleRefund } from "./refunds.ts";
import { expire, noteSettled } from "./sessions.ts";

export type Operations = ReturnType<typeof createOperations>;

/** Operations that no request of ours begins: in Stripe's dashboard, at a bank, or by Stripe's own decision. */
export function createOperations(book: Book) {
  function got<T>(map: ReadonlyMap<string, T>, id: string): T {
    const found = map.get(id);
    if (found === undefined) throw new Error(`This server has no ${id}`);
    return found;
  }
  const chargeOf = (id: string): Charge => got(book.charges, book.paymentIntents.get(id)?.latest_charge ?? id);
  const cards = cardOperations(book, (id) => got(book.paymentMethods, id));

  return {
    ...cards,
    ...accountOperations(book),
    ...billingOperations(book),
    /**
     * A refund in Stripe's dashboard. `of`: a PaymentIntent or a charge. `amount`: of the rest, unless given. `id`: the
     * refund's id, unless the server chooses one.
     */
    refund: (of: string, amount?: number, id?: string): Refund =>
      makeRefund(book, chargeOf(of), { amount, id, reason: "requested_by_customer" }),
    settleRefund: (id: string): void => settleRefund(book, got(book.refunds, id)),
    failRefund: (id: string, reason = "lost_or_stolen_card"): void => failRefund(book, got(book.refunds, id), reason),
    /** A bank disputes a charge: its rest after refunds, unless an amount is given. */
    dispute(of: string, given: Partial<NewDispute> = {}): Dispute {
      const charge = chargeOf(of);
      const amount = charge.amount - charge.amount_refunded;
      return openDispute(book, charge, { amount, reason: "fraudulent", status: "needs_response", ...given });
    },
    /** An inquiry becomes a dispute. `fee`: the usual one, unless given. */
    escalateDispute: (id: string, fee?: number): void => escalate(book, got(book.disputes, id), fee),
    closeDispute: (id: string, status: "won" | "lost" | "warning_closed" | "prevented"): void =>
      closeDispute(book, got(book.disputes, id), status),
    /** Stripe gives a part of a dispute's fee back. */
    reinstateFee: (id: string, fee: number): void => reinstateFee(book, got(book.disputes, id), fee),
    /** A payment that the seller takes in the dashboard: a succeeded intent without our metadata. */
    chargeInDashboard(amount: number, currency: string): PaymentIntent {
      const intent = makePaymentIntent(book, { amount, currency, customer: null, types: ["card"] });
      const method = makePaymentMethod(book, cardByToken("pm_card_visa")!);
      attemptPayment(book, intent, method, { offSession: false, returnUrl: null });
      return intent;
    },
    /** Other software of the seller makes a Customer, and gives a Customer a card. Both answer the id. */
    makeCustomer: (fields: { email: string; name: string }): string => makeCustomer(book, fields).id,
    attachCard(customer: string): string {
      const method = makePaymentMethod(book, cardByToken("pm_card_visa")!);
      attach(book, method, got(book.customers, customer).id);
      return method.id;
    },
    /** The seller deletes a Customer in the dashboard. */
    deleteCustomer: (id: string): void => deleteCustomer(book, got(book.customers, id).id),
    /** The next `times` payments stay `processing` until `settlePayment`. */
    processNext(times = 1): void {
      book.hidden.toProcess += times;
    },
    /** From now on an expiry has this effect on the Session's intent. */
    onExpiry(effect: "cancels" | "leaves" | "holds"): void {
      book.hidden.expiry = effect;
    },
    /** The Session's time is over. An authentication that the buyer has begun goes on. */
    expireAtBank(id: string): void {
      const { expiry } = book.hidden;
      book.hidden.expiry = "leaves";
      expire(book, got(book.sessions, id));
      book.hidden.expiry = expiry;
    },
    /** Ends a payment that is `processing`: charged, unless the bank refuses. */
    settlePayment(id: string, refusal?: Decline): void {
      const intent = got(book.paymentIntents, id);
      settlePayment(book, intent, refusal);
      noteSettled(book, intent);
    },
    /** The buyer did not authenticate in time. */
    expireAuthentication(id: string): void {
      const intent = got(book.paymentIntents, id);
      if (intent.status !== "requires_action") throw new Error(`${id} is ${intent.status}`);
      authenticatePayment(book, intent, "expired");
    },
    /** A fee of Stripe for the account. */
    billFee: (amount: number, currency: string): void =>
      void move(book, { type: "stripe_fee", amount: -amount, currency, source: null }),
    /** The object with this id exists, but in the other mode. */
    existsElsewhere: (id: string): void => void book.hidden.elsewhere.add(id),
  };
}

function cardOperations(book: Book, methodOf: (id: string) => ReturnType<typeof makePaymentMethod>) {
  return {
    detachCard: (id: string): void => detach(book, methodOf(id)),
    /** The bank has replaced the card, and the network told Stripe. */
    updateCard(
      id: string,
      { expMonth, expYear, last4 }: { expMonth?: number; expYear?: number; last4?: string },
    ): void {
      const method = methodOf(id);
      const { exp_month, exp_year, last4: before } = method.card;
      Object.assign(method.card, {
        exp_month: expMonth ?? exp_month,
        exp_year: expYear ?? exp_year,
        last4: last4 ?? before,
      });
      emit(book, "payment_method.automatically_updated", method, { card: { exp_month, exp_year, last4: before } });
    },
    /** From now on the bank approves each charge of the card that a present buyer seems to make. */
    trustPresence: (id: string): void => void book.hidden.trusting.add(methodOf(id).id),
    /** From now on each decline of the card has this advice, such as `do_not_try_again`. */
    adviseOn: (id: string, advice: string): void => void book.hidden.advice.set(methodOf(id).id, advice),
    /** From now on the card behaves as another test card, such as `pm_card_chargeDeclinedExpiredCard`. */
    turnCard(id: string, token: string): void {
      book.hidden.numbers.set(methodOf(id).id, cardByToken(token)!.number);
    },
  };
}

function accountOperations(book: Book) {
  function change(fields: { charges_enabled: boolean; requirements: { disabled_reason: string | null } }): void {
    Object.assign(book.account, fields);
    emit(book, "account.updated", book.account);
  }
  const keyOf = (key: string): Key => {
    const found = book.keys.find((each) => each.key === key);
    if (found === undefined) throw new Error("This server has no such key");
    return found;
  };
  return {
    restrictAccount: (): void =>
      change({ charges_enabled: false, requirements: { disabled_reason: "requirements.past_due" } }),
    liftRestriction: (): void => change({ charges_enabled: true, requirements: { disabled_reason: null } }),
    revokeKey(key: string): void {
      keyOf(key).isRevoked = true;
    },
    restoreKey(key: string): void {
      keyOf(key).isRevoked = false;
    },
    /** Takes a permission such as `payment_intent_write` from a restricted key. */
    takePermission(key: string, permission: string): void {
      const { permissions } = keyOf(key);
      if (permissions === "all") throw new Error("A secret key has all permissions");
      permissions.delete(permission);
    },
    givePermission(key: string, permission: string): void {
      const { permissions } = keyOf(key);
      if (permissions !== "all") permissions.add(permission);
    },
  };
}
