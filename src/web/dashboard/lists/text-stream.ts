/** The same texts, once the first one is made: its failure is the failure of the request, and its age is known. */
export async function begun(texts: AsyncGenerator<string, void>): Promise<AsyncGenerator<string, void>> {
  const first = await texts.next();
  return (async function* () {
    if (!first.done) yield first.value;
    yield* texts;
  })();
}

/**
 * A stream of these texts. The next text is made only when the reader has taken the last one, so a long file never
 * stands in memory.
 */
export function streamOf(texts: AsyncGenerator<string, void>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await texts.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await texts.return();
    },
  });
}
