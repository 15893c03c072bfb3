import type { Hono } from "hono";
import { html } from "hono/html";
import { HTTPException } from "hono/http-exception";
import { readShownCheckout } from "../../../actions/checkout/read.ts";
import { checkoutUrl } from "../../../actions/links.ts";
import { payCheckout } from "../../../actions/sandbox/pay-checkout.ts";
import type { ShownCheckout } from "../../../actions/shown.ts";
import type { Context } from "../../../context.ts";
import { SANDBOX_CARDS } from "../../../payments/sandbox-cards.ts";
import { PayCheckoutParams } from "../../../resources/checkout.ts";
import { ENGLISH } from "../../../texts/words.ts";
import { faultMark, faultText } from "../../components/fault.ts";
import { field } from "../../components/field.ts";
import { pathOf } from "../../components/link.ts";
import type { PageContext, PageEnvironment } from "../../environment.ts";
import type { Html } from "../../layout.ts";
import { deed } from "../deed.ts";
import type { DashboardDoor } from "../door.ts";
import { dashboardPage } from "../frame.ts";
import { faultAt, hiddenFields, originOf, parsed, refusalNotice, typed, typedOrNull, type Sent } from "../sent.ts";
import { ROOT, type Visit } from "../visit.ts";
import { requireSandbox } from "./scene.ts";

type Scene = { visit: Visit; shown: ShownCheckout };

async function readScene(ctx: Context, c: PageContext, visit: Visit): Promise<Scene> {
  requireSandbox(visit);
  const checkout = await readShownCheckout(ctx, visit.organization.id, c.req.param("checkoutId") ?? "");
  if (!checkout) throw new HTTPException(404);
  return { visit, shown: { ...checkout, checkout } };
}

function page(ctx: Context, { visit, shown: { checkout } }: Scene, sent: Sent): Html {
  const fault = faultAt(sent, "card");
  const card = typed(sent, "card");
  const option = ({ number, behaviour }: (typeof SANDBOX_CARDS)[number]) => {
    const chosen = number === card ? html` selected` : "";
    return html`<option value="${number}"${chosen}>${number} ${ENGLISH.testCard[behaviour]}</option>`;
  };
  const email = field({
    name: "email",
    label: "E-mail of the buyer",
    value: typed(sent, "email"),
    type: "email",
    inputmode: "email",
    autocomplete: "off",
    required: true,
    maxlength: 320,
    fault: faultAt(sent, "email"),
  });
  const body = html`${refusalNotice(sent, ["card", "email"])}
<form method="post" class="narrow" data-once>
${hiddenFields(sent)}
<div class="field">
<label for="card">Test card</label>
<select id="card" name="card" ${faultMark("card", fault)}>${SANDBOX_CARDS.map(option)}</select>
${faultText("card", fault)}
</div>
${checkout.customerId === null ? email : ""}
<button class="button small" type="submit">Pay the Checkout</button>
<p><a href="${visit.self}/checkouts/${checkout.id}">Not now</a></p>
</form>`;
  const buyers = html`<a href="${pathOf(checkoutUrl(ctx, checkout))}">the page of the Checkout</a>`;
  const lead = html`Pay with a test card here, or open ${buyers}, as the buyer sees it.`;
  return dashboardPage(ctx, visit, { section: "sandbox", title: "Pay a Checkout", body, lead });
}

/** `/sandbox/checkouts/{checkoutId}/pay`: does the same as `POST /manage/v1/sandbox/checkouts/{checkoutId}/pay`. */
export function payPages(ctx: Context, app: Hono<PageEnvironment>, door: DashboardDoor): void {
  deed<Scene>(app, door, {
    path: `${ROOT}/sandbox/checkouts/:checkoutId/pay`,
    permission: "sandbox",
    scene: (c, visit) => readScene(ctx, c, visit),
    page: (scene, sent) => page(ctx, scene, sent),
    async act({ visit: { organization }, shown: { checkout } }, sent) {
      const params = parsed(PayCheckoutParams, { card: typed(sent, "card"), email: typedOrNull(sent, "email") });
      const { id: resourceId, customerId } = checkout;
      const deedOf = { operation: "paySandboxCheckout", resourceId, customerId, body: { card: "" } };
      // The payment has many transactions, so the form is claimed in one of its own before them.
      await originOf<null>(sent, deedOf).transaction(ctx, () => Promise.resolve(null));
      await payCheckout(ctx, organization.id, checkout.id, params);
      return undefined;
    },
    after: ({ shown: { checkout } }, { self }) => `${self}/checkouts/${checkout.id}`,
  });
}
