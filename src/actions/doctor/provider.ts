import type { Context } from "../../context.ts";
import { fault, ok, warning, type Check } from "./check.ts";
import type { Organization } from "../../domain/model/organization.ts";
import type { ProviderConnection } from "../../domain/model/provider-connection.ts";
import { SANDBOX } from "../../domain/model/payment-outcome.ts";
import { counted } from "../../domain/words.ts";
import { reasonOf } from "../../errors.ts";
import type { ProbedAccount } from "../../payments/connectable-provider.ts";
import { countForgetting } from "../../store/provider-erasures.ts";
import { everyConnection } from "../../store/provider-connections.ts";
import { openField, openKey, type OpenedKey } from "../payment/encrypted-fields.ts";

const CONNECT_AGAIN = "Give a valid key by node bin/billow.mjs payments connect, or in the variable.";

type World = Pick<Context, "db" | "config" | "keyring" | "payments">;

/** An answer about a connected account. `says`: follows the name of the account. */
type ProviderCheck = Pick<Check, "status" | "says" | "advice">;

const good = (says: string): ProviderCheck => ok("provider", says);
const bad = (says: string, advice: string): ProviderCheck => fault("provider", says, advice);
const ADD_PERMISSIONS = "Add the permissions in the provider's dashboard.";

/** A Customer is deleted seldom, and payments go on without these permissions. */
const judgeForgetting = (missing: readonly string[]): ProviderCheck[] =>
  missing.length === 0
    ? []
    : [
        warning(
          "provider",
          `the key lacks permissions that the deletion of a Customer needs: ${missing.join(", ")}`,
          `${ADD_PERMISSIONS} Without them the Customer or the cards stay at the provider.`,
        ),
      ];

/** The answers of a provider that has accepted the key, about the connected account. */
function judge({ providerAccount, livemode }: ProviderConnection, probed: ProbedAccount): ProviderCheck[] {
  if (probed.account !== providerAccount)
    return [bad(`the key belongs to ${probed.account}`, "Connect again, or put a key of the account in the variable.")];
  if (probed.mode !== (livemode ? "live" : "test"))
    return [bad(`the key is a ${probed.mode} key`, "Connect again, or put a key of the other mode in the variable.")];
  return [
    good("the key is valid"),
    probed.missing.length === 0
      ? good("the key has all permissions")
      : bad(`the key lacks permissions: ${probed.missing.join(", ")}`, ADD_PERMISSIONS),
    ...judgeForgetting(probed.missingToForget),
    probed.canCharge === null
      ? good("the key may not read the account, so Billow can't see whether the account can charge")
      : probed.canCharge
        ? good("the account can charge")
        : bad("the account can't charge", "Finish the set-up of the account in the provider's dashboard."),
  ];
}

/** Asks a connection's own provider about the key, its permissions and the account. Moves no money. */
async function ask({ payments }: World, connection: ProviderConnection, key: string): Promise<ProviderCheck[]> {
  const connectable = payments.connectables.get(connection.provider);
  if (!connectable)
    return [bad(`there is no adapter for ${connection.provider}`, "Start a version of Billow with this adapter.")];
  const probed = await connectable.probe(key);
  if ("unreachable" in probed) throw new Error(probed.unreachable);
  if ("refused" in probed) return [bad("the provider refuses the key", CONNECT_AGAIN)];
  if (probed.account !== null) return judge(connection, probed);
  const says = `the key lacks permissions: ${probed.missing.join(", ")}`;
  return [bad(says, ADD_PERMISSIONS)];
}

type KeyFault = Extract<OpenedKey, { fault: string }>["fault"];

/** The end of a sentence about a key or a webhook secret that can't be read, and the remedy. */
function explain(found: KeyFault, { keyVariable }: ProviderConnection): [says: string, advice: string] {
  switch (found) {
    case "unknown_key":
      return ["is under a secret that is not given", "Add that secret to BILLOW_SECRET_PREVIOUS, or connect again."];
    case "damaged":
      return ["was changed in the database", "Connect the account again."];
    case "removed":
      return ["is not stored", "Connect the account again."];
    case "variable_missing":
      return [`is in ${keyVariable}, which is not set`, "Set this variable for every process."];
  }
}

