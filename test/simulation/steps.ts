import type { Json } from "../support/app.ts";
import {
  CARDS,
  iso,
  type CardName,
  type Fault,
  type Step,
  type Previewed,
  type StepOf,
  type TaxLocation,
} from "./history.ts";
import { pricesBody, settingsBody } from "./bodies.ts";
import { answerOf, list, ok, seenPreview } from "./look.ts";
import { choose, expectSame, send, stepRunOf, write, type Play } from "./play.ts";
import { chargeToDefault, chooseLive, disownOne } from "./steps-claim.ts";
import { plan } from "./steps-portal.ts";
import { agree, beginRound, controlRound } from "./steps-price.ts";
import { giveDiscount, lengthen } from "./steps-running.ts";
import { decide, dispute, failRefund, page, payOut, refund, refundOutside, settleByHand } from "./steps-invoice.ts";
import type { Reply } from "./world.ts";

const emailOf = (customer: number) => `c${customer}@bücher.example`;
/** The same mailbox, as browsers send the typed address. */
const typedEmailOf = (customer: number) => `C${customer}@xn--bcher-kva.example`;
const addressOf = ({ country, region }: TaxLocation) => ({ country, state: region });
const OWN_TAX_IDS: Record<string, string> = { DE: "DE 811 569 869", FR: "FR40303265045" };

function taxIdOf({ country, taxId }: TaxLocation): object | null {
  if (taxId === null) return null;
  if (taxId === "unchecked") return { type: "us_tax_id", value: "12-3456789" };
  return { type: "eu_vat", value: taxId === "own" ? OWN_TAX_IDS[country] : "EL094259216" };
}

const billingOf = (location: TaxLocation | null) =>
  location ? { billingAddress: addressOf(location), taxId: taxIdOf(location) } : {};

async function findCustomer({ world }: Play, number: number): Promise<string | null> {
  const found = await list(world, `/manage/v1/customers?email=${encodeURIComponent(emailOf(number))}`);
  return found[0]?.id ?? null;
}

/** The Customer as a merchant's backend creates it. */
function newCustomer({ history, gone }: Play, number: number): object {
  const { location, atPage } = history.buyers[number]!;
  // A Customer that returns after a deletion is a new one, with an `externalId` of its own.
  const life = gone.filter((each) => each.number === number).length;
  return { email: emailOf(number), externalId: `c${number}-${life}`, ...(!atPage && billingOf(location)) };
}

/** Pays a Checkout as its page does and waits for the outcome. Returns the Checkout or the refusal. */
async function pay(
  play: Play,
  step: Step,
  checkoutId: string,
  { card, ...said }: { card: CardName | null } & object,
  fault: Fault | null,
): Promise<{ checkout: Json } | { refused: string }> {
  const path = `/checkouts/${checkoutId}`;
  const key = `${play.index} pay ${checkoutId}`;
  const body = { ...said, card: card && CARDS[card] };
  const paid = await send(play, { method: "POST", path: `/manage/v1/sandbox${path}/pay`, body, key }, fault);
  play.customers[step.customer] ??= await findCustomer(play, step.customer);
  // A Checkout that is no longer open was paid before the answer was lost.
  if (paid.status !== 200 && paid.body.code !== "checkout_not_open") return { refused: answerOf(paid) };
  if (card) await play.side.payAtProvider(play.world, checkoutId, card);
  await play.world.settle();
  return { checkout: await ok(play.world.call({ method: "GET", path: `/public/v2${path}` })) };
}

/** The status of a paid Checkout. */
async function statusOf(paid: ReturnType<typeof pay>): Promise<string> {
  const outcome = await paid;
  return "refused" in outcome ? outcome.refused : outcome.checkout.status;
}

async function buy(play: Play, step: StepOf<"buy">): Promise<string> {
  const { names, history } = play;
  const { customer, product, quantity = null, currency, card, typed, discount, faults } = step;
  const named = typed ? {} : { customer: newCustomer(play, customer) };
  const code = discount === null ? {} : { discountCode: `D${discount}` };
  const sale = { productId: names.products[product], quantity, currency, ...code, ...named };
  const created = await write(play, step, "POST", "/public/v2/checkouts", sale);
  if (created.status !== 201) return answerOf(created);
  const { location } = history.buyers[customer]!;
  const means = { card, ...(typed && { email: typedEmailOf(customer) }), ...billingOf(location) };
  const fault = faults.request && { ...faults.request, call: Math.max(faults.request.call - 4, 1) };
  const paid = await pay(play, step, created.body.id, means, fault);
  if ("refused" in paid) return paid.refused;
  const { status, balanceApplied, amountDue } = paid.checkout;
  // The figures of an open Checkout follow the balance. From the submission on, they are fixed.
  return status === "open" ? status : `${status} ${balanceApplied} ${amountDue}`;
}

