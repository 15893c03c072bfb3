import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

type Value = { stringValue?: string; intValue?: number | string; doubleValue?: number };
type Attribute = { key: string; value: Value };
/** A span as OTLP has it in JSON. `kind`: 1 internal, 2 server, 3 client. */
type Sent = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes: Attribute[];
  events: { name: string; attributes: Attribute[] }[];
  links: { traceId: string; spanId: string }[];
  status: { code?: number };
};
export type TracedSpan = Omit<Sent, "attributes"> & { values: Record<string, string | number | undefined> };

/** A receiver of traces, by OTLP over HTTP. */
export type TraceReceiver = {
  /** The value of `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  url: string;
  spans: TracedSpan[];
  /** The bodies as they came, and the headers of their requests. */
  text: string;
  headers: Record<string, unknown>[];
  resource: Record<string, string | number | undefined>;
  close(): Promise<void>;
};

const valuesOf = (attributes: readonly Attribute[]) =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? value.doubleValue ?? Number(value.intValue)]),
  );

export async function startTraceReceiver(): Promise<TraceReceiver> {
  const receiver: TraceReceiver = {
    url: "",
    spans: [],
    text: "",
    headers: [],
    resource: {},
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const body = JSON.parse(text) as {
      resourceSpans: { resource: { attributes: Attribute[] }; scopeSpans: { spans: Sent[] }[] }[];
    };
    receiver.text += text;
    receiver.headers.push({ ...request.headers, path: request.url });
    for (const { resource, scopeSpans } of body.resourceSpans) {
      receiver.resource = valuesOf(resource.attributes);
      for (const { spans } of scopeSpans)
        receiver.spans.push(...spans.map(({ attributes, ...span }) => ({ ...span, values: valuesOf(attributes) })));
    }
    response.writeHead(200, { "Content-Type": "application/json" }).end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return receiver;
}
