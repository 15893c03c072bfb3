import { html } from "hono/html";
import { HTTPException } from "hono/http-exception";
import { previewEmail } from "../../../actions/email/preview-email.ts";
import {
  BUYER_EMAIL_KINDS,
  EMAIL_KINDS,
  EMAIL_SWITCHES,
  SWITCHED_EMAIL_KINDS,
  type EmailKind,
  type SwitchedEmailKind,
} from "../../../domain/model/email.ts";
import { LANGUAGES, type Language } from "../../../domain/locale.ts";
import { ownName } from "../../components/language-name.ts";
import { allowFrame, messageAnswer, messageFrame } from "../../message-frame.ts";
import type { PageContext } from "../../environment.ts";
import type { Html } from "../../layout.ts";
import { definitions } from "../components/definitions.ts";
import { notice } from "../components/notice.ts";
import { tabs } from "../components/tabs.ts";
import { together, type Pages } from "../form-action.ts";
import type { Sent } from "../sent-form.ts";
import { ROOT, type DashboardRequest } from "../request.ts";
import { EMAILS, WITHOUT_SWITCH, type UnswitchedEmailKind } from "./email-texts.ts";
import { group, switchField } from "./fields.ts";
import { parsedSettings, settingsForm, settingsFormOf, type SettingsData } from "./form.ts";
import { settingsPage } from "./page.ts";
import { SETTINGS, tabOf } from "./tabs.ts";

const PATH = `${SETTINGS}${tabOf("emails").path}`;
const fieldOf = (kind: SwitchedEmailKind) => `emails.${EMAIL_SWITCHES[kind]}`;

function previewLink({ self }: DashboardRequest, kind: EmailKind): Html {
  return html`<a href="${self}${PATH}/${kind}">Preview<span class="hidden"> of “${EMAILS[kind].title}”</span></a>`;
}

function switches({ organization, request }: SettingsData, sent: Sent): Html {
  const one = (kind: SwitchedEmailKind) =>
    switchField(sent, fieldOf(kind), {
      label: EMAILS[kind].title,
      hint: html`${EMAILS[kind].when} ${EMAILS[kind].off ?? ""} ${previewLink(request, kind)}`,
      known: !organization.emailsOff.includes(kind),
    });
  return group(
    "E-mails to buyers",
    html`${SWITCHED_EMAIL_KINDS.map(one)}`,
    "A switch also counts for e-mails that wait.",
  );
}

/** The kinds that have no switch, each with its reason. */
function others({ request }: SettingsData): Html {
  const kinds = Object.keys(WITHOUT_SWITCH) as UnswitchedEmailKind[];
  const one = (kind: UnswitchedEmailKind) =>
    [EMAILS[kind].title, html`${EMAILS[kind].when} ${WITHOUT_SWITCH[kind]} ${previewLink(request, kind)}`] as const;
  return html`<h2>E-mails without a switch</h2>
${definitions(kinds.map(one))}`;
}

const kindIn = (c: PageContext): EmailKind => {
  const kind = EMAIL_KINDS.find((each) => each === c.req.param("kind"));
  if (!kind) throw new HTTPException(404);
  return kind;
};
const languageIn = (c: PageContext): Language => LANGUAGES.find((each) => each === c.req.query("language")) ?? "en";

type Preview = { kind: EmailKind; language: Language; message: { subject: string; text: string } };

function previewPage(request: DashboardRequest, { kind, language, message: { subject, text } }: Preview): Html {
  const { organization, self } = request;
  const here = `${self}${PATH}/${kind}`;
  const isForBuyers = BUYER_EMAIL_KINDS.some((each) => each === kind);
  const languages = LANGUAGES.map((each) => ({
    href: `${here}?language=${each}`,
    label: ownName(each),
    isCurrent: each === language,
  }));
  const isOff = organization.emailsOff.some((each) => each === kind);
  const body = html`${isOff ? notice("hint", "This e-mail is switched off.") : ""}
<p>${EMAILS[kind].when}</p>
${isForBuyers ? tabs("Language", languages) : html`<p class="note">This e-mail is in English.</p>`}
${definitions([["Subject", html`<bdi>${subject}</bdi>`]])}
<h2>As HTML</h2>
<div class="preview">${messageFrame(`${here}/html?language=${language}`)}</div>
<h2>As plain text</h2>
<pre class="plain" tabindex="0" lang="${language}">${text}</pre>
<p class="aside"><a href="${self}${PATH}">All e-mails</a></p>`;
  const lead = "The e-mail shows sample data, and has your name, your colour, your links and your settings.";
  return settingsPage(request, "emails", { title: EMAILS[kind].title, lead, body });
}

const previews: Pages = (ctx, app, guard) => {
  const { permission } = tabOf("emails");
  app.get(
    `${ROOT}${PATH}/:kind`,
    guard.signedIn(permission, async (c, request) => {
      const kind = kindIn(c);
      allowFrame(c);
      const language = languageIn(c);
      const message = await previewEmail(ctx, request.organization, kind, language);
      return c.html(previewPage(request, { kind, language, message }));
    }),
  );
  app.get(
    `${ROOT}${PATH}/:kind/html`,
    guard.signedIn(permission, async (c, { organization }) => {
      const kind = kindIn(c);
      return messageAnswer(c, (await previewEmail(ctx, organization, kind, languageIn(c))).html);
    }),
  );
};

/** `…/settings/emails`: the kinds of e-mail, each with a preview and, if it has one, its switch. */
export const emailPages = together(
  settingsForm({
    tab: "emails",
    read: ({ fields }) =>
      parsedSettings({
        emails: Object.fromEntries(
          SWITCHED_EMAIL_KINDS.map((kind) => [EMAIL_SWITCHES[kind], fields.has(fieldOf(kind))]),
        ),
      }),
    page: (data, sent) => html`${settingsFormOf(data, sent, SWITCHED_EMAIL_KINDS.map(fieldOf), switches(data, sent))}
${others(data)}`,
  }),
  previews,
);
