import { openListener, startListening, type Heard, type Listener } from "../actions/listen.ts";
import type { Context } from "../context.ts";
import { formatInstant } from "../domain/calendar.ts";
import type { Organization } from "../domain/organization.ts";
import { arrived } from "../domain/webhook.ts";
import { CreateWebhookEndpointParams } from "../resources/webhook.ts";
import { migrate as migrateDatabase } from "../store/migrate.ts";
import { httpUrl, optional, parseOptions, required, type Command, type Output, type Values } from "./command.ts";
import { findOrganization, withDatabase } from "./database.ts";
import { listenForStop, run } from "./running.ts";

function readEvents(values: Values) {
  return parseOptions(CreateWebhookEndpointParams.pick({ events: true }), { events: optional(values, "events")?.split(",") }).events;
}

const secretOf = ({ endpoint }: Listener) => `whsec_${endpoint.secret}`;

function introduce(listener: Listener, { name }: Organization): Output {
  const { url, id: endpointId, organizationId } = listener.endpoint;
  const secret = secretOf(listener);
  const since = listener.resumed ? ", beginning with what happened meanwhile" : "";
  const text = `Forwards the events of ${name} to ${url}${since}; they are signed with ${secret}`;
  return { text, json: { url, secret, organizationId, endpointId, resumed: listener.resumed } };
}

/** An attempt as a line: when the event was, what, of which resource, how it was answered. */
function tell({ delivery, answer }: Heard): Output {
  const { eventId, eventType: type, resourceId, sequence, attempts } = delivery;
  const time = formatInstant(delivery.eventCreatedAt);
  const [status, error] = "status" in answer ? [answer.status, null] : [null, answer.error];
  const next = arrived(answer) ? "" : attempts === 0 ? "  failed, tried once more" : "  failed, given up";
  const said = !arrived(answer) && "status" in answer ? firstLine(answer.body) : "";
  const text = `${time}  ${type.padEnd(35)}  ${resourceId}  ${status ?? error}  ${answer.durationMs} ms${next}${said && `: ${said}`}`;
  const { durationMs } = answer;
  return { text, json: { time, type, eventId, resourceId, sequence, attempt: attempts + 1, status, error, durationMs } };
}

// What a stranger's server says is not to move the terminal's cursor.
const firstLine = (body: string) =>
  body
    .trim()
    .split(/[\r\n]/)[0]!
    .replace(/\p{Cc}/gu, "")
    .slice(0, 100);

export const listen: Command = {
  usage: "listen --forward-to URL [--events TYPE,TYPE] [--print-secret] [--organization ID]",
  summary: "forwards events to a URL on this machine as they happen; --print-secret prints what signs them, and ends",
  options: {
    "forward-to": { type: "string" },
    events: { type: "string" },
    "print-secret": { type: "boolean" },
    organization: { type: "string" },
  },
  async run(wiring, values) {
    const [url, events] = [httpUrl("--forward-to", required(values, "forward-to")), readEvents(values)];
    const open = async (ctx: Context) => {
      const organization = await findOrganization(ctx, values);
      return { organization, listener: await openListener(ctx, { organizationId: organization.id, url, events }) };
    };
    if (values["print-secret"] === true) {
      const secret = await withDatabase(wiring, async (ctx) => secretOf((await open(ctx)).listener));
      return wiring.print({ text: secret, json: { secret } });
    }
    const stop = listenForStop();
    const ctx = await wiring.openContext(wiring.readConfig());
    await run(ctx, stop, async () => {
      await migrateDatabase(ctx.db);
      const { organization, listener } = await open(ctx);
      wiring.print(introduce(listener, organization));
      return [startListening(ctx, listener, (heard) => wiring.print(tell(heard)))];
    });
  },
};
