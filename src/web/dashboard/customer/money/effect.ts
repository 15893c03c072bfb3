import { html } from "hono/html";
import type { Effect } from "../../../../domain/collection/effect.ts";
import { products } from "../../../../store/products.ts";
import type { Html } from "../../../layout.ts";
import { moneyText, time } from "../../components/cells.ts";
import { hiddenFields, type Sent } from "../../sent-form.ts";
import type { DashboardRequest } from "../../request.ts";
import type { CustomerPageData } from "../part.ts";

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

/** An effect with the names of the Products in it, by their ids. */
export type NamedEffect = { effect: Effect; names: ReadonlyMap<string, string> };

export async function withNames({ ctx, organization }: DashboardRequest, effect: Effect): Promise<NamedEffect> {
  const ids = [...new Set(effect.subscriptions.map(({ after }) => after.productId))];
  const sold = ids.length === 0 ? [] : (await products.findAll(ctx.db.read, organization.id, ids)).values();
  return { effect, names: new Map([...sold].map(({ id, name }) => [id, name])) };
}

/** The effect of a change on balance, Subscriptions, access and invoices, in sentences. */
export function effectItems({ zone }: CustomerPageData, { effect, names }: NamedEffect, currency: string): Html[] {
  const { balances, subscriptions, grants, invoices, waiting } = effect;
  const nameOf = (id: string) => html`<bdi>“${names.get(id) ?? id}”</bdi>`;
  const wait = waiting < 0 ? `Credit of ${moneyText(-waiting, currency)}` : moneyText(waiting, currency);
  return [
    ...balances.map(balanceItem),
    ...subscriptions.map((change) => subscriptionItem(change, nameOf(change.after.productId), zone)),
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

/** The typed reason among the effects of a change. */
export const reasonItem = (reason: string): Html[] =>
  reason === "" ? [] : [html`The reason for your records: <bdi>“${reason}”</bdi>.`];

/** A form whose next page shows the effect. The form changes no data. */
export const askingForm = (sent: Sent, fields: Html): Html => html`<form method="post" class="narrow" novalidate>
${hiddenFields(sent)}
${fields}
<button class="button small other" type="submit">Preview</button>
</form>`;
