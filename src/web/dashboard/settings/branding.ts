import { html } from "hono/html";
import { previewEmail } from "../../../actions/email/preview-email.ts";
import type { Branding, Organization } from "../../../domain/model/organization.ts";
import { parse } from "../../../resources/faults.ts";
import { UpdateOrganizationParams } from "../../../resources/organization.ts";
import { paymentForm } from "../../checkout/payment-form.ts";
import { allowFrame, asFramedPage, messageAnswer, messageFrame, pageFrame } from "../../message-frame.ts";
import { layout, type Html } from "../../layout.ts";
import { shownText, textField } from "../fields.ts";
import { together, type Pages } from "../form-action.ts";
import { typedOrNull, type Sent } from "../sent-form.ts";
import { ROOT } from "../request.ts";
import { contrastPart } from "./contrast.ts";
import { group } from "./fields.ts";
import { parsedSettings, saveOrPreview, settingsForm, settingsFormOf, type SettingsData } from "./form.ts";
import { sampleView } from "./sample-view.ts";
import { SETTINGS, tabOf } from "./tabs.ts";

const PATH = `${SETTINGS}${tabOf("branding").path}`;
const PARTS = ["displayName", "accentColor", "logoUrl"] as const satisfies readonly (keyof Branding)[];
const fieldOf = (part: (typeof PARTS)[number]) => `branding.${part}`;

const brandingIn = (sent: Pick<Sent, "fields">) =>
  Object.fromEntries(PARTS.map((part) => [part, typedOrNull(sent, fieldOf(part))]));

/** The Organization with the typed branding. A part that is not valid stays as it is stored. */
function withTyped(organization: Organization, query: URLSearchParams): Organization {
  const branding = { ...organization.branding };
  for (const part of PARTS) {
    if (!query.has(fieldOf(part))) continue;
    const wanted = { branding: { ...branding, [part]: typedOrNull({ fields: query }, fieldOf(part)) } };
    Object.assign(branding, parse(UpdateOrganizationParams, wanted, "body").value?.branding);
  }
  return { ...organization, branding };
}

function fields({ organization }: SettingsData, sent: Sent): Html {
  const { displayName, accentColor, logoUrl } = organization.branding;
  return group(
    "Your brand",
    html`${textField(sent, fieldOf("displayName"), {
      label: "Name for buyers",
      maxlength: 64,
      known: displayName,
      placeholder: organization.name,
      hint: "If empty, buyers see the name of the Organization.",
    })}
${textField(sent, fieldOf("accentColor"), {
  label: "Colour",
  maxlength: 16,
  known: accentColor,
  placeholder: "#1f4fd8",
  hint: "As # and six digits. Buttons have this colour.",
})}
<div data-live="contrast">${contrastPart(shownText(sent, fieldOf("accentColor"), accentColor, 16))}</div>
${textField(sent, fieldOf("logoUrl"), {
  label: "Logo",
  maxlength: 2048,
  known: logoUrl,
  hint: "The https address of a picture, 32 pixels high. E-mails show the logo in place of the name.",
})}`,
    "Checkouts, the portal, invoices and e-mails have this brand from the next view on. Sent e-mails stay as they are.",
  );
}

/** The frames show Billow's own pages with the typed values. `settings.js` keeps them up to date. */
function previews({ organization, request }: SettingsData, sent: Sent): Html {
  const shown = PARTS.map((part) => [fieldOf(part), shownText(sent, fieldOf(part), organization.branding[part])]);
  const query = new URLSearchParams(shown);
  const at = (name: string) => `${request.self}${PATH}/${name}?${query}`;
  return html`<section class="previews" aria-labelledby="previews">
<h2 id="previews">Preview</h2>
<h3>Checkout</h3>
<div class="preview" data-preview>${pageFrame(at("checkout"), "Preview of a Checkout")}</div>
<h3>E-mail</h3>
<div class="preview" data-preview>${messageFrame(at("email"), "Preview of an e-mail")}</div>
</section>`;
}

const frames: Pages = (ctx, app, guard) => {
  const { permission } = tabOf("branding");
  app.get(
    `${ROOT}${PATH}/checkout`,
    guard.signedIn(permission, async (c, { organization }) => {
      asFramedPage(c);
      const view = await sampleView(ctx, withTyped(organization, new URL(c.req.url).searchParams));
      const { words, product } = view;
      const body = paymentForm(view);
      return c.html(layout(ctx, { words, organization: view.organization, title: product.name, body }));
    }),
  );
  app.get(
    `${ROOT}${PATH}/email`,
    guard.signedIn(permission, async (c, { organization }) => {
      const typed = withTyped(organization, new URL(c.req.url).searchParams);
      return messageAnswer(c, (await previewEmail(ctx, typed, "receipt", "en")).html);
    }),
  );
};

/** `…/settings/branding`: the brand, with a preview of the typed values. */
export const brandingPages = together(
  settingsForm({
    tab: "branding",
    load: allowFrame,
    read: (sent) => parsedSettings({ branding: brandingIn(sent) }),
    page: (data, sent) => html`<div class="branding">
${settingsFormOf(data, sent, PARTS.map(fieldOf), fields(data, sent), saveOrPreview("Preview"))}
${previews(data, sent)}
</div>`,
  }),
  frames,
);
