import { startListening, type Heard } from "../actions/webhook/listen.ts";
import { listenerSecret, openListener, type Listener } from "../actions/webhook/listener.ts";
import { formatInstant } from "../domain/calendar.ts";
import type { Organization } from "../domain/model/organization.ts";
import { counted } from "../domain/words.ts";
import { firstLine } from "../outbound/answer-text.ts";
import { EVENT_TYPES } from "../domain/event.ts";
import { arrived, isConnectionFailure } from "../domain/webhook/answer.ts";
import type { WebhookEndpoint } from "../domain/webhook/webhook.ts";
import { CreateWebhookEndpointParams, presentSecret } from "../resources/webhook.ts";
import { migrate as migrateDatabase } from "../store/migrate.ts";
import {
  httpUrl,
  optional,
  ORGANIZATION,
  parseOptions,
  required,
  UsageError,
  type Command,
  type Output,
  type Values,
} from "./command.ts";
import { findOrganization, openExisting, withDatabase } from "./database.ts";
import { otherThan } from "./event-types.ts";
import { DRAIN, run } from "./lifecycle.ts";

/**
 * The types that `--events` names. They are sorted, so that a later start with the same types finds the same listener.
 */
function readEvents(values: Values): WebhookEndpoint["events"] {
  const types = optional(values, "events")
    ?.split(",")
    .map((type) => type.trim());
  const unknown = types?.find((type) => type !== "*" && !EVENT_TYPES.some((each) => each === type));
  if (unknown !== undefined)
    throw new UsageError(`--events: there is no type ${JSON.stringify(unknown)}. ${otherThan(unknown, EVENT_TYPES)}`);
  const events = types && [...new Set(types)].sort();
  return parseOptions(CreateWebhookEndpointParams.pick({ events: true }), { events }).events;
}

function introduce(listener: Listener, { name }: Organization): Output {
  const { url, id: endpointId, organizationId } = listener.endpoint;
  const secret = presentSecret(listener.endpoint);
  const since = listener.resumed ? "The events since the last run are sent first." : "Earlier events are not sent.";
  const text = `Billow forwards the events of ${name} to ${url}\nSecret of the signatures: ${secret}\n${since}`;
  return { text, json: { url, secret, organizationId, endpointId, resumed: listener.resumed } };
}

/** Whether an attempt needs no line: the connection failed as in the attempt before, and another attempt follows. */
const isOldNews = ({ delivery, answer, isLast }: Heard) =>
  !isLast && isConnectionFailure(answer) && "error" in answer && answer.error === delivery.error;

function whatFollows({ answer, isLast }: Heard): string {
  if (arrived(answer)) return "";
  if (isLast) return "  failed, no further attempt";
  return isConnectionFailure(answer)
    ? "  no connection, an attempt every 2 s for 30 s"
    : "  failed, one more attempt in 2 s";
}

/** The first line of a refusal. The adapters of the client answer `signature_mismatch` if they have another secret. */
function saidIn(answer: Heard["answer"]): string {
  if (arrived(answer) || !("status" in answer)) return "";
  const line = firstLine(answer.body);
  return line === "signature_mismatch"
    ? `${line}. Start the application with the secret that this command has printed`
    : line;
}

/** The URL in one spelling, so that `http://LOCALHOST` and `http://localhost/` are one listener with one secret. */
const readUrl = (values: Values) => new URL(httpUrl("--forward-to", required(values, "forward-to"))).href;

/** An attempt as a line: its time, the type of the event, the resource and the answer. */
function attemptLine(heard: Heard): Output {
  const { delivery, answer } = heard;
  const { eventId, eventType: type, resourceId, sequence, attempts } = delivery;
  // `time` is real time. The event's own time differs from real time if a sandbox's clock was moved.
  const [time, createdAt] = [formatInstant(delivery.claimedAt), formatInstant(delivery.eventCreatedAt)];
  const [status, error] = "status" in answer ? [answer.status, null] : [null, answer.error];
  const said = saidIn(answer);
  const took = `${status ?? error}  ${answer.durationMs} ms`;
  const text = `${time}  ${type.padEnd(35)}  ${resourceId}  ${took}${whatFollows(heard)}${said && `: ${said}`}`;
  const { durationMs } = answer;
  return {
    text,
    json: { time, createdAt, type, eventId, resourceId, sequence, attempt: attempts + 1, status, error, durationMs },
  };
}

const waiting = (count: number) =>
  `${counted(count, "request")} without an answer yet: the command waits ${DRAIN / 1000} s at most. ` +
  "Another Ctrl-C ends the command at once.";

export const listen: Command = {
  usage: "listen --forward-to URL [--events TYPE,TYPE] [--print-secret] [--organization ID|NAME]",
  summary: "forwards events to a URL on your machine as they happen",
  group: "Sell and test",
  details: `Runs until Ctrl-C. With --json, each event is one JSON object on a line.`,
  options: {
    "forward-to": { type: "string", value: "URL", says: "the URL that gets each event as a signed POST" },
    events: { type: "string", value: "TYPE,TYPE", says: "only these types, separated by commas (default: all)" },
    "print-secret": { type: "boolean", says: "prints the signing secret, and ends" },
    ...ORGANIZATION,
  },
  example: "listen --forward-to http://localhost:3000/hook",
  async run(wiring, values) {
    const [url, events] = [readUrl(values), readEvents(values)];
    if (values["print-secret"] === true) {
      const secret = await withDatabase(wiring, async (ctx) => {
        const { id: organizationId } = await findOrganization(ctx, values);
        return presentSecret({ secret: listenerSecret(ctx, { organizationId, url }) });
      });
      return wiring.print({ text: secret, json: { secret } });
    }
    const stop = wiring.listenForStop();
    const ctx = await openExisting(wiring);
    await run(ctx, stop, async () => {
      await migrateDatabase(ctx.db);
      const organization = await findOrganization(ctx, values);
      const listener = await openListener(ctx, { organizationId: organization.id, url, events });
      wiring.print(introduce(listener, organization));
      const listening = startListening(ctx, listener, (heard) => isOldNews(heard) || wiring.print(attemptLine(heard)));
      const stopAloud = () => {
        // With `--json` a program reads the output and expects only attempts, so this line is left out.
        if (values["json"] !== true && listening.underWay() > 0)
          wiring.print({ text: waiting(listening.underWay()), json: {} });
        return listening.stop();
      };
      return [{ stop: stopAloud }];
    });
  },
};