const named = ({ name, id }: Pick<Organization, "name" | "id">) => `${name} (${id})`;

async function checkKey(world: World, connection: ProviderConnection, owner: string) {
  const { provider, providerAccount } = connection;
  const subject = `${owner}: ${provider} ${providerAccount}`;
  const opened = openKey(world, connection);
  if ("fault" in opened) {
    const [says, advice] = explain(opened.fault, connection);
    return [fault("provider", `${subject}: the key ${says}`, advice)];
  }
  try {
    const answers = await ask(world, connection, opened.value);
    return answers.map((answer): Check => ({ ...answer, name: "provider", says: `${subject}: ${answer.says}` }));
  } catch (error) {
    const advice = "Check the connection of this machine to the provider.";
    return [fault("provider", `${subject} does not answer: ${reasonOf(error)}`, advice)];
  }
}

function checkWebhookSecret(world: World, connection: ProviderConnection, owner: string): Check {
  const subject = `${owner}: ${connection.provider} ${connection.providerAccount}`;
  const opened = openField(world, connection, "webhookSecretSealed");
  if (opened === null) return ok("webhook_secret", `${subject}: notices are off, polling is used`);
  if ("value" in opened) return ok("webhook_secret", `${subject}: notices can be verified`);
  const [says, advice] = explain(opened.fault, connection);
  return fault("webhook_secret", `${subject}: the webhook secret ${says}`, advice);
}

/** The place of an Organization's new payments, apart from its connections. */
function checkChoice(organization: Organization, own: readonly ProviderConnection[]): Check[] {
  const { mode, provider, providerAccount } = organization;
  if (mode === "live" && provider === null)
    return [
      warning(
        "provider",
        `${named(organization)} is live and has no payment provider`,
        "Connect a payment provider. Until then only free Products can be sold.",
      ),
    ];
  if (provider === null || provider === SANDBOX) return [];
  const isConnected = own.some((each) => each.provider === provider && each.providerAccount === providerAccount);
  if (isConnected) return [];
  const says = `${named(organization)} takes payments at ${provider} ${providerAccount}, which is not connected`;
  return [fault("provider", says, "Connect this account again.")];
}

/** Deleted Customers that a provider has not forgotten yet. A provider that refuses is asked again and again. */
async function checkForgetting({ db }: World): Promise<Check[]> {
  const count = await countForgetting(db.read);
  if (count === 0) return [];
  const says = `${counted(count, "deleted Customer")} or the cards are still at a payment provider`;
  const advice =
    "Billow asks the provider every ten minutes. If this line stays, add the permissions of the guide to the key.";
  return [warning("provider", says, advice)];
}

/** Each connected account, each live Organization without an account, and the number of the other sandboxes. */
export async function checkProviders(world: World, organizations: readonly Organization[]): Promise<Check[]> {
  const connections: ProviderConnection[] = [];
  for await (const each of everyConnection(world.db.read)) if (each.disconnectedAt === null) connections.push(each);
  const byOrganization = Map.groupBy(connections, ({ organizationId }) => organizationId);
  const providers: Check[] = [];
  const webhookSecrets: Check[] = [];
  for (const organization of organizations) {
    const own = byOrganization.get(organization.id) ?? [];
    providers.push(...checkChoice(organization, own));
    for (const connection of own) {
      providers.push(...(await checkKey(world, connection, named(organization))));
      webhookSecrets.push(checkWebhookSecret(world, connection, named(organization)));
    }
  }
  const builtIn = organizations.filter(({ mode, provider }) => mode === "sandbox" && provider === null).length;
  const uses = builtIn === 1 ? "uses" : "use";
  if (builtIn > 0 || providers.length === 0)
    providers.push(ok("provider", `${counted(builtIn, "sandbox", "sandboxes")} ${uses} the built-in provider`));
  providers.push(...(await checkForgetting(world)));
  if (connections.length === 0) webhookSecrets.push(ok("webhook_secret", "no provider is connected"));
  return [...providers, ...webhookSecrets];
}
