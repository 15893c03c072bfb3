import type { Hono } from "hono";
import { html } from "hono/html";
import { deleteCustomer, previewDeletion } from "../../../actions/customer/delete.ts";
import type { Context } from "../../../context.ts";
import type { Balance } from "../../../domain/model/balance.ts";
import { AppError } from "../../../errors.ts";
import { products } from "../../../store/products.ts";
import { listGrants } from "../../../store/benefit-grants.ts";
import { listSubscriptions } from "../../../store/subscriptions.ts";
import type { PageEnvironment } from "../../environment.ts";
import type { Html } from "../../layout.ts";
import { moneyText } from "../components/cells.ts";
import { choices } from "../components/choices.ts";
import { confirmPanel } from "../components/confirm-panel.ts";
import { definitions } from "../components/definitions.ts";
import { notice } from "../components/notice.ts";
import { deed } from "../deed.ts";
import type { DashboardDoor } from "../door.ts";
import { nameOf } from "../lists/customer-cell.ts";
import { requireSeen, versionField } from "../seen-version.ts";
import { hiddenFields, originOf, refusalNotice, refusalOf, refusedField, faultAt, typed, type Sent } from "../sent.ts";
import { deedPage } from "./money/deed-page.ts";
import { CUSTOMER, livingSceneOf, type Scene } from "./part.ts";

const MOST = 100;

/** The credit as a text, by which the form and the click are compared. */
const creditOf = (balances: readonly Balance[]): string =>
  balances.map(({ amount, currency }) => moneyText(amount, currency)).join(", ");

const WORDS = {
  payment_in_progress: "A payment is in progress, and its outcome is not known yet. Try again in a minute.",
  balance_left: "The Customer has more credit than the page showed. Check the amounts, then confirm again.",
  precondition_failed: "The Customer has changed since you opened this page. Check the page again, then confirm.",
} as const;

async function endsOf({ ctx, customer }: Scene) {
  const { organizationId, id: customerId } = customer;
  const { read } = ctx.db;
  const [rows, grants] = await Promise.all([
    listSubscriptions(read, organizationId, { customerId, limit: MOST }),
    listGrants(read, organizationId, { customerId, status: "active", limit: MOST }),
  ]);
  const live = rows.filter(({ status }) => status !== "canceled");
  const sold = await products.findAll(read, organizationId, [...new Set(live.map(({ productId }) => productId))]);
  return {
    plans: live.map(({ productId }) => sold.get(productId)?.name ?? productId),
    access: [...new Set(grants.map(({ benefit }) => benefit.name))],
  };
}

const listed = (names: readonly string[]): Html | string =>
  names.length === 0 ? "None" : html`<ul>${names.map((name) => html`<li><bdi>${name}</bdi></li>`)}</ul>`;

/** The agreement to write exactly this credit off. */
const forfeitField = (sent: Sent, credit: string): Html => html`<input type="hidden" name="credit" value="${credit}">
${choices({
  name: "forfeit",
  legend: "Credit",
  choices: [{ value: "yes", label: `Write off ${credit}` }],
  chosen: [],
  fault: faultAt(sent, "forfeit"),
})}`;

async function page(scene: Scene, sent: Sent): Promise<Html> {
  const { ctx, customer, self } = scene;
  const title = `Delete ${nameOf(customer)}`;
  let balances: readonly Balance[];
  try {
    balances = await previewDeletion(ctx, customer.organizationId, customer.id);
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    return deedPage(scene, title, notice("warning", refusalOf(error, WORDS).text ?? error.message));
  }
  const { plans, access } = await endsOf(scene);
  const credit = creditOf(balances);
  const effect = html`<p>The deletion can't be undone. Billow first carries out the due billing and its charges. Then
all Subscriptions and all access end, and open invoices become void. The Customer can't open the portal any more. The
personal data is erased. Only issued documents keep the name and the address. No payment is refunded.</p>
${definitions([
  ["Subscriptions that end", listed(plans)],
  ["Access that is lost", listed(access)],
  ["Credit that is written off", credit === "" ? "None" : credit],
])}
${credit === "" ? "" : html`<p>To return the credit to the Customer, pay the credit out before the deletion.</p>`}`;
  const panel = confirmPanel({
    hidden: html`${hiddenFields(sent)}${versionField(customer)}`,
    effect,
    fields: credit === "" ? undefined : forfeitField(sent, credit),
    label: "Delete the Customer",
    isDangerous: true,
    back: self,
  });
  return deedPage(scene, title, html`${refusalNotice(sent, ["forfeit"])}${panel}`);
}

async function act(ctx: Context, { customer, self }: Scene, sent: Sent): Promise<string> {
  const { organizationId, id } = customer;
  const credit = creditOf(await previewDeletion(ctx, organizationId, id));
  const isAgreed = typed(sent, "forfeit") === "yes" && typed(sent, "credit") === credit;
  if (credit !== "" && !isAgreed)
    throw refusedField(
      "forfeit",
      "credit_left",
      `The Customer has a credit of ${credit}. Agree to write the credit off.`,
    );
  const what = { operation: "deleteCustomer", resourceId: id, customerId: id, body: { forfeitBalance: credit !== "" } };
  const origin = originOf<void>(sent, what);
  await deleteCustomer(ctx, origin, id, credit !== "", (row) => requireSeen(row, sent));
  return `${self}?done=deleted`;
}

/** `…/customers/{customerId}/delete`, with the consequences before the click. */
export function deletePage(ctx: Context, app: Hono<PageEnvironment>, door: DashboardDoor): void {
  deed<Scene>(app, door, {
    path: `${CUSTOMER}/delete`,
    permission: "customers",
    asksAgain: true,
    scene: (c, visit) => livingSceneOf(ctx, c, visit),
    page,
    act: (scene, sent) => act(ctx, scene, sent),
    after: ({ self }) => `${self}?done=deleted`,
    words: WORDS,
  });
}
