import { html } from "hono/html";
import { addApiKey, revokeApiKey, rotateApiKey } from "../../../actions/organization/api-keys.ts";
import type { NewApiKey } from "../../../actions/organization/create-api-key.ts";
import { realNow } from "../../../clock.ts";
import { DAY, formatInstant } from "../../../domain/calendar.ts";
import type { Organization } from "../../../domain/model/organization.ts";
import type { ApiKey } from "../../../domain/organization/api-key.ts";
import { CreateApiKeyParams, RotateApiKeyParams } from "../../../resources/api-key.ts";
import type { Html } from "../../layout.ts";
import { time } from "../components/cells.ts";
import { confirmPanel } from "../components/confirm-panel.ts";
import { notice } from "../components/notice.ts";
import { secret } from "../components/secret.ts";
import { checkField, OPTIONAL, radioField, textField } from "../fields.ts";
import { formPages, together } from "../form-action.ts";
import { endForm, newForm, rowAt } from "../resource-forms.ts";
import { hiddenFields, originOf, parsed, refusalNotice, refusedField, typed, type Sent } from "../sent-form.ts";
import { typedDay } from "../typed-values.ts";
import type { DashboardRequest } from "../request.ts";
import { keyHint, keyScopes, mayHold } from "./key-state.ts";
import { API_KEYS } from "./keys.ts";
import { keyPath, KEYS } from "./paths.ts";

const SCOPES = [
  ["public", "public", "For your backend: Checkouts, Customers, Subscriptions and access."],
  ["manage", "manage", "Everything in the Organization, also money and other keys."],
] as const;
const OVERLAPS = [
  ["0", "No overlap: the old key ends now"],
  ["3600", "For an hour"],
  ["86400", "For a day"],
  ["604800", "For seven days"],
] as const;
const USUAL_OVERLAP = "86400";
const RECENTLY_MILLISECONDS = 7 * DAY;

const ONLY_OWNERS = "Only an owner can get the secret of a key with the scope manage.";

/** The answer to a form that made a key: the only page with its secret. */
function secretPage(request: DashboardRequest, { key, secret: text }: NewApiKey, note: Html): { page: Html } {
  const body = html`${notice("done", "The key has been created. Copy the key now: no other page shows the key.")}
${secret("The secret of the new key", text)}
<p>${note} Keep the secret where your backend keeps its secrets, and never in a page or an app of your buyers.</p>
<p class="older"><a href="${keyPath(request.self, key.id)}">To the key <bdi>${key.name}</bdi></a></p>`;
  return { page: API_KEYS.frame(request, key.name, body) };
}

function newKeyForm(sent: Sent): Html {
  return html`${refusalNotice(sent, ["name", "scopes", "expiresAt"])}
<form method="post" class="narrow" data-once novalidate>
${hiddenFields(sent)}
${textField(sent, "name", {
  label: "Name",
  required: true,
  maxlength: 256,
  hint: "The program that will use the key, such as “Shop backend”.",
})}
${checkField(sent, "scopes", {
  legend: "Scopes",
  choices: SCOPES.filter(([value]) => mayHold(sent.request, [value])),
  known: ["public"],
})}
${textField(sent, "expiresAt", {
  label: "Expires",
  mark: OPTIONAL,
  maxlength: 10,
  placeholder: "2027-01-31",
  hint: "The first day without the key. If the field is empty, the key does not expire.",
})}
<button class="button small" type="submit">Create the key</button>
</form>
<p class="older"><a href="${sent.request.self}/developers/keys">Not now</a></p>`;
}

/** @throws AppError 422 */
function readKey(sent: Sent): CreateApiKeyParams {
  const scopes = sent.fields.getAll("scopes");
  if (scopes.length === 0) throw refusedField("scopes", "required", "Choose at least one scope.");
  if (!mayHold(sent.request, scopes)) throw refusedField("scopes", "owner_required", ONLY_OWNERS);
  const day = typedDay(sent, "expiresAt");
  return parsed(CreateApiKeyParams, { name: typed(sent, "name"), scopes, expiresAt: day && formatInstant(day) });
}

