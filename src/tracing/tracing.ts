/**
 * The spans of OpenTelemetry, without its library: while no tracer is in use, the work runs as it is. `otlp.ts` makes
 * the tracer, and only a process with a setting for the traces loads that file.
 *
 * A span holds ids, names of operations and codes. It never holds an e-mail address, a name, a value of a statement, a
 * path that was requested, or the message of an error: paths and messages may hold tokens and personal data.
 */
export type Attributes = { readonly [name: string]: string | number | undefined };

export type Span = {
  set(attributes: Attributes): void;
  /** Gives the span a name that is known only after its beginning. */
  rename(name: string): void;
  /** The work has failed, although it throws no error. */
  fail(type: string): void;
};

/**
 * `within`: the headers of a request, whose trace goes on; `new`: a trace of its own; `parent`: recorded only inside of
 * a span that runs. `causes`: the ids of events and e-mails that the work is about, for a link to their transaction.
 */
export type Description = {
  name: string;
  kind: "server" | "client" | "internal";
  within: { readonly [header: string]: string | string[] | undefined } | "new" | "parent";
  attributes: Attributes;
  requestId?: string;
  causes?: readonly string[];
};

export type Tracer = {
  run<T>(description: Description, work: (span: Span) => Promise<T>): Promise<T>;
  /** Notes in the span that runs that these rows were recorded, and remembers the span for `causes`. */
  recorded(attribute: string, rows: readonly { id: string }[]): void;
  /** Sends the spans that are left. */
  close(): Promise<void>;
};

/** For work that is not recorded. */
export const NO_SPAN: Span = { set: () => undefined, rename: () => undefined, fail: () => undefined };
let tracer: Tracer | null = null;

/** All spans of this process go to this tracer. */
export function useTracer(given: Tracer): void {
  tracer = given;
}

/** Runs work in a span. Without a tracer, `describe` is not called. */
export function traced<T>(describe: () => Description, work: (span: Span) => Promise<T>): Promise<T> {
  return tracer === null ? work(NO_SPAN) : tracer.run(describe(), work);
}

/** The span of a request to another server. The path and the parameters stay out of it. */
export const requestSpan = (method: string, { hostname, port, protocol }: URL) =>
  ({
    name: method,
    kind: "client",
    within: "parent",
    attributes: {
      "http.request.method": method,
      "server.address": hostname,
      "server.port": port === "" ? (protocol === "https:" ? 443 : 80) : Number(port),
    },
  }) as const;

/** Events and e-mails were recorded. Another process may send them. */
export function tracedRows(attribute: "billow.event.id" | "billow.email.id", rows: readonly { id: string }[]): void {
  tracer?.recorded(attribute, rows);
}

export const hasTracer = () => tracer !== null;

/** Sends the spans that are left, within a second. */
export function closeTracer(): Promise<void> {
  const open = tracer;
  tracer = null;
  return open === null ? Promise.resolve() : open.close();
}
