import { addApiKey, revokeApiKey, rotateApiKey } from "../actions/organization/api-keys.ts";
import type { NewApiKey } from "../actions/organization/create-api-key.ts";
import type { Context } from "../context.ts";
import { realNow } from "../clock.ts";
import { CreateApiKeyParams, presentApiKey, RotateApiKeyParams, type ApiKeyResource } from "../resources/api-key.ts";
import { listApiKeys } from "../store/api-keys.ts";
import {
  optional,
  ORGANIZATION,
  parseOptions,
  required,
  UsageError,
  type Command,
  type Values,
  type Wiring,
} from "./command.ts";
import { findOrganization, withDatabase } from "./database.ts";
import { commandOrigin } from "./command-audit.ts";
import { table } from "./table.ts";

const MOST_LISTED = 10_000;

/** Makes a key for the Organization that the options name, and prints the key with its secret. */
async function make(
  wiring: Wiring,
  values: Values,
  action: (ctx: Context, organizationId: string) => Promise<NewApiKey>,
): Promise<void> {
  await withDatabase(wiring, async (ctx) => {
    const { id } = await findOrganization(ctx, values);
    const { key, secret } = await action(ctx, id);
    wiring.print({ text: `${key.id}\n${secret}`, json: { ...presentApiKey(key), secret } });
  });
}

export const keysCreate: Command = {
  usage: "keys create --scope public|manage [--name N] [--expires-at T] [--organization ID|NAME]",
  summary: "makes a key, and shows it once",
  group: "Organizations, keys and people",
  options: {
    scope: {
      type: "string",
      value: "public|manage",
      says: "public sells and asks for access; manage may do everything else, too",
    },
    name: { type: "string", value: "N", says: "a name for the lists of keys" },
    "expires-at": {
      type: "string",
      value: "T",
      says: "the instant at which the key ends, such as 2027-01-01T00:00:00Z (default: never)",
    },
    ...ORGANIZATION,
  },
  example: "keys create --scope public --name shop --organization Acme",
  async run(wiring, values) {
    const scope = required(values, "scope");
    if (scope !== "public" && scope !== "manage") throw new UsageError("--scope must be public or manage.");
    const wanted = {
      name: optional(values, "name") ?? scope,
      scopes: [scope],
      expiresAt: optional(values, "expires-at"),
    };
    const params = parseOptions(CreateApiKeyParams, wanted);
    await make(wiring, values, (ctx, organizationId) =>
      addApiKey(ctx, commandOrigin(organizationId, "createApiKey", null), params),
    );
  },
};

const HEADINGS = ["ID", "ENDS IN", "SCOPES", "LAST USE (UTC)", "STATE", "NAME"];

/** A time to the minute, because the last use of a key is not known more exactly. */
const minute = (time: string) => time.slice(0, 16).replace("T", " ");

function stateOf({ expiresAt, revokedAt }: ApiKeyResource, now: number): string {
  if (revokedAt !== null) return `revoked ${minute(revokedAt)}`;
  if (expiresAt === null) return "active";
  return `${Date.parse(expiresAt) <= now ? "expired" : "expires"} ${minute(expiresAt)}`;
}

/** The table of the keys, one line for each key. */
function describe(keys: readonly ApiKeyResource[]): string {
  const now = realNow();
  const rows = keys.map((key) => {
    const used = key.lastUsedAt === null ? "never" : minute(key.lastUsedAt);
    return [key.id, key.last4, key.scopes.join("+"), used, stateOf(key, now), key.name];
  });
  return table(HEADINGS, rows, "There is no key.");
}

export const keysList: Command = {
  usage: "keys list [--organization ID|NAME]",
  summary: "lists the keys with their last use to the minute, newest first, without their secrets",
  group: "Organizations, keys and people",
  options: ORGANIZATION,
  example: "keys list --organization Acme",
  async run(wiring, values) {
    await withDatabase(wiring, async (ctx) => {
      const { id } = await findOrganization(ctx, values);
      const keys = await listApiKeys(ctx.db.read, id, { cursor: undefined, limit: MOST_LISTED });
      const data = keys.map(presentApiKey);
      wiring.print({ text: describe(data), json: { data } });
    });
  },
};

export const keysRotate: Command = {
  usage: "keys rotate KEY_ID [--overlap-seconds N] [--organization ID|NAME]",
  summary: "makes the successor of a key, and shows it once",
  group: "Organizations, keys and people",
  options: {
    "overlap-seconds": {
      type: "string",
      value: "N",
      says: "how long the old key stays valid, in seconds (default: 86400)",
    },
    ...ORGANIZATION,
  },
  example: "keys rotate key_01kbc9y5w8e3tq7m2z4n6r8v0a --overlap-seconds 3600",
  words: 1,
  async run(wiring, values, [id]) {
    const params = parseOptions(RotateApiKeyParams, {
      overlapSeconds: Number(optional(values, "overlap-seconds") ?? 86_400),
    });
    await make(wiring, values, (ctx, organizationId) =>
      rotateApiKey(ctx, commandOrigin(organizationId, "rotateApiKey", id!), id!, params),
    );
  },
};

export const keysRevoke: Command = {
  usage: "keys revoke KEY_ID [--organization ID|NAME]",
  summary: "ends a key within a second",
  group: "Organizations, keys and people",
  options: ORGANIZATION,
  example: "keys revoke key_01kbc9y5w8e3tq7m2z4n6r8v0a",
  words: 1,
  async run(wiring, values, [id]) {
    await withDatabase(wiring, async (ctx) => {
      const organization = await findOrganization(ctx, values);
      const key = presentApiKey(
        await revokeApiKey(ctx, commandOrigin(organization.id, "revokeApiKey", id!), id!, null),
      );
      wiring.print({ text: describe([key]), json: key });
    });
  },
};
