import { html } from "hono/html";
import { deleteCustomer, previewDeletion } from "../../../actions/customer/delete.ts";
import type { Balance } from "../../../domain/model/balance.ts";
import { products } from "../../../store/products.ts";
import { listGrants } from "../../../store/benefit-grants.ts";
import { listSubscriptions } from "../../../store/subscriptions.ts";
import type { Html } from "../../layout.ts";
import { moneyText } from "../components/cells.ts";
import { confirmPanel } from "../components/confirm-panel.ts";
import { definitions } from "../components/definitions.ts";
import { notice } from "../components/notice.ts";
import { checkField } from "../fields.ts";
import { formPages } from "../form-action.ts";
import { nameOf } from "../lists/customer-cell.ts";
import {
  hiddenValues,
  inOneText,
  originOf,
  refusalNotice,
  refusedField,
  requireSeen,
  typed,
  versionField,
  type Sent,
} from "../sent-form.ts";
import { besidePage, CUSTOMER, livingPageDataOf, type CustomerPageData } from "./part.ts";

const MOST = 100;

/** The credit as a text, by which the form and the click are compared. */
const creditOf = (balances: readonly Balance[]): string =>
  balances.map(({ amount, currency }) => moneyText(amount, currency)).join(", ");

type Deletion = { plans: string[]; access: string[]; credit: string };

async function effectOf({ ctx, customer }: CustomerPageData): Promise<Deletion> {
  const { organizationId, id: customerId } = customer;
  const { read } = ctx.db;
  const [balances, rows, grants] = await Promise.all([
    previewDeletion(ctx, organizationId, customerId),
    listSubscriptions(read, organizationId, { customerId, limit: MOST }),
    listGrants(read, organizationId, { customerId, status: "active", limit: MOST }),
  ]);
  const live = rows.filter(({ status }) => status !== "canceled");
  const sold = await products.findAll(read, organizationId, [...new Set(live.map(({ productId }) => productId))]);
  return {
    plans: live.map(({ productId }) => sold.get(productId)?.name ?? productId),
    access: [...new Set(grants.map(({ benefit }) => benefit.name))],
    credit: creditOf(balances),
  };
}

const listed = (names: readonly string[]): Html | string =>
  names.length === 0 ? "None" : html`<ul>${names.map((name) => html`<li><bdi>${name}</bdi></li>`)}</ul>`;

/** The agreement to write exactly this credit off. */
const forfeitField = (sent: Sent, credit: string): Html => html`${hiddenValues({ credit })}
${checkField({ ...sent, fields: new URLSearchParams() }, "forfeit", {
  legend: "Credit",
  choices: [["yes", `Write off ${credit}`]],
})}`;

function page(pageData: CustomerPageData, sent: Sent, shown: Deletion | null): Html {
  const { customer, self } = pageData;
  const title = `Delete ${nameOf(customer)}`;
  if (shown === null) return besidePage(pageData, title, notice("warning", inOneText(sent.refusal!)));
  const { plans, access, credit } = shown;
  const effect = html`<p>The deletion can't be undone. Billow first carries out the due billing and its charges. Then
all Subscriptions and all access end, and open invoices become void. The Customer can't open the portal any more. The
personal data is erased. Only issued documents keep the name and the address. No payment is refunded.</p>
${definitions([
  ["Subscriptions that end", listed(plans)],
  ["Access that is lost", listed(access)],
  ["Credit that is written off", credit === "" ? "None" : credit],
])}
${credit === "" ? "" : html`<p>To return the credit to the Customer, pay the credit out before the deletion.</p>`}`;
  const panel = confirmPanel(sent, {
    hidden: versionField(customer),
    effect,
    fields: credit === "" ? undefined : forfeitField(sent, credit),
    label: "Delete the Customer",
    isDangerous: true,
    back: self,
  });
  return besidePage(pageData, title, html`${refusalNotice(sent, ["forfeit"])}${panel}`);
}

/** `…/customers/{customerId}/delete`, with the consequences before the click. */
export const deletePage = formPages<CustomerPageData, undefined, Deletion>({
  path: `${CUSTOMER}/delete`,
  permission: "customers",
  asksAgain: true,
  load: livingPageDataOf,
  effect: effectOf,
  page,
  async act({ ctx, customer: { organizationId, id } }, _, sent) {
    const credit = creditOf(await previewDeletion(ctx, organizationId, id));
    const forfeitBalance = credit !== "";
    const isAgreed = typed(sent, "forfeit") === "yes" && typed(sent, "credit") === credit;
    if (forfeitBalance && !isAgreed)
      throw refusedField(
        "forfeit",
        "credit_left",
        `The Customer has a credit of ${credit}. Agree to write the credit off.`,
      );
    const about = { operation: "deleteCustomer", resourceId: id, customerId: id, body: { forfeitBalance } };
    await deleteCustomer(ctx, originOf<void>(sent, about), id, forfeitBalance, (row) => requireSeen(row, sent));
  },
  after: ({ self }) => `${self}?done=deleted`,
});
