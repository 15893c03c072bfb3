import { html } from "hono/html";
import { createPaymentLink, updatePaymentLink } from "../../../actions/catalogue/payment-links.ts";
import { paymentLinkUrl } from "../../../actions/links.ts";
import { entryOf } from "../../../actions/provider.ts";
import { takesPayments } from "../../../domain/model/organization.ts";
import type { CountedPaymentLink } from "../../../domain/model/payment-link.ts";
import { counted } from "../../../domain/words.ts";
import { discountCode } from "../../../resources/discount.ts";
import type { CreatePaymentLinkParams, UpdatePaymentLinkParams } from "../../../resources/payment-link.ts";
import { findBenefits } from "../../../store/benefits.ts";
import { findDiscountByCode } from "../../../store/discounts.ts";
import { billingNow } from "../../../store/organizations.ts";
import { products as productTable } from "../../../store/products.ts";
import type { Html } from "../../layout.ts";
import { qrCode } from "../../components/qr-code.ts";
import { badge } from "../components/badge.ts";
import { id, NONE, time } from "../components/cells.ts";
import { definitions } from "../components/definitions.ts";
import { doneNotice } from "../components/done-notice.ts";
import { together, type Pages } from "../form-action.ts";
import { numberRange } from "../quantity-range.ts";
import { editForm, endForm, newForm, rowAt, rowPath } from "../resource-forms.ts";
import { ROOT, type DashboardRequest } from "../request.ts";
import { requireSeen } from "../sent-form.ts";
import { productsForSale } from "../subscription/products.ts";
import { shownRow } from "./frame.ts";
import { linkForm, linkPicture, type LinkData } from "./link-form.ts";
import { readLinkChanges, readNewLink } from "./link-values.ts";
import { sharing } from "./link-sharing.ts";
import { fieldList } from "./own-fields.ts";
import { PAYMENT_LINKS } from "./resources.ts";

const DONE = {
  created: "The page sells now. Share its address.",
  saved: "The payment link has been saved.",
  off: "The page sells no more.",
  on: "The page sells again.",
};

/** The Products for sale, with those of the link that are archived, and the discounts of its code and the typed one. */
async function load(request: DashboardRequest, link: CountedPaymentLink | null): Promise<LinkData> {
  const { ctx, organization, form } = request;
  const typedCode = discountCode.safeParse((form.get("discountCode") ?? "").trim());
  const codes = [link?.discountCode ?? null, typedCode.success ? typedCode.data : null];
  const [forSale, own, discounts, now, entry] = await Promise.all([
    productsForSale(request),
    link === null ? null : productTable.findAll(ctx.db.read, organization.id, link.productIds),
    Promise.all(codes.map((code) => (code === null ? null : findDiscountByCode(ctx.db.read, organization.id, code)))),
    billingNow(ctx.db.read, organization.id),
    takesPayments(organization) ? entryOf(ctx, organization) : { closed: "no_provider" as const },
  ]);
  const products = [...forSale, ...(own?.values() ?? [])].filter(
    (product, n, all) => all.findIndex((each) => each.id === product.id) === n,
  );
  const ids = [...new Set(products.flatMap(({ benefitIds }) => benefitIds))];
  const benefits = await findBenefits(ctx.db.read, organization.id, ids);
  return {
    link,
    products,
    benefits,
    discounts: discounts.filter((each) => each !== null),
    now,
    organization,
    closed: entry.closed,
  };
}

const newPage = newForm<CountedPaymentLink, LinkData, CreatePaymentLinkParams, CountedPaymentLink>(PAYMENT_LINKS, {
  load: (request) => load(request, null),
  page: linkForm,
  read: readNewLink,
  create: createPaymentLink,
  next: (request, made) => `${rowPath(PAYMENT_LINKS, request, made)}?done=created`,
});

const editPage = editForm<CountedPaymentLink, LinkData, UpdatePaymentLinkParams>(PAYMENT_LINKS, {
  load,
  page: linkForm,
  read: readLinkChanges,
  effect: (_, { checkouts }) => html`<p>Later visits see the changed page. The
${counted(checkouts, "Checkout")} of the link so far keep their terms.</p>`,
  update: updatePaymentLink,
  done: "saved",
});