const makePage = newForm<ApiKey, null, CreateApiKeyParams, NewApiKey>(API_KEYS, {
  asksAgain: true,
  load: () => null,
  page: (_, sent) => ({ title: "Create an API key", body: newKeyForm(sent) }),
  read: readKey,
  create: addApiKey,
  next: (request, made) => secretPage(request, made, html`The key has the scopes ${keyScopes(made.key)}.`),
  again: "created",
});

const rotatedNote = (key: ApiKey, organization: Organization, { overlapSeconds }: RotateApiKeyParams): Html =>
  html`The old key ${keyHint(key, organization)}
${overlapSeconds === 0 ? "has ended." : "works until its end. The page of the old key shows the end."}`;

const rotatePage = formPages<ApiKey, RotateApiKeyParams>({
  path: `${KEYS}/:keyId/rotate`,
  permission: "keys",
  asksAgain: true,
  load: (c, request) => rowAt(API_KEYS, c, request),
  page(key, sent) {
    const { request } = sent;
    const title = `Rotate ${key.name}`;
    if (!mayHold(request, key.scopes)) return API_KEYS.frame(request, title, notice("fault", ONLY_OWNERS));
    const panel = {
      effect: html`<p>A new key with the same name and scopes takes the place of ${keyHint(key, request.organization)}.
Your programs need the new secret before the old key ends.</p>`,
      fields: radioField(sent, "overlapSeconds", {
        legend: "Overlap: the old key stays valid",
        choices: OVERLAPS,
        known: [USUAL_OVERLAP],
      }),
      label: "Rotate the key",
      back: keyPath(request.self, key.id),
    };
    return API_KEYS.frame(request, title, html`${refusalNotice(sent, ["overlapSeconds"])}${confirmPanel(sent, panel)}`);
  },
  read({ scopes }, sent) {
    if (!mayHold(sent.request, scopes)) throw refusedField("overlapSeconds", "owner_required", ONLY_OWNERS);
    return parsed(RotateApiKeyParams, { overlapSeconds: Number(typed(sent, "overlapSeconds") || NaN) });
  },
  async act(key, body, sent) {
    const { ctx, organization } = sent.request;
    const origin = originOf<NewApiKey>(sent, { operation: "rotateApiKey", resourceId: key.id, body });
    const made = await rotateApiKey(ctx, origin, key.id, body);
    return secretPage(sent.request, made, rotatedNote(key, organization, body));
  },
  after: (key, { self }) => `${keyPath(self, key.id)}?done=rotated`,
});

/** The consequence of a revocation, by the last use of the key. */
function consequence({ lastUsedAt }: ApiKey, zone: string): Html {
  if (lastUsedAt === null) return html`<p>This key was never used.</p>`;
  const isRecent = lastUsedAt > realNow() - RECENTLY_MILLISECONDS;
  const warning =
    "A program still uses this key. Its requests will be refused. To give it time, rotate the key instead.";
  return html`<p>This key was last used ${time(lastUsedAt, zone)}.</p>
${isRecent ? notice("warning", warning) : ""}`;
}

const revokePage = endForm<ApiKey, ApiKey>(API_KEYS, {
  name: "revoke",
  operation: "revokeApiKey",
  page: ({ organization }, key) => ({
    title: `Revoke ${key.name}?`,
    effect: html`${consequence(key, organization.timeZone)}
<p>Within a second, every request with ${keyHint(key, organization)} is refused. A revoked key can't be restored.</p>`,
    label: "Revoke the key",
    isDangerous: true,
  }),
  end: (ctx, origin, { id }) => revokeApiKey(ctx, origin, id, null),
  next: ({ self }, { id }) => `${keyPath(self, id)}?done=revoked`,
});

/** Making, rotating and revoking API keys. The answer to the form is the only page with the secret. */
export const keyForms = together(makePage, rotatePage, revokePage);
