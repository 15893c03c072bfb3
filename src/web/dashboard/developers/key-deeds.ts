import type { Hono } from "hono";
import { html } from "hono/html";
import { addApiKey, revokeApiKey, rotateApiKey } from "../../../actions/organization/api-keys.ts";
import type { NewApiKey } from "../../../actions/organization/create-api-key.ts";
import { realNow } from "../../../clock.ts";
import type { Context } from "../../../context.ts";
import { beginOfDay, DAY, formatInstant, parseDate } from "../../../domain/calendar.ts";
import type { ApiKey } from "../../../domain/organization/api-key.ts";
import { CreateApiKeyParams, RotateApiKeyParams } from "../../../resources/api-key.ts";
import { field, shownAgain } from "../../components/field.ts";
import { developersStylesPath } from "../../assets.ts";
import type { PageEnvironment } from "../../environment.ts";
import { stylesheet, type Html } from "../../layout.ts";
import { time } from "../components/cells.ts";
import { choices } from "../components/choices.ts";
import { confirmPanel } from "../components/confirm-panel.ts";
import { notice } from "../components/notice.ts";
import { secret } from "../components/secret.ts";
import { deed } from "../deed.ts";
import type { DashboardDoor } from "../door.ts";
import { dashboardPage } from "../frame.ts";
import { faultAt, hiddenFields, originOf, parsed, refusalNotice, refusedField, typed, type Sent } from "../sent.ts";
import type { Visit } from "../visit.ts";
import { keyHint, keyScopes, mayHold } from "./key-state.ts";
import { keyOf } from "./keys.ts";
import { keyPath, KEYS } from "./paths.ts";

const SCOPES = [
  { value: "public", label: "public", hint: "For your backend: Checkouts, Customers, Subscriptions and access." },
  { value: "manage", label: "manage", hint: "Everything in the Organization, also money and other keys." },
];
const OVERLAPS = [
  { value: "0", label: "No overlap: the old key ends now" },
  { value: "3600", label: "For an hour" },
  { value: "86400", label: "For a day" },
  { value: "604800", label: "For seven days" },
];
const USUAL_OVERLAP = "86400";
const RECENTLY_MILLISECONDS = 7 * DAY;

const ONLY_OWNERS = "Only an owner can get the secret of a key with the scope manage.";

const page = (ctx: Context, visit: Visit, title: string, body: Html) =>
  dashboardPage(ctx, visit, { section: "keys", title, body, head: stylesheet(developersStylesPath(ctx)) });

/** The page after a deed that made a key: the only page with its secret. */
function secretPage(ctx: Context, visit: Visit, title: string, { key, secret: text }: NewApiKey, note: Html): Html {
  const body = html`${notice("done", "The key has been created. Copy the key now: no other page shows the key.")}
${secret("The secret of the new key", text)}
<p>${note} Keep the secret where your backend keeps its secrets, and never in a page or an app of your buyers.</p>
<p class="older"><a href="${keyPath(visit.self, key.id)}">To the key <bdi>${key.name}</bdi></a></p>`;
  return page(ctx, visit, title, body);
}

function newKeyForm(sent: Sent): Html {
  const chosen = sent.refusal === null ? ["public"] : sent.fields.getAll("scopes");
  return html`${refusalNotice(sent, ["name", "scopes", "expiresAt"])}
<form method="post" class="narrow" data-once novalidate>
${hiddenFields(sent)}
${field({
  name: "name",
  label: "Name",
  inputmode: "text",
  autocomplete: "off",
  required: true,
  maxlength: 256,
  value: shownAgain(typed(sent, "name")),
  hint: "The program that will use the key, such as “Shop backend”.",
  fault: faultAt(sent, "name"),
})}
${choices({
  name: "scopes",
  legend: "Scopes",
  choices: SCOPES.filter(({ value }) => mayHold(sent.visit, [value])),
  chosen,
  fault: faultAt(sent, "scopes"),
})}
${field({
  name: "expiresAt",
  label: "Expires",
  mark: "optional",
  inputmode: "text",
  autocomplete: "off",
  required: false,
  maxlength: 10,
  placeholder: "2027-01-31",
  value: shownAgain(typed(sent, "expiresAt")),
  hint: "The first day without the key. If the field is empty, the key does not expire.",
  fault: faultAt(sent, "expiresAt"),
})}
<button class="button small" type="submit">Create the key</button>
</form>
<p class="older"><a href="${sent.visit.self}/developers/keys">Not now</a></p>`;
}

/** @throws AppError for a text that is no date */
function expiryOf(sent: Sent): string | null {
  const text = typed(sent, "expiresAt");
  if (text === "") return null;
  const date = parseDate(text);
  if (date === null) throw refusedField("expiresAt", "invalid_date", "Enter a day such as 2027-01-31.");
  return formatInstant(beginOfDay(date, sent.visit.organization.timeZone));
}

