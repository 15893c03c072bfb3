import { html } from "hono/html";
import type { Context } from "../../../context.ts";
import { newPaymentsAt, takesPayments, type Organization } from "../../../domain/model/organization.ts";
import { readProblems } from "../../../actions/organization/problems.ts";
import { SANDBOX, type AccountRefusal } from "../../../domain/model/payment-outcome.ts";
import type { PaymentPause } from "../../../domain/model/payment-pause.ts";
import type { ProviderConnection } from "../../../domain/model/provider-connection.ts";
import type { ProviderNotice } from "../../../domain/model/provider-notice.ts";
import { presentPaymentAccount } from "../../../resources/payment-account.ts";
import { allConnectionsOf } from "../../../store/provider-connections.ts";
import { listNotices } from "../../../store/provider-notices.ts";
import type { Html } from "../../layout.ts";
import { badge } from "../components/badge.ts";
import { id, NONE, time } from "../components/cells.ts";
import { definitions } from "../components/definitions.ts";
import { doneNotice } from "../components/done-notice.ts";
import { emptyState } from "../components/empty-state.ts";
import { guideLink } from "../components/guide-link.ts";
import { notice } from "../components/notice.ts";
import { selectField, textField } from "../fields.ts";
import { together, type Pages } from "../form-action.ts";
import { typedOrNull, typed } from "../sent-form.ts";
import { table } from "../table.ts";
import { ROOT, type DashboardRequest } from "../request.ts";
import { group } from "./fields.ts";
import { DONE, parsedSettings, settingsForm, settingsFormOf } from "./form.ts";
import { settingsPage } from "./page.ts";
import { SETTINGS, tabOf } from "./tabs.ts";

const PATH = `${SETTINGS}${tabOf("payments").path}`;

/** The reason for which a provider refuses all charges, with the remedy. */
const REFUSALS: Record<AccountRefusal, string> = {
  key_invalid: "The key is not valid, or was revoked. Connect the account again with a new key.",
  permission_missing: "The key lacks permissions. Add the permissions in the provider's dashboard.",
  account_restricted: "The provider has restricted the account. Look into the provider's dashboard.",
  disconnected: "No key of the account is stored. Connect the account again.",
  copy: "This installation is a copy of another one, so its charges wait.",
};

const isNew = ({ provider, providerAccount }: ProviderConnection, organization: Organization) =>
  provider === organization.provider && providerAccount === organization.providerAccount;

function state(connection: ProviderConnection, organization: Organization): Html {
  if (connection.disconnectedAt !== null) return badge("quiet", "Disconnected");
  return isNew(connection, organization) ? badge("good", "Takes new payments") : badge("quiet", "For earlier payments");
}

function accountRow(organization: Organization, connection: ProviderConnection): Html {
  const { provider, account, mode, keyVariable, notices } = presentPaymentAccount(connection);
  const { timeZone } = organization;
  const isOver = connection.disconnectedAt !== null;
  const key = isOver
    ? "Deleted"
    : keyVariable === null
      ? "Encrypted in the database"
      : html`In <code>${keyVariable}</code>`;
  const ways = notices === "inbound" ? "Sent by the provider" : "Fetched every five minutes";
  return html`<tr>
<th scope="row">${provider}<br>${id(account)}</th>
<td>${state(connection, organization)}</td>
<td>${mode === "live" ? "Live" : "Test"}</td>
<td>${time(connection.connectedAt, timeZone)}</td>
<td>${key}</td>
<td>${isOver ? NONE : ways}</td>
</tr>`;
}

const HEADINGS = ["Account", "State", "Mode", "Connected", "Key", "Notices"];

function accounts(organization: Organization, connections: readonly ProviderConnection[]): Html {
  if (connections.length === 0)
    return emptyState("An account at a payment provider appears here once it is connected on the server.");
  return table(
    "Accounts",
    HEADINGS,
    connections.map((connection) => accountRow(organization, connection)),
  );
}