async function enroll(play: Play, step: StepOf<"enroll">): Promise<string> {
  const { names, customers } = play;
  const { customer, product, quantity = null, currency, amount, begun, anchor, trial, at } = step;
  if (!customers[customer]) {
    const created = await write(play, step, "POST", "/public/v2/customers", newCustomer(play, customer), " customer");
    customers[customer] = created.status === 201 ? created.body.id : await findCustomer(play, customer);
  }
  const before = (milliseconds: number | null) => milliseconds && iso(at - milliseconds);
  const body = {
    customerId: customers[customer],
    productId: names.products[product],
    quantity,
    currency,
    // The total of all units. Without a quantity, the smallest one that is offered is sold.
    amount: amount && amount * (quantity ?? play.minimums[product]!),
    startedAt: before(begun),
    anchorAt: before(anchor),
    trialEnd: trial && iso(at + trial),
  };
  return answerOf(await write(play, step, "POST", "/manage/v1/subscriptions", body));
}

/** The Product and the quantity of a PATCH. */
function wantedOf({ names }: Play, step: StepOf<"change"> | StepOf<"units">): object {
  if (step.do === "units") return { quantity: step.quantity };
  const { product, quantity = null, reprice } = step;
  const units = quantity === null ? {} : { quantity };
  return { productId: names.products[product], ...units, ...(reprice && { price: "catalogue" }) };
}

async function change(
  play: Play,
  step: StepOf<"change"> | StepOf<"units">,
  preview: () => object | string,
): Promise<string> {
  const { world } = play;
  const id = await choose(play, step, step.sub);
  if (!id) return "nobody";
  const body = {
    ...wantedOf(play, step),
    ...(step.behavior && { prorationBehavior: step.behavior }),
    ...(step.undo && { cancelAtPeriodEnd: false }),
  };
  const previewed = await world.call({ method: "POST", path: `/manage/v1/subscriptions/${id}/preview`, body });
  expectSame("the preview of the change", seenPreview(previewed), preview());
  const path = `/public/v2/subscriptions/${id}`;
  const reply = await write(play, step, "PATCH", path, body);
  // A retry without an Idempotency-Key has no second effect (rule P12).
  if (step.repeat && reply.status === 200)
    expectSame("the change once more", await play.world.call({ method: "PATCH", path, body }), reply);
  if (reply.status !== 402 || !step.finish) return answerOf(reply);
  const finished = pay(play, step, reply.body.checkoutId, { card: step.finish }, null);
  return `${answerOf(reply)}, ${await statusOf(finished)}`;
}

async function upgrade(play: Play, step: StepOf<"upgrade">): Promise<string> {
  const id = await choose(play, step, step.sub);
  if (!id) return "nobody";
  const { product, quantity = null } = step;
  const body = { subscriptionId: id, productId: play.names.products[product], quantity };
  const created = await write(play, step, "POST", "/public/v2/checkouts", body);
  return created.status === 201
    ? statusOf(pay(play, step, created.body.id, { card: step.card }, step.faults.request))
    : answerOf(created);
}

async function cancelNow(play: Play, step: StepOf<"cancelNow">, preview: () => object | string): Promise<string> {
  const id = await choose(play, step, step.sub);
  if (!id) return "nobody";
  const path = `/manage/v1/subscriptions/${id}/cancel-now`;
  expectSame(
    "the preview of cancel-now",
    seenPreview(await play.world.call({ method: "POST", path: `${path}/preview` })),
    preview(),
  );
  return answerOf(await write(play, step, "POST", path, {}));
}

async function cancel(play: Play, step: StepOf<"cancel" | "undo">): Promise<string> {
  const id = await choose(play, step, step.sub);
  if (!id) return "nobody";
  return answerOf(
    await write(play, step, "PATCH", `/public/v2/subscriptions/${id}`, { cancelAtPeriodEnd: step.do === "cancel" }),
  );
}

async function pause(play: Play, step: StepOf<"pause"> | StepOf<"resume">): Promise<string> {
  const id = await choose(play, step, step.sub);
  if (!id) return "nobody";
  const path = `/manage/v1/subscriptions/${id}/${step.do}`;
  if (step.do === "resume") return answerOf(await write(play, step, "POST", path));
  const resumesAt = step.until === null ? null : iso(step.at + step.until);
  return answerOf(await write(play, step, "POST", path, { access: step.access, resumesAt }));
}

async function bank({ world, side, customers }: Play, step: StepOf<"bank">): Promise<string> {
  const id = customers[step.customer];
  const [oldest] = id ? await world.challenges(id) : [];
  if (!oldest) return "nobody";
  await side.answer(oldest, step);
  return "answered";
}

