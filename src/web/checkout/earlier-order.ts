import { html } from "hono/html";
import { checkoutUrl } from "../../actions/links.ts";
import { giveUpPayment } from "../../actions/payment/give-up.ts";
import { requestSignIn } from "../../actions/portal-requests.ts";
import type { Context } from "../../context.ts";
import type { GroupHolder } from "../../domain/collection/group.ts";
import type { Payment } from "../../domain/model/payment.ts";
import { checkouts } from "../../store/checkouts.ts";
import { liveAttempt } from "../../store/payments.ts";
import { pathOf } from "../components/link.ts";
import type { FormProblem } from "../components/notice.ts";
import type { PageContext } from "../environment.ts";
import { readOrder } from "./memory.ts";
import { managePlan, unfinishedLink } from "./obstacle.ts";
import type { View } from "./view.ts";

/** The form's action that gives up the earlier order of this browser. */
export const GIVE_UP_EARLIER = "give-up-earlier";

/**
 * The earlier order of this browser, with the way to it. The order can be given up as long as it waits for the buyer.
 * `attempt`: the unsettled payment of the order.
 */
function earlierOrder(ctx: Context, view: View, id: string, attempt: Payment | null): FormProblem {
  const { fault, obstacle } = view.words;
  const asksBuyer = attempt?.status === "requires_action";
  const button = html`<button class="button other small" name="action" value="${GIVE_UP_EARLIER}"
 formnovalidate>${fault.giveUpEarlier}</button>`;
  return {
    title: obstacle.unfinishedTitle,
    text: html`${asksBuyer ? fault.earlierWaits : fault.earlierPaying}
<span class="actions">${unfinishedLink(ctx, view, id, "small")}${asksBuyer ? button : ""}</span>`,
  };
}

function subscribed(ctx: Context, view: View): FormProblem {
  const { fault, obstacle } = view.words;
  const text = html`${fault.alreadySubscribed} ${managePlan(ctx, view, "plain")}`;
  return { title: obstacle.already_subscribedTitle, text };
}

function addressTaken({ words: { fault } }: View, email: string): FormProblem {
  const sent = fault.addressTaken.markup({ email: html`<bdi>${email}</bdi>` });
  return { title: fault.addressTakenTitle, text: html`${sent} ${fault.addressTakenNext}` };
}

/**
 * The typed e-mail address has a plan or an earlier order that is not finished (rule C4). The browser that began the
 * order goes on there, or gives the order up. Any other buyer may be a stranger with the address of another person, so
 * the way to the order goes to the address.
 */
export async function takenAddress(
  ctx: Context,
  c: PageContext,
  view: View,
  form: URLSearchParams,
  { subscriptionId, checkoutId }: GroupHolder,
): Promise<FormProblem> {
  const { checkout } = view;
  if (subscriptionId !== null || checkoutId === null) return subscribed(ctx, view);
  if (readOrder(ctx, c, checkout) === checkoutId) {
    const attempt = await liveAttempt(ctx.db.read, checkout.organizationId, checkoutId);
    return earlierOrder(ctx, view, checkoutId, attempt);
  }
  const email = (form.get("email") ?? "").trim();
  await requestSignIn(ctx, checkout.organizationId, email, c.env.client);
  return addressTaken(view, email);
}

/**
 * Gives up the order that this browser left at a bank or a provider's page. If the bank has accepted the payment in the
 * meantime, the answer is the page of the completed order.
 */
export async function giveUpEarlier(
  ctx: Context,
  c: PageContext,
  view: View,
): Promise<{ problem: FormProblem } | { page: string }> {
  const { organizationId } = view.checkout;
  const { fault } = view.words;
  const id = readOrder(ctx, c, view.checkout);
  if (id === null) return { page: view.self };
  await giveUpPayment(ctx, organizationId, id);
  const earlier = await checkouts.find(ctx.db.read, organizationId, id);
  if (earlier?.status === "completed") return { page: pathOf(checkoutUrl(ctx, earlier)) };
  if (earlier?.status === "processing") {
    const attempt = await liveAttempt(ctx.db.read, organizationId, id);
    return { problem: earlierOrder(ctx, view, id, attempt) };
  }
  return { problem: { title: fault.earlierGoneTitle, text: fault.earlierGone } };
}