/** The provider of new payments, in a sentence. */
function present(organization: Organization, pauses: readonly PaymentPause[]): Html {
  const { timeZone } = organization;
  if (!takesPayments(organization))
    return notice("warning", "This Organization takes no payments yet. Connect an account on the server.");
  const { provider, providerAccount } = newPaymentsAt(organization);
  const pause = pauses.find((each) => each.provider === provider && each.providerAccount === providerAccount);
  const paused =
    pause === undefined
      ? ""
      : notice(
          "warning",
          html`The provider refuses all charges since ${time(pause.createdAt, timeZone)}.
${REFUSALS[pause.reason]} Charges wait, and an attempt each minute finds out whether the provider takes them again.`,
        );
  const said =
    provider === SANDBOX
      ? html`<p>The built-in provider takes new payments, with test cards. No real money moves.</p>`
      : html`<p>${provider} ${id(providerAccount)} takes new payments.</p>`;
  return html`${paused}${said}`;
}

/** The way to connect an account. A stolen session must not send the money elsewhere, so no form does this. */
function connectPart(ctx: Context): Html {
  return html`<h2>Connect and disconnect</h2>
<p>The operator connects and disconnects accounts on the server, so that a stolen password can't send your money
elsewhere. The key is encrypted there. A change takes effect within five seconds.</p>
<p>${guideLink(ctx, "operating/payments#connect", "How to connect an account")}</p>`;
}

type PaymentsData = {
  connections: ProviderConnection[];
  pauses: readonly PaymentPause[];
  /** The newest message of a provider. */
  lastNotice: ProviderNotice | undefined;
};

async function load({ ctx, organization: { id: organizationId } }: DashboardRequest): Promise<PaymentsData> {
  const { read } = ctx.db;
  const [connections, { pauses }, [lastNotice]] = await Promise.all([
    allConnectionsOf(read, organizationId),
    readProblems(read, organizationId),
    listNotices(read, organizationId, { limit: 1 }),
  ]);
  return { connections, pauses, lastNotice };
}

function page(
  request: DashboardRequest,
  { connections, pauses, lastNotice: last }: PaymentsData,
  done: Html | "",
): Html {
  const { ctx, organization, self } = request;
  const { contactEmail, sandboxEntry, mode, timeZone } = organization;
  const entry = sandboxEntry === "typed" ? "On Billow's page" : "On the page of the provider";
  const body = html`${done}${present(organization, pauses)}
<h2>Accounts</h2>
${accounts(organization, connections)}
<h2>Details</h2>
${definitions([
  ["Last notice", last === undefined ? NONE : html`${last.type}, ${time(last.receivedAt, timeZone)}`],
  ["Contact address", contactEmail === null ? NONE : html`<bdi>${contactEmail}</bdi>`],
  ...(mode === "sandbox" ? [["Card entry", entry] as const] : []),
])}
<p class="aside"><a href="${self}${PATH}/details">Change the details</a></p>
${connectPart(ctx)}`;
  return settingsPage(request, "payments", { title: "Payment provider", body });
}

const ENTRIES = [
  ["typed", "On Billow's page"],
  ["hosted", "On the page of the provider"],
] as const;

const overview: Pages = (_, app, guard) => {
  app.get(
    `${ROOT}${PATH}`,
    guard.signedIn(tabOf("payments").permission, async (c, request) =>
      c.html(page(request, await load(request), doneNotice(c, DONE))),
    ),
  );
};

/** `…/settings/payments`: the accounts at payment providers. The details ask for the password again. */
export const paymentPages = together(
  overview,
  settingsForm({
    tab: "payments",
    path: "/details",
    title: "Details of payments",
    asksAgain: true,
    read: (sent, { mode }) =>
      parsedSettings({
        contactEmail: typedOrNull(sent, "contactEmail"),
        ...(mode === "sandbox" && { sandboxEntry: typed(sent, "sandboxEntry") }),
      }),
    page(data, sent) {
      const { organization, request } = data;
      const { contactEmail, sandboxEntry, mode } = organization;
      const fields = html`${textField(sent, "contactEmail", {
        label: "Contact address",
        type: "email",
        maxlength: 320,
        known: contactEmail,
        hint: "Billow writes to this address when an account is connected or disconnected.",
      })}
${
  mode === "live"
    ? ""
    : selectField(sent, "sandboxEntry", {
        label: "Card entry",
        none: "Choose",
        options: ENTRIES,
        known: sandboxEntry,
        hint: "Only in a sandbox with the built-in provider.",
      })
}`;
      return html`${settingsFormOf(data, sent, ["contactEmail", "sandboxEntry"], group("Details", fields))}
<p class="aside"><a href="${request.self}${PATH}">Back to the payment provider</a></p>`;
    },
  }),
);
