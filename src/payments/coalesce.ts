type Waiting<Request, Reply> = { request: Request; resolve(reply: Reply): void; reject(error: unknown): void };

/**
 * Returns requests of about the same moment in one turn. While one turn is being answered, later requests wait for the
 * next. `answerAll` gives an answer, or an Error to throw, for each request in order. If `answerAll` itself throws, all
 * of its requests fail with that error. `most`: the most requests of one turn.
 */
export function coalesce<Request, Reply>(
  answerAll: (requests: readonly Request[]) => Promise<(Reply | Error)[]>,
  most: number,
): (request: Request) => Promise<Reply> {
  const waiting: Waiting<Request, Reply>[] = [];
  let isBusy = false;

  async function takeTurn(): Promise<void> {
    const turn = waiting.splice(0, most);
    try {
      const answers = await answerAll(turn.map(({ request }) => request));
      for (const [index, { resolve, reject }] of turn.entries()) {
        const answer = answers[index]!;
        if (answer instanceof Error) reject(answer);
        else resolve(answer);
      }
    } catch (error) {
      for (const { reject } of turn) reject(error);
    }
  }

  async function takeTurns(): Promise<void> {
    isBusy = true;
    // Requests from the same pass of the event loop belong together.
    await new Promise<void>((resolve) => void setImmediate(resolve));
    while (waiting.length > 0) await takeTurn();
    isBusy = false;
  }

  return (request) =>
    new Promise<Reply>((resolve, reject) => {
      waiting.push({ request, resolve, reject });
      if (!isBusy) void takeTurns();
    });
}
