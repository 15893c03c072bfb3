import { html } from "hono/html";
import { updateOrganization, type OrganizationView } from "../../../actions/organization/organizations.ts";
import type { Context } from "../../../context.ts";
import { EMAIL_SWITCHES, SWITCHED_EMAIL_KINDS } from "../../../domain/model/email.ts";
import type { Organization } from "../../../domain/model/organization.ts";
import { PORTAL_OPERATIONS, portalAllows } from "../../../domain/model/portal-settings.ts";
import { Refusal } from "../../../domain/refusal.ts";
import { AppError, type Fault } from "../../../errors.ts";
import { UpdateOrganizationParams } from "../../../resources/organization.ts";
import type { PageContext } from "../../environment.ts";
import type { Html } from "../../layout.ts";
import { doneNotice } from "../components/done-notice.ts";
import { differing } from "../form-values.ts";
import { formPages, type FormAction, type Pages } from "../form-action.ts";
import { EDIT, hiddenFields, originOf, parsed, refusalNotice, type Sent } from "../sent-form.ts";
import { ROOT, type DashboardRequest } from "../request.ts";
import { settingsPage } from "./page.ts";
import { SETTINGS, tabOf, type TabName } from "./tabs.ts";

/** The name of the hidden field with the version of the Organization that the page showed. */
const VERSION = "version";

export const DONE = { saved: "The settings are saved." };
const STALE =
  "The settings have changed since you opened this page, so your values are not saved yet. Open the settings in " +
  "another tab and compare. To save your values anyway, send the form again.";

/** `done`: the line about the change that was just saved. */
export type SettingsData = { request: DashboardRequest; organization: Organization; done: Html | "" };

/** One form of the settings. */
export type SettingsForm<More> = {
  tab: TabName;
  /** The path below the one of the tab; by default the tab's own. */
  path?: string;
  title?: string;
  lead?: string;
  asksAgain?: boolean;
  /** As in `FormAction`. */
  takes?: NonNullable<FormAction<SettingsData>["takes"]>;
  /** Sets headers of the answer, and reads further data of the page. */
  load?(c: PageContext, request: DashboardRequest): Promise<More> | More;
  /**
   * The typed values as the body of PATCH /organization.
   * @throws AppError `validation_failed`
   */
  read(sent: Sent, organization: Organization): UpdateOrganizationParams;
  page(data: SettingsData & { more: More }, sent: Sent): Html;
  /** The fields that a person confirms by saving them, even without a change. */
  confirmed?(
    ctx: Context,
    organization: Organization,
    read: UpdateOrganizationParams,
  ): Promise<UpdateOrganizationParams>;
};

/**
 * The typed values as the API parses them. `words`: own words for faults of fields that have another form on a page;
 * null: the words of the API.
 * @throws AppError `validation_failed`
 */
export function parsedSettings(
  body: unknown,
  words: (fault: Fault) => string | null = () => null,
): UpdateOrganizationParams {
  try {
    return parsed(UpdateOrganizationParams, body);
  } catch (error) {
    if (!(error instanceof AppError) || !error.parts.errors) throw error;
    const errors = error.parts.errors.map((fault) => ({ ...fault, message: words(fault) ?? fault.message }));
    throw new AppError(error.code, { ...error.parts, errors });
  }
}

/** The current values of the fields that have another form in a request than in a row. */
function currentValues(organization: Organization): Record<string, unknown> {
  const { retryDays, graceDays, emailsOff, portalProducts: products, portalPause: pause, taxId } = organization;
  const emails = SWITCHED_EMAIL_KINDS.map((kind) => [EMAIL_SWITCHES[kind], !emailsOff.includes(kind)]);
  const portal = PORTAL_OPERATIONS.map((operation) => [operation, portalAllows(organization, operation)]);
  return {
    ...organization,
    dunning: { retryDays, graceDays },
    emails: Object.fromEntries(emails),
    portal: { ...Object.fromEntries(portal), products, pause },
    taxId: taxId && { type: taxId.type, value: taxId.value },
  };
}

