import { html } from "hono/html";
import type { Effect } from "../../../../domain/collection/effect.ts";
import type { Subscription } from "../../../../domain/model/subscription.ts";
import { products } from "../../../../store/products.ts";
import type { Html } from "../../../layout.ts";
import { moneyText, time } from "../../components/cells.ts";
import type { Scene } from "../part.ts";

type Change = Effect["subscriptions"][number];

function subscriptionItem({ before, after }: Change, name: Html, zone: string): Html {
  const until = after.currentPeriodEnd;
  if (after.status === "canceled") return html`The Subscription ${name} ends.`;
  if (until !== before.currentPeriodEnd)
    return html`The Subscription ${name} continues with a new period, until ${time(until, zone)}.`;
  if (before.status === "past_due") return html`The Subscription ${name} is no longer past due.`;
  return html`The Subscription ${name} becomes ${after.status.replace("_", " ")}.`;
}

function balanceItem({ currency, before, after }: Effect["balances"][number]): Html {
  const said = (amount: number) => (amount < 0 ? `${moneyText(-amount, currency)} owed` : moneyText(amount, currency));
  return html`The balance changes from ${said(before)} to ${said(after)}.`;
}

async function namesOf({ ctx, visit }: Scene, subscriptions: readonly Subscription[]): Promise<(id: string) => Html> {
  const ids = [...new Set(subscriptions.map(({ productId }) => productId))];
  const sold = ids.length === 0 ? new Map() : await products.findAll(ctx.db.read, visit.organization.id, ids);
  return (id) => html`<bdi>“${sold.get(id)?.name ?? id}”</bdi>`;
}

/** The effect of a deed on balance, Subscriptions, access and invoices, in sentences. `currency`: of the deed. */
export async function effectItems(scene: Scene, effect: Effect, currency: string): Promise<Html[]> {
  const { balances, subscriptions, grants, invoices, waiting } = effect;
  const nameOf = await namesOf(
    scene,
    subscriptions.map(({ after }) => after),
  );
  const wait = waiting < 0 ? `Credit of ${moneyText(-waiting, currency)}` : moneyText(waiting, currency);
  return [
    ...balances.map(balanceItem),
    ...subscriptions.map((change) => subscriptionItem(change, nameOf(change.after.productId), scene.zone)),
    ...grants.map(({ name, isActive }) =>
      isActive ? html`Access to <bdi>“${name}”</bdi> begins again.` : html`Access to <bdi>“${name}”</bdi> ends now.`,
    ),
    ...invoices.map(
      ({ totalAmount, amountDue }) => html`An invoice of ${moneyText(totalAmount, currency)} is created, with
${moneyText(amountDue, currency)} due.`,
    ),
    ...(waiting === 0 ? [] : [html`${wait} from earlier changes waits for the next invoice.`]),
  ];
}