const switchForm = (name: "switch-off" | "switch-on", active: boolean) =>
  endForm<CountedPaymentLink, CountedPaymentLink>(PAYMENT_LINKS, {
    name,
    operation: "updatePaymentLink",
    body: () => ({ active }),
    page: (_, link) => ({
      title: active ? `Switch ${link.name} on?` : `Switch ${link.name} off?`,
      effect: active
        ? html`<p>The page sells its Products again.</p>`
        : html`<p>The page tells buyers that the link is switched off, with your contact address. Open Checkouts can
still be paid.</p>`,
      label: active ? "Switch the link on" : "Switch the link off",
      isDangerous: !active,
    }),
    end: (ctx, origin, link, sent) =>
      updatePaymentLink(ctx, origin, link.id, { active }, (row) => requireSeen(row, sent)),
    next: (request, link) => `${rowPath(PAYMENT_LINKS, request, link)}?done=${active ? "on" : "off"}`,
  });

function factsOf({ organization, self }: DashboardRequest, link: CountedPaymentLink, { products }: LinkData): Html {
  const zone = organization.timeZone;
  const product = (productId: string) => {
    const found = products.find((each) => each.id === productId);
    const name = found?.name ?? productId;
    const gone = found?.archived ? " (archived)" : "";
    return html`<li><a href="${self}/products/${productId}"><bdi>${name}</bdi></a>${gone}</li>`;
  };
  const { quantity, quantityChange: range, metadata } = link;
  return definitions([
    ["State", badge(link.active ? "good" : "quiet", link.active ? "Sells" : "Switched off")],
    ["Visits", String(link.visits)],
    ["Checkouts", String(link.checkouts)],
    ["Purchases", String(link.purchases)],
    ["Products", html`<ul>${link.productIds.map(product)}</ul>`],
    ["Currency", link.currency?.toUpperCase() ?? "As each Product"],
    ["Quantity", quantity === null ? "As the address says, else the smallest" : String(quantity)],
    ...(range === null ? [] : [["The buyer can choose", numberRange(range)] as const]),
    ["Discount code", link.discountCode ?? NONE],
    ["Codes of buyers", link.allowDiscountCodes ? "Are taken" : "Are not taken"],
    ["Language", link.locale === null ? "As the browser of the buyer" : link.locale],
    ["Own fields", link.fields === null ? NONE : fieldList(link.fields)],
    ["Page after the purchase", link.successUrl ?? NONE],
    ["Metadata", Object.keys(metadata).length === 0 ? NONE : String(Object.keys(metadata).length)],
    ["Created", time(link.createdAt, zone)],
    ["Id", id(link.id)],
  ]);
}

function factsAndWays(
  request: DashboardRequest,
  link: CountedPaymentLink,
  { data, query }: { data: LinkData; query: URLSearchParams },
): Html {
  const at = rowPath(PAYMENT_LINKS, request, link);
  return html`<div>${factsOf(request, link, data)}${sharing(request, link, { at, query })}</div>`;
}

const onePage: Pages = (ctx, app, { signedIn }) => {
  app.get(
    `${ROOT}/payment-links/:paymentLinkId`,
    signedIn("read", async (c, request) => {
      const link = await rowAt(PAYMENT_LINKS, c, request);
      const data = await load(request, link);
      const shown = {
        done: doneNotice(c, DONE),
        facts: factsAndWays(request, link, { data, query: new URL(c.req.url).searchParams }),
        drawn: linkPicture(data, request, link),
        links: [
          ["edit", "Edit"],
          ...(link.active ? ([["switch-off", "Switch off"]] as const) : ([["switch-on", "Switch on"]] as const)),
        ] as const,
      };
      return c.html(shownRow(PAYMENT_LINKS, request, link, shown));
    }),
  );
  app.get(
    `${ROOT}/payment-links/:paymentLinkId/qr.svg`,
    signedIn("read", async (c, request) => {
      const link = await rowAt(PAYMENT_LINKS, c, request);
      const svg = String(await qrCode(paymentLinkUrl(ctx, link), "QR code"));
      return c.body(svg.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" '), 200, {
        "Content-Type": "image/svg+xml; charset=utf-8",
        "Content-Disposition": `attachment; filename="${link.id}.svg"`,
      });
    }),
  );
};

/** `/dashboard/{organizationId}/payment-links/…`: the pages of one link. The list is one of the lists. */
export const linkPages = together(
  newPage,
  editPage,
  switchForm("switch-off", false),
  switchForm("switch-on", true),
  onePage,
);