async function forget(play: Play, step: StepOf<"forget">, customerId: string): Promise<string> {
  const path = `/manage/v1/customers/${customerId}?forfeitBalance=${step.forfeit}`;
  const reply = await send(play, { method: "DELETE", path }, step.faults.request);
  // A 404 after a fault: the Customer was deleted, but the answer was lost.
  const done = reply.status === 204 || (step.faults.request !== null && reply.status === 404);
  if (!done) return answerOf(reply);
  play.gone.push({ number: step.customer, id: customerId });
  play.customers[step.customer] = null;
  return "204";
}

function settings(play: Play, step: StepOf<"settings">): Promise<Reply> {
  return write(play, step, "PATCH", "/manage/v1/organization", settingsBody(step.settings));
}

/** The provider detaches the default card. */
async function detach(play: Play, step: StepOf<"detach">, customerId: string): Promise<string> {
  const path = `/manage/v1/customers/${customerId}/payment-methods?limit=100`;
  const { body } = await play.world.call({ method: "GET", path });
  const chosen = body.data.find(({ isDefault }: Json) => isDefault);
  if (!chosen) return "nobody";
  return play.side.detach(stepRunOf(play, step), chosen);
}

/** Carries out an action that needs an existing Customer. */
async function actAsCustomer(play: Play, step: Step, customerId: string): Promise<string> {
  const path = `/manage/v1/customers/${customerId}`;
  switch (step.do) {
    case "card":
      return play.side.giveCard(stepRunOf(play, step), customerId, step.card, null);
    case "oneCard": {
      const id = await chooseLive(play, step, step.sub);
      return id ? play.side.giveCard(stepRunOf(play, step), customerId, step.card, id) : "nobody";
    }
    case "defaultCard":
      return chargeToDefault(play, step, customerId);
    case "disown":
      return disownOne(play, step);
    case "detach":
      return detach(play, step, customerId);
    case "move": {
      const body = step.location ? billingOf(step.location) : { billingAddress: null, taxId: null };
      return answerOf(await write(play, step, "PATCH", path, body));
    }
    case "adjust": {
      const body = { currency: step.currency, amount: step.amount, reason: "simulated" };
      return answerOf(await write(play, step, "POST", `${path}/balance-adjustments`, body));
    }
    case "refund":
      return refund(play, step, customerId);
    case "payout":
      return payOut(play, step, customerId);
    case "failRefund":
      return failRefund(play, step, customerId);
    case "refundOutside":
      return refundOutside(play, step, customerId);
    case "dispute":
      return dispute(play, step, customerId);
    case "win":
    case "lose":
      return decide(play, step, customerId);
    case "consent":
      return agree(play, customerId);
    case "plan":
    case "planUnits":
      return plan(play, step, customerId);
    case "page":
      return page(play, step, customerId);
    case "pay":
    case "void":
    case "markPaid":
      return settleByHand(play, step, customerId);
    case "forget":
      return forget(play, step, customerId);
    default:
      throw new Error(`${step.do} needs no Customer`);
  }
}

/**
 * Carries out a step by its requests and returns the answer in the reference's words. `preview` gives the preview
 * that the change or `cancel-now` must show before.
 */
export async function act(play: Play, step: Step, preview: (step: Previewed) => object | string): Promise<string> {
  const { names, customers } = play;
  switch (step.do) {
    case "buy":
      return buy(play, step);
    case "enroll":
      return enroll(play, step);
    case "change":
    case "units":
      return change(play, step, () => preview(step));
    case "upgrade":
      return upgrade(play, step);
    case "cancel":
    case "undo":
      return cancel(play, step);
    case "pause":
    case "resume":
      return pause(play, step);
    case "give":
      return giveDiscount(play, step, () => preview(step));
    case "lengthen":
      return lengthen(play, step, () => preview(step));
    case "cancelNow":
      return cancelNow(play, step, () => preview(step));
    case "bank":
      return bank(play, step);
    case "price":
      return answerOf(
        await write(play, step, "PATCH", `/manage/v1/products/${names.products[step.product]}`, {
          prices: pricesBody(step.prices),
        }),
      );
    case "reprice":
      return beginRound(play, step, () => preview(step));
    case "round":
      return controlRound(play, step);
    case "limits": {
      play.minimums[step.product] = step.quantity.minimum;
      const body = { quantity: step.quantity };
      return answerOf(await write(play, step, "PATCH", `/manage/v1/products/${names.products[step.product]}`, body));
    }
    case "archive":
      return answerOf(
        await write(play, step, "PATCH", `/manage/v1/products/${names.products[step.product]}`, {
          archived: step.archived,
        }),
      );
    case "benefits": {
      const benefitIds = step.benefits.map((benefit) => names.benefits[benefit]);
      return answerOf(
        await write(play, step, "PATCH", `/manage/v1/products/${names.products[step.product]}`, { benefitIds }),
      );
    }
    case "settings":
      return answerOf(await settings(play, step));
    default: {
      const customerId = customers[step.customer];
      return customerId ? actAsCustomer(play, step, customerId) : "nobody";
    }
  }
}
