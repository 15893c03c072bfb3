import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import {
  defaultTextMapGetter,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Context,
  type Link,
  type SpanContext,
} from "@opentelemetry/api";
import { setGlobalErrorHandler, W3CTraceContextPropagator } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { Logger } from "pino";
import { atMost } from "../clock.ts";
import type { Traces } from "../config.ts";
import { Refusal } from "../domain/refusal.ts";
import { AppError } from "../errors.ts";
import { VERSION } from "../version.ts";
import { NO_SPAN, type Description, type Span, type Tracer } from "./tracing.ts";

const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL } as const;
/** The most events and e-mails whose span is remembered: minutes of a busy server, in some 3 MB. */
const MOST_REMEMBERED = 10_000;
/** The limits of one export, with its repetitions, and of the time that a span waits for others. */
const EXPORT_MILLISECONDS = 3_000;
const GATHER_MILLISECONDS = 1_000;
const CLOSE_MILLISECONDS = 1_000;
const WARN_MILLISECONDS = 60_000;

/** A span that runs, for the spans in it. `isOver`: work that goes on in the background is not a part of it. */
type Running = { context: Context; requestId: string | undefined; isOver: boolean };
type Cause = { context: SpanContext; requestId: string | undefined };

/** The spans that recorded the latest events and e-mails of this process, by the ids of the rows. */
class Causes {
  readonly #latest = new Map<string, Cause>();

  get(id: string): Cause | undefined {
    return this.#latest.get(id);
  }

  remember(id: string, cause: Cause): void {
    this.#latest.set(id, cause);
    if (this.#latest.size <= MOST_REMEMBERED) return;
    const [oldest] = this.#latest.keys();
    this.#latest.delete(oldest!);
  }
}

/** A code or the name of a class. A message may hold personal data. Null: a refusal, which is no failure. */
function typeOf(error: unknown): string | null {
  if (error instanceof Refusal || (error instanceof AppError && error.status < 500)) return null;
  const code = (error as { code?: unknown } | null)?.code;
  if (typeof code === "string" && /^\w{1,64}$/.test(code)) return code;
  return error instanceof Error ? error.constructor.name : "Error";
}

/** Warns at most once a minute. The spans that could not be sent are lost. */
function warnOfFailures(log: Logger): void {
  let next = 0;
  setGlobalErrorHandler((error) => {
    if (performance.now() < next) return;
    next = performance.now() + WARN_MILLISECONDS;
    log.warn({ reason: error instanceof Error ? error.message : error }, "traces can't be sent");
  });
}

function openProvider({ endpoint, headers, serviceName, ratio }: Traces): TracerProvider {
  const exporter = new OTLPTraceExporter({ url: endpoint, headers, timeoutMillis: EXPORT_MILLISECONDS });
  const batches = new BatchSpanProcessor({
    exporter,
    exportTimeoutMillis: EXPORT_MILLISECONDS,
    scheduledDelayMillis: GATHER_MILLISECONDS,
  });
  return new TracerProvider({
    resource: resourceFromAttributes({
      "service.name": serviceName,
      "service.version": VERSION,
      "service.instance.id": randomUUID(),
    }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [batches],
  });
}

/**
 * A tracer that sends its spans in batches over HTTP, as JSON. A receiver that is away slows no work down: at most
 * 2,048 spans wait, and further ones are lost.
 */
export function openTracer(traces: Traces, log: Logger): Tracer {
  warnOfFailures(log);
  const provider = openProvider(traces);
  const tracer = provider.getTracer("billow", VERSION);
  const propagator = new W3CTraceContextPropagator();
  const running = new AsyncLocalStorage<Running>();
  const causes = new Causes();

  /** The context to begin a span in; null: the span is not recorded. */
  function parentOf({ within }: Description): Context | null {
    if (within === "new") return ROOT_CONTEXT;
    if (within !== "parent") return propagator.extract(ROOT_CONTEXT, within, defaultTextMapGetter);
    const parent = running.getStore();
    return parent === undefined || parent.isOver ? null : parent.context;
  }

  function begin(description: Description, parent: Context) {
    const { name, kind, within, attributes } = description;
    const found = (description.causes ?? []).flatMap((id) => causes.get(id) ?? []);
    const links: Link[] = found.map(({ context }) => ({ context }));
    const inherited = within === "parent" ? running.getStore()?.requestId : found[0]?.requestId;
    const requestId = description.requestId ?? inherited;
    const span = tracer.startSpan(name, { kind: KINDS[kind], attributes, links }, parent);
    if (within !== "parent" && requestId !== undefined) span.setAttribute("billow.request_id", requestId);
    const inside: Running = { context: trace.setSpan(parent, span), requestId, isOver: false };
    return { span, inside };
  }

  return {
    async run<T>(description: Description, work: (span: Span) => Promise<T>): Promise<T> {
      const parent = parentOf(description);
      if (parent === null) return work(NO_SPAN);
      const { span, inside } = begin(description, parent);
      const fail = (type: string) => {
        span.setAttribute("error.type", type);
        span.setStatus({ code: SpanStatusCode.ERROR });
      };
      try {
        return await running.run(inside, () =>
          work({ set: (more) => void span.setAttributes(more), rename: (name) => void span.updateName(name), fail }),
        );
      } catch (error) {
        const type = typeOf(error);
        if (type !== null) fail(type);
        throw error;
      } finally {
        inside.isOver = true;
        span.end();
      }
    },
    recorded(attribute, rows) {
      const inside = running.getStore();
      const span = inside && !inside.isOver ? trace.getSpan(inside.context) : undefined;
      if (!inside || !span) return;
      for (const { id } of rows) {
        span.addEvent("recorded", { [attribute]: id });
        causes.remember(id, { context: span.spanContext(), requestId: inside.requestId });
      }
    },
    close: () => atMost(CLOSE_MILLISECONDS, provider.shutdown()),
  };
}
