import { html } from "hono/html";
import { HTTPException } from "hono/http-exception";
import { realNow } from "../../../clock.ts";
import { refusalOf, type ApiKey } from "../../../domain/organization/api-key.ts";
import { ListApiKeysQuery } from "../../../resources/api-key.ts";
import { presentPage } from "../../../resources/page.ts";
import { apiKeys, listApiKeys } from "../../../store/api-keys.ts";
import { basePath, developersStylesPath } from "../../assets.ts";
import { stylesheet, type Html } from "../../layout.ts";
import { id, NONE, time } from "../components/cells.ts";
import { copyableText } from "../components/copyable.ts";
import { definitions } from "../components/definitions.ts";
import { doneNotice } from "../components/done-notice.ts";
import { emptyState } from "../components/empty-state.ts";
import { pager } from "../components/pager.ts";
import type { Pages } from "../form-action.ts";
import { dashboardPage } from "../frame.ts";
import { rowAt, type Resource } from "../resource-forms.ts";
import { table } from "../table.ts";
import type { DashboardRequest } from "../request.ts";
import { keyBadge, keyHint, keyScopes, lastUse, mayHold } from "./key-state.ts";
import { keyPath, KEYS } from "./paths.ts";

const PER_PAGE = "50";

const DONE = {
  created: "The key has been created. Its secret was shown once and can't be shown again.",
  rotated: "The key has been rotated. The new secret was shown once and can't be shown again.",
  revoked: "The key has been revoked.",
};

const HEADINGS = [
  "Name",
  "State",
  { label: "Scopes", isWide: true },
  { label: "Key", isWide: true },
  "Last used",
  { label: "Expires", isWide: true },
  { label: "Created", isWide: true },
];

function row(key: ApiKey, { self, organization }: DashboardRequest): Html {
  const zone = organization.timeZone;
  return html`<tr>
<th scope="row"><a href="${keyPath(self, key.id)}"><bdi>${key.name}</bdi></a></th>
<td>${keyBadge(key, realNow())}</td>
<td class="wide">${keyScopes(key)}</td>
<td class="wide">${keyHint(key, organization)}</td>
<td>${lastUse(key, zone)}</td>
<td class="wide">${key.expiresAt === null ? "Never" : time(key.expiresAt, zone)}</td>
<td class="wide">${time(key.createdAt, zone)}</td>
</tr>`;
}

export const API_KEYS: Resource<ApiKey> = {
  path: "developers/keys",
  param: "keyId",
  prefix: "key",
  operation: "ApiKey",
  noun: "key",
  permission: "keys",
  find: ({ ctx, organization }, keyId) => apiKeys.find(ctx.db.read, organization.id, keyId),
  isGone: () => false,
  nameOf: ({ name }) => name,
  frame: (request, title, body, actions) =>
    dashboardPage(request, {
      section: "keys",
      title,
      body,
      head: stylesheet(developersStylesPath(request.ctx)),
      actions,
    }),
};

function listOf(request: DashboardRequest, keys: readonly ApiKey[], isLater: boolean): Html {
  const docs = `${basePath(request.ctx)}/docs/guides/quickstart-curl`;
  if (isLater && keys.length === 0) return emptyState("There are no further keys.");
  if (keys.length === 0)
    return emptyState("There is no key yet. Your backend calls the API with a key.", {
      href: docs,
      label: "Use an API key",
    });
  return table(
    "API keys",
    HEADINGS,
    keys.map((key) => row(key, request)),
  );
}

function keyFacts(key: ApiKey, { self, organization }: DashboardRequest): Html {
  const zone = organization.timeZone;
  const successor = key.replacedBy;
  return definitions([
    ["State", keyBadge(key, realNow())],
    ["Key", keyHint(key, organization)],
    ["Scopes", keyScopes(key)],
    ["Last used", lastUse(key, zone)],
    ["Created", time(key.createdAt, zone)],
    ["Expires", key.expiresAt === null ? "Never" : time(key.expiresAt, zone)],
    ...(key.revokedAt === null ? [] : [["Revoked", time(key.revokedAt, zone)] as const]),
    ["Replaced by", successor === null ? NONE : html`<a href="${keyPath(self, successor)}">${id(successor)}</a>`],
    ["Id", id(key.id)],
  ]);
}

/** The addresses at which programs call the APIs. */
function addresses({ ctx }: DashboardRequest): Html {
  const { publicOrigin, publicBasePaths } = ctx.config;
  const fact = (name: string, path: string) =>
    [name, copyableText(`${publicOrigin}${path}`, `address of the ${name}`)] as const;
  return html`<h2 id="addresses">Addresses</h2>
${definitions([...publicBasePaths.map((base) => fact("Public API", base)), fact("Management API", "/manage/v1")])}`;
}

type KeyList = { keys: readonly ApiKey[]; nextCursor: string | null; isLater: boolean };

function listPage(request: DashboardRequest, { keys, nextCursor, isLater }: KeyList, done: Html | ""): Html {
  const here = `${request.self}/developers/keys`;
  const pages = pager({
    previous: isLater ? here : null,
    next: nextCursor === null ? null : `${here}?cursor=${nextCursor}`,
  });
  const actions = html`<a class="button small" href="${here}/new">Create a key</a>`;
  const body = html`${done}${listOf(request, keys, isLater)}${pages}${addresses(request)}`;
  return API_KEYS.frame(request, "API keys", body, actions);
}

function onePage(request: DashboardRequest, key: ApiKey, done: Html | ""): Html {
  const here = keyPath(request.self, key.id);
  const isOver = refusalOf(key, realNow()) !== null;
  const requests = `${request.self}/developers/requests?${new URLSearchParams({ keyId: key.id })}`;
  const body = html`${done}
${keyFacts(key, request)}
<p class="older"><a href="${requests}">Changes and refused requests with this key</a></p>
<p class="older"><a href="${request.self}/developers/keys">All API keys</a></p>`;
  const rotate = html`<a class="button small other" href="${here}/rotate">Rotate</a>`;
  const actions = html`${mayHold(request, key.scopes) ? rotate : ""}
<a class="button small danger" href="${here}/revoke">Revoke</a>`;
  return API_KEYS.frame(request, key.name, body, isOver ? undefined : actions);
}

/** `/dashboard/{organizationId}/developers/keys`: the keys, and a page for each. No page shows a secret. */
export const keyPages: Pages = (ctx, app, { signedIn }) => {
  app.get(
    KEYS,
    signedIn("keys", async (c, request) => {
      const query = ListApiKeysQuery.safeParse({ cursor: c.req.query("cursor"), limit: PER_PAGE });
      if (!query.success) throw new HTTPException(404);
      const rows = await listApiKeys(ctx.db.read, request.organization.id, query.data);
      const { data: keys, nextCursor } = presentPage(rows, query.data.limit, (key) => key);
      const isLater = query.data.cursor !== undefined;
      return c.html(listPage(request, { keys, nextCursor, isLater }, doneNotice(c, DONE)));
    }),
  );
  app.get(
    `${KEYS}/:keyId`,
    signedIn("keys", async (c, request) => {
      const key = await rowAt(API_KEYS, c, request);
      return c.html(onePage(request, key, doneNotice(c, DONE)));
    }),
  );
};
