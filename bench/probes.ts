import { setTimeout as sleep } from "node:timers/promises";

/** A request that is sent at a steady rate; `n` counts the requests. */
export type Probe = {
  name: string;
  perSecond: number;
  key: string;
  request(n: number): { method: string; path: string; body?: object };
};
/** Milliseconds until each answer arrived, in ascending order, and the number of answers that were no success. */
export type Latencies = { name: string; times: number[]; refused: number };

/** The milliseconds within which so many percent of the answers arrived. */
export function percentile({ times }: Latencies, percent: number): number {
  return times[Math.min(times.length - 1, Math.floor((times.length * percent) / 100))] ?? Number.NaN;
}

/** Sends the probes until `until` is settled. A slow answer does not delay the next requests. */
export async function probe(base: string, probes: readonly Probe[], until: Promise<unknown>): Promise<Latencies[]> {
  let isOver = false;
  void until.finally(() => (isOver = true)).catch(() => undefined);
  return Promise.all(probes.map((each) => keepAsking(base, each, () => isOver)));
}

async function keepAsking(
  base: string,
  { name, perSecond, key, request }: Probe,
  isOver: () => boolean,
): Promise<Latencies> {
  const found: Latencies = { name, times: [], refused: 0 };
  const underway: Promise<void>[] = [];
  const began = performance.now();
  for (let n = 0; !isOver(); n += 1) {
    underway.push(ask(n));
    await sleep(Math.max(0, began + ((n + 1) * 1000) / perSecond - performance.now()));
  }
  await Promise.all(underway);
  found.times.sort((one, other) => one - other);
  return found;

  async function ask(n: number): Promise<void> {
    const { method, path, body } = request(n);
    const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
    const sent = performance.now();
    const response = await fetch(base + path, { method, headers, body: body ? JSON.stringify(body) : null });
    await response.arrayBuffer();
    found.times.push(performance.now() - sent);
    if (!response.ok) found.refused += 1;
  }
}
