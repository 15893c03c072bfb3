import { html } from "hono/html";
import { HTTPException } from "hono/http-exception";
import { readShownCheckout } from "../../../actions/checkout/read.ts";
import { checkoutUrl } from "../../../actions/links.ts";
import { payCheckout } from "../../../actions/sandbox/pay-checkout.ts";
import type { CheckoutView } from "../../../actions/views.ts";
import { SANDBOX_CARDS } from "../../../payments/sandbox-cards.ts";
import { PayCheckoutParams } from "../../../resources/checkout.ts";
import { ENGLISH } from "../../../texts/words.ts";
import { pathOf } from "../../components/link.ts";
import type { Html } from "../../layout.ts";
import { selectField, textField, type Option } from "../fields.ts";
import { formPages } from "../form-action.ts";
import { dashboardPage } from "../frame.ts";
import { hiddenFields, originOf, parsed, refusalNotice, typed, typedOrNull, type Sent } from "../sent-form.ts";
import { ROOT, type DashboardRequest } from "../request.ts";
import { requireSandbox } from "./page-data.ts";

type Paying = { request: DashboardRequest; checkout: CheckoutView["checkout"] };

const option = ({ number, behavior }: (typeof SANDBOX_CARDS)[number]): Option => [
  number,
  `${number} ${ENGLISH.testCard[behavior]}`,
];

function page({ request, checkout }: Paying, sent: Sent): Html {
  const email = textField(sent, "email", {
    label: "E-mail of the buyer",
    type: "email",
    required: true,
    maxlength: 320,
  });
  const body = html`${refusalNotice(sent, ["card", "email"])}
<form method="post" class="narrow" data-once>
${hiddenFields(sent)}
${selectField(sent, "card", { label: "Test card", options: SANDBOX_CARDS.map(option) })}
${checkout.customerId === null ? email : ""}
<button class="button small" type="submit">Pay the Checkout</button>
<p><a href="${request.self}/checkouts/${checkout.id}">Not now</a></p>
</form>`;
  const buyers = html`<a href="${pathOf(checkoutUrl(request.ctx, checkout))}">the page of the Checkout</a>`;
  const lead = html`Pay with a test card here, or open ${buyers}, as the buyer sees it.`;
  return dashboardPage(request, { section: "sandbox", title: "Pay a Checkout", body, lead });
}

/** `/sandbox/checkouts/{checkoutId}/pay`: does the same as `POST /manage/v1/sandbox/checkouts/{checkoutId}/pay`. */
export const payPages = formPages<Paying, PayCheckoutParams>({
  path: `${ROOT}/sandbox/checkouts/:checkoutId/pay`,
  permission: "sandbox",
  async load(c, request) {
    requireSandbox(request);
    const checkout = await readShownCheckout(request.ctx, request.organization.id, c.req.param("checkoutId") ?? "");
    if (!checkout) throw new HTTPException(404);
    return { request, checkout };
  },
  page,
  read: (_, sent) => parsed(PayCheckoutParams, { card: typed(sent, "card"), email: typedOrNull(sent, "email") }),
  async act({ request: { ctx, organization }, checkout: { id: resourceId, customerId } }, params, sent) {
    const about = { operation: "paySandboxCheckout", resourceId, customerId, body: { card: "" } };
    // The payment has many transactions, so the form is claimed in one of its own before them.
    await originOf<null>(sent, about).transaction(ctx, () => Promise.resolve(null));
    await payCheckout(ctx, organization.id, resourceId, params);
  },
  after: ({ checkout }, { self }) => `${self}/checkouts/${checkout.id}`,
});