/** The fields with another value than now, so that the audit log names these alone. */
export function changedFields(params: UpdateOrganizationParams, organization: Organization): UpdateOrganizationParams {
  const current = currentValues(organization);
  const changed = Object.entries(differing(params, current)).map(([name, value]) => {
    const isPartial = name === "emails" || name === "portal";
    return [name, isPartial ? differing(value as object, current[name] as object) : value];
  });
  return Object.fromEntries(changed) as UpdateOrganizationParams;
}

const isStale = ({ organization }: OrganizationView, { fields }: Sent) =>
  fields.get(VERSION) !== String(organization.version);

/** A page of the settings with its form. The change is the one of PATCH /organization. */
export function settingsForm<More = void>(form: SettingsForm<More>): Pages {
  const { tab, path = "", title, lead, asksAgain = false, takes = {} } = form;
  const below = `${SETTINGS}${tabOf(tab).path}`;
  const after = ({ self }: DashboardRequest) => `${self}${below}?done=saved`;
  return formPages<SettingsData & { more: More }, UpdateOrganizationParams>({
    path: `${ROOT}${below}${path}`,
    permission: tabOf(tab).permission,
    asksAgain,
    takes,
    async load(c, request) {
      // A form is sent to the address of its page, which may say that an earlier change was saved.
      const done = c.req.method === "GET" ? doneNotice(c, DONE) : "";
      return { request, organization: request.organization, done, more: (await form.load?.(c, request)) as More };
    },
    page(data, sent) {
      const body = html`${sent.refusal === null ? data.done : ""}${form.page(data, sent)}`;
      return settingsPage(data.request, tab, {
        ...(title !== undefined && { title }),
        ...(lead !== undefined && { lead }),
        body,
      });
    },
    read: ({ organization }, sent) => form.read(sent, organization),
    async act({ organization, request: { ctx } }, read, sent) {
      const changed = { ...changedFields(read, organization), ...(await form.confirmed?.(ctx, organization, read)) };
      if (Object.keys(changed).length === 0) return;
      const origin = originOf<OrganizationView>(sent, {
        operation: "updateOrganization",
        resourceId: organization.id,
        body: changed,
      });
      await updateOrganization(ctx, origin, changed, (shown) => {
        if (isStale(shown, sent)) throw new Refusal("precondition_failed");
      });
    },
    after: (_, request) => after(request),
    words: { precondition_failed: STALE },
  });
}

/**
 * The version that the form is based on. A preview and a fault of a field keep the version of the page on which the
 * person began, so that a change by another person is still noticed. After another refusal, the person knows.
 */
function versionOf({ version }: Organization, sent: Sent): string {
  const { refusal } = sent;
  const isFormVersion = sent.isSent && (refusal === null || refusal.faults.length > 0);
  return isFormVersion ? sent.fields.get(VERSION)! : String(version);
}

/**
 * The form of a page, sent to its own path. `names`: the fields that show their own faults. `buttons`: after the
 * fields, by default one that saves; null: the fields have the button.
 */
export function settingsFormOf(
  { organization }: SettingsData,
  sent: Sent,
  names: readonly string[],
  fields: Html,
  buttons: Html | null = SAVE,
): Html {
  return html`<form method="post" class="settings" data-once novalidate>
${hiddenFields(sent)}<input type="hidden" name="${VERSION}" value="${versionOf(organization, sent)}">
${refusalNotice(sent, names)}
${fields}
${buttons === null ? "" : html`<p class="actions">${buttons}</p>`}
</form>`;
}

const SAVE = html`<button class="button small" type="submit">Save</button>`;

/** Buttons that save, and that show the page again with the typed values. */
export const saveOrPreview = (label: string): Html => html`${SAVE}
<button class="button small other" type="submit" name="${EDIT}" value="preview">${label}</button>`;
