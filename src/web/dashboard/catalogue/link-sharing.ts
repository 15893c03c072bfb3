import { html } from "hono/html";
import { paymentLinkUrl, portalUrl } from "../../../actions/links.ts";
import type { PaymentLink } from "../../../domain/model/payment-link.ts";
import { themeOf } from "../../buy/theme.ts";
import { qrCode } from "../../components/qr-code.ts";
import type { Html } from "../../layout.ts";
import { guideLink } from "../components/guide-link.ts";
import { secret } from "../components/secret.ts";
import { selectField } from "../fields.ts";
import type { DashboardRequest } from "../request.ts";

type Look = [name: string, value: string][];

const SCHEMES = [
  ["auto", "As the visitor's device prefers"],
  ["light", "Light"],
  ["dark", "Dark"],
] as const;
const CORNERS = [
  ["", "As your pages"],
  ["0", "Square"],
  ["4", "Slightly round"],
  ["16", "Round"],
  ["24", "Very round"],
] as const;

/** The look that the address of the page asks for, without the usual values. */
function lookOf(query: URLSearchParams): Look {
  const { scheme, radius } = themeOf(query, null);
  return [
    ...(scheme === "auto" ? [] : [["scheme", scheme] as [string, string]]),
    ...(radius === null ? [] : [["radius", String(radius)] as [string, string]]),
  ];
}

/** The address of the table in a look. */
const tableUrl = (url: string, look: Look) =>
  look.length === 0 ? `${url}/table` : `${url}/table?${new URLSearchParams(look)}`;

/** The lines that put the table into a page, in the look that the seller chooses here. */
function tableLines(url: string, look: Look): Html {
  const attributes = look.map(([name, value]) => ` data-${name}="${value}"`).join("");
  const script = `<script src="${url}/table.js"${attributes} async></script>`;
  const address = tableUrl(url, look).replaceAll("&", "&amp;");
  const frame = `<iframe src="${address}" title="Plans and prices" width="100%" height="640" frameborder="0"></iframe>`;
  const state = { fields: new URLSearchParams(look), refusal: null };
  return html`<h3 id="table">Pricing table</h3>
<p class="hint">The table stands on any page of your site, in the colour of your branding. The lines below follow your
choice.</p>
<form class="look" action="#table" aria-label="Look of the table">
<div class="pair">
${selectField(state, "scheme", { label: "Brightness", options: SCHEMES })}
${selectField(state, "radius", { label: "Corners", options: CORNERS })}
</div>
<p class="actions"><button class="button small other" type="submit">Show the lines</button>
<a href="${tableUrl(url, look)}">Open the table</a></p>
</form>
<h4>By a script</h4>
${secret("Pricing table by a script", script)}
<h4>By a frame</h4>
${secret("Pricing table by a frame", frame)}`;
}

/**
 * The address, its QR code, and the lines that put the pricing table into a page. `at`: the path of the link in the
 * dashboard. `query`: of the page, with the look of the table.
 */
export function sharing(
  { ctx, organization }: DashboardRequest,
  link: PaymentLink,
  { at, query }: { at: string; query: URLSearchParams },
): Html {
  const url = paymentLinkUrl(ctx, link);
  return html`<section class="sharing" aria-labelledby="sharing">
<h2 id="sharing">Share</h2>
<h3>Address of the page</h3>
${secret("Address of the page", url)}
<p><a href="${url}">Open the page</a></p>
<h3>QR code</h3>
${qrCode(url, `QR code of the page ${link.name}`)}
<p><a href="${at}/qr.svg" download>Download the QR code</a></p>
${tableLines(url, lookOf(query))}
<h3>Manage your plan</h3>
${secret("Address of the portal", portalUrl(ctx, organization.id))}
<p class="hint">Customers sign in there to change or cancel their plan.
${guideLink(ctx, "guides/sell-without-code", "Colours, addresses and rules of the table")}</p>
</section>`;
}
