/**
 * A document of hundreds of kilobytes. The document is made at the first request, and all connections send the same
 * bytes from memory. A Response made of text or bytes would copy them for each slow connection.
 */
export function storedAnswer(headers: Record<string, string>, make: () => string | Buffer): () => Response {
  let made: Buffer | undefined;
  return () => {
    const bytes = (made ??= Buffer.from(make()));
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(bytes);
        controller.close();
      },
    });
    return new Response(body, { headers: { ...headers, "Content-Length": String(bytes.length) } });
  };
}