function makePage(ctx: Context, app: Hono<PageEnvironment>, door: DashboardDoor): void {
  const title = "Create an API key";
  deed<null>(app, door, {
    path: `${KEYS}/new`,
    permission: "keys",
    asksAgain: true,
    scene: async () => null,
    page: (_, sent) => page(ctx, sent.visit, title, newKeyForm(sent)),
    async act(_, sent) {
      const scopes = sent.visit.form.getAll("scopes");
      if (scopes.length === 0) throw refusedField("scopes", "required", "Choose at least one scope.");
      if (!mayHold(sent.visit, scopes)) throw refusedField("scopes", "owner_required", ONLY_OWNERS);
      const body = parsed(CreateApiKeyParams, { name: typed(sent, "name"), scopes, expiresAt: expiryOf(sent) });
      const made = await addApiKey(ctx, originOf(sent, { operation: "createApiKey", body }), body);
      const note = html`The key has the scopes ${keyScopes(made.key)}.`;
      return { page: secretPage(ctx, sent.visit, made.key.name, made, note) };
    },
    after: (_, { self }) => `${self}/developers/keys?done=created`,
  });
}

function rotatePage(ctx: Context, app: Hono<PageEnvironment>, door: DashboardDoor): void {
  deed<ApiKey>(app, door, {
    path: `${KEYS}/:keyId/rotate`,
    permission: "keys",
    asksAgain: true,
    scene: (c, visit) => keyOf(ctx, c, visit),
    page(key, sent) {
      const title = `Rotate ${key.name}`;
      if (!mayHold(sent.visit, key.scopes)) return page(ctx, sent.visit, title, notice("fault", ONLY_OWNERS));
      const chosen = [typed(sent, "overlapSeconds") || USUAL_OVERLAP];
      const body = html`${refusalNotice(sent)}
${confirmPanel({
  hidden: hiddenFields(sent),
  effect: html`<p>A new key with the same name and scopes takes the place of ${keyHint(key, sent.visit.organization)}.
Your programs need the new secret before the old key ends.</p>`,
  fields: choices({
    name: "overlapSeconds",
    legend: "Overlap: the old key stays valid",
    choices: OVERLAPS,
    chosen,
    isOne: true,
    fault: faultAt(sent, "overlapSeconds"),
  }),
  label: "Rotate the key",
  back: keyPath(sent.visit.self, key.id),
})}`;
      return page(ctx, sent.visit, title, body);
    },
    async act(key, sent) {
      if (!mayHold(sent.visit, key.scopes)) throw refusedField("overlapSeconds", "owner_required", ONLY_OWNERS);
      const body = parsed(RotateApiKeyParams, { overlapSeconds: Number(typed(sent, "overlapSeconds") || NaN) });
      const origin = originOf<NewApiKey>(sent, { operation: "rotateApiKey", resourceId: key.id, body });
      const made = await rotateApiKey(ctx, origin, key.id, body);
      const note = html`The old key ${keyHint(key, sent.visit.organization)}
${body.overlapSeconds === 0 ? "has ended." : "works until its end. The page of the old key shows the end."}`;
      return { page: secretPage(ctx, sent.visit, made.key.name, made, note) };
    },
    after: (key, { self }) => `${keyPath(self, key.id)}?done=rotated`,
  });
}

/** The consequence of a revocation, by the last use of the key. */
function consequence({ lastUsedAt }: ApiKey, zone: string): Html {
  if (lastUsedAt === null) return html`<p>This key was never used.</p>`;
  const isRecent = lastUsedAt > realNow() - RECENTLY_MILLISECONDS;
  const warning =
    "A program still uses this key. Its requests will be refused. To give it time, rotate the key instead.";
  return html`<p>This key was last used ${time(lastUsedAt, zone)}.</p>
${isRecent ? notice("warning", warning) : ""}`;
}

function revokePage(ctx: Context, app: Hono<PageEnvironment>, door: DashboardDoor): void {
  deed<ApiKey>(app, door, {
    path: `${KEYS}/:keyId/revoke`,
    permission: "keys",
    scene: (c, visit) => keyOf(ctx, c, visit),
    page(key, sent) {
      const { self, organization } = sent.visit;
      const body = html`${refusalNotice(sent)}
${confirmPanel({
  hidden: hiddenFields(sent),
  effect: html`${consequence(key, organization.timeZone)}
<p>Within a second, every request with ${keyHint(key, organization)} is refused. A revoked key can't be restored.</p>`,
  label: "Revoke the key",
  isDangerous: true,
  back: keyPath(self, key.id),
})}`;
      return page(ctx, sent.visit, `Revoke ${key.name}?`, body);
    },
    async act(key, sent) {
      const origin = originOf<ApiKey>(sent, { operation: "revokeApiKey", resourceId: key.id });
      await revokeApiKey(ctx, origin, key.id, null);
      return undefined;
    },
    after: (key, { self }) => `${keyPath(self, key.id)}?done=revoked`,
  });
}

/** Making, rotating and revoking API keys. The answer to the form is the only page with the secret. */
export function keyDeeds(ctx: Context, app: Hono<PageEnvironment>, door: DashboardDoor): void {
  makePage(ctx, app, door);
  rotatePage(ctx, app, door);
  revokePage(ctx, app, door);
}
