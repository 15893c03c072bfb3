import pg from "pg";
import { atMost } from "../../clock.ts";
import { greetedBy } from "./internals.ts";

/** How long the second connection may take. A pooler that keeps its sessions may have none left. */
const PROBE_MILLISECONDS = 1_000;

async function backendOf(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ backend: number }>("SELECT pg_backend_pid() AS backend");
  return rows[0]!.backend;
}

/**
 * Whether `client` has a session of its own, seen by a second connection with `config`, which then closes. Two
 * connections of a pooler that lends its sessions have the same session in turns. False is certain. True is only
 * likely if others use the pooler at the same moment, or if the second connection gets no answer.
 */
export async function hasOwnSession(client: pg.ClientBase, config: pg.ClientConfig): Promise<boolean> {
  const first = await backendOf(client);
  if (first === greetedBy(client)) return true;
  const other = new pg.Client(config);
  other.on("error", () => undefined);
  let isOwn = true;
  const compare = async () => {
    await other.connect();
    const second = await backendOf(other);
    isOwn = second !== first && (await backendOf(client)) === first && (await backendOf(other)) === second;
  };
  await atMost(
    PROBE_MILLISECONDS,
    compare().catch(() => undefined),
  );
  void other.end().catch(() => undefined);
  return isOwn;
}
