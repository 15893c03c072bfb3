import type { Hono } from "hono";
import { html } from "hono/html";
import { foundByForm, NotAnOwner, type Founded } from "../../actions/organization/found-organization.ts";
import type { NewOrganization } from "../../actions/organization/create-organization.ts";
import { SentTwice } from "../../actions/team/form-origin.ts";
import type { Context } from "../../context.ts";
import { beginOfDay, parseDate } from "../../domain/calendar.ts";
import { CreateOrganizationParams } from "../../resources/organization.ts";
import type { PageContext, PageEnvironment } from "../environment.ts";
import type { Html } from "../layout.ts";
import { choices } from "./components/choices.ts";
import { guideLink } from "./components/guide-link.ts";
import { notice } from "./components/notice.ts";
import { secret } from "./components/secret.ts";
import { isOnce, newOnce, NO_KEY, refusedBy, type Refused } from "./form-action.ts";
import type { DashboardGuard } from "./guard.ts";
import { dateField, OPTIONAL, textField } from "./fields.ts";
import { panelPage } from "./frame.ts";
import { faultAt, hiddenFields, ONCE, parsed, refusalNotice, refusedField, typed, type Sent } from "./sent-form.ts";
import { TOKEN } from "./token-field.ts";
import type { UserRequest } from "./request.ts";

const PATH = "/dashboard/new-organization";
const FIELDS = ["name", "mode", "timeZone", "clock"];
const TIME_ZONES = ["UTC", ...Intl.supportedValuesOf("timeZone")];
const MODES = [
  ["live", "Live", "Sells for money once an account at a payment provider is connected."],
  ["sandbox", "Sandbox", "For tests: no real money moves, and you can advance the clock."],
] as const;

type Filled = Pick<Sent, "fields" | "refusal">;

const back = ({ base }: UserRequest) => html`<p class="aside"><a href="${base}">Not now</a></p>`;

function formPage(ctx: Context, request: UserRequest, filled: Filled): Html {
  const body = html`${refusalNotice(filled, FIELDS)}
<p>Each owner of this installation becomes an owner of the new Organization.</p>
<form method="post" data-once novalidate>
${hiddenFields({ request, once: newOnce() })}
${textField(filled, "name", { label: "Name", maxlength: 128, required: true, hint: "Buyers see this name." })}
${choices({
  name: "mode",
  legend: "Mode",
  choices: MODES,
  chosen: filled.fields.getAll("mode"),
  isOne: true,
  fault: faultAt(filled, "mode"),
})}
${textField(filled, "timeZone", {
  label: "Time zone",
  required: true,
  maxlength: 64,
  suggestions: TIME_ZONES,
  known: "UTC",
  hint: "Subscriptions are renewed by the calendar of this zone, such as Europe/Berlin.",
})}
${dateField(filled, "clock", {
  label: "First day of the sandbox’s clock",
  mark: OPTIONAL,
  hint: "Only for a sandbox: the clock stands still on this day until you advance it. If empty, it follows real time.",
})}
<button class="button" type="submit">Create the Organization</button>
</form>
${back(request)}`;
  return panelPage(ctx, "New Organization", body);
}

/** The only page with the secrets of the two keys. */
function madePage(ctx: Context, { base }: UserRequest, { organization, keys }: Founded): Html {
  const next =
    organization.mode === "sandbox"
      ? ""
      : html`<p>The Organization sells for money once the operator of the server has connected an account.
${guideLink(ctx, "operating/payments#connect", "How to connect an account")}</p>`;
  const body = html`${notice("done", "The Organization has been created. Copy its keys now: no other page shows them.")}
<h2>Key for your shop</h2>
<p>The scope is <code>public</code>: Checkouts, Customers and access.</p>
${secret("The secret of the key public", keys.public)}
<h2>Key for the management</h2>
<p>The scope is <code>manage</code>: everything in the Organization.</p>
${secret("The secret of the key manage", keys.manage)}
<p>Keep both secrets where your backend keeps its secrets, and never in a page or an app of your buyers.</p>
${next}
<p><a class="button" href="${base}/${organization.id}">To the new Organization</a></p>`;
  return panelPage(ctx, organization.name, body);
}

function notOwnerPage(ctx: Context, { base }: UserRequest): Html {
  const body = html`<p>Only an owner of this installation makes an Organization. An owner of the installation owns each
live Organization of the installation.</p>
<p>${guideLink(ctx, "operating/team#owners-of-the-installation", "About owners")}</p>
<p class="aside"><a href="${base}">Back to the dashboard</a></p>`;
  return panelPage(ctx, "You can’t make an Organization", body);
}

/** @throws AppError `validation_failed` */
function wantedIn(fields: URLSearchParams): NewOrganization {
  const text = (name: string) => typed({ fields }, name);
  const body = { name: text("name"), mode: text("mode"), timeZone: text("timeZone") || "UTC" };
  const wanted = parsed(CreateOrganizationParams, body);
  if (text("clock") === "") return wanted;
  const day = parseDate(text("clock"));
  if (day === null) throw refusedField("clock", "invalid_date", "Enter a day such as 2027-01-31.");
  return { ...wanted, clock: beginOfDay(day, wanted.timeZone) };
}

/** The texts of the form, for its comparison with an earlier sending. */
function textOf(form: URLSearchParams): string {
  const fields = new URLSearchParams(form);
  fields.delete(ONCE);
  fields.delete(TOKEN);
  return String(fields);
}

/** `/dashboard/new-organization`: an owner of the installation makes an Organization. The password is asked again. */
export function newOrganizationPages(ctx: Context, app: Hono<PageEnvironment>, guard: DashboardGuard): void {
  // A person without the right learns this before the password is asked again.
  const admitted = (answer: (c: PageContext, request: UserRequest) => Promise<Response>) =>
    guard.known(async (c, request) => {
      if (!request.ownsInstallation) return c.html(notOwnerPage(ctx, request), 403);
      return request.isConfirmed
        ? answer(c, request)
        : c.redirect(`${request.base}/confirm?${new URLSearchParams({ next: PATH })}`, 303);
    });
  app.get(
    PATH,
    admitted(async (c, request) => c.html(formPage(ctx, request, { fields: new URLSearchParams(), refusal: null }))),
  );
  app.post(
    PATH,
    admitted(async (c, request) => {
      const { form, user, memberships, by } = request;
      const again = ({ status, refusal }: Refused) => c.html(formPage(ctx, request, { fields: form, refusal }), status);
      const once = form.get(ONCE);
      if (once === null || !isOnce(once)) return again({ status: 422, refusal: { text: NO_KEY, faults: [] } });
      const sent = { path: "createOrganization", once, fields: textOf(form) };
      try {
        const founded = await foundByForm(ctx, { userId: user.id, memberships, by }, sent, wantedIn(form));
        return c.html(madePage(ctx, request, founded));
      } catch (error) {
        if (error instanceof NotAnOwner) return c.html(notOwnerPage(ctx, request), 403);
        if (error instanceof SentTwice) return c.redirect(request.base, 303);
        return again(refusedBy(error));
      }
    }),
  );
}
