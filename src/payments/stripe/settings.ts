import type { Metadata } from "./objects.ts";

/**
 * One account at Stripe and one key. `account`: `acct_…`. `installation`: the id that tells this installation's objects
 * from others in the same account. `now`: epoch milliseconds. `deadline`: the longest duration of one
 * call in milliseconds. `warn`: reports answers that the adapter does not expect.
 */
export type Settings = {
  account: string;
  key: string;
  webhookSecrets: readonly string[];
  installation: string;
  now: () => number;
  deadline: number;
  warn: (message: string, details: Readonly<Record<string, unknown>>) => void;
};

/** Live and test are decided by the key: `sk_live_…`, `rk_test_…`. */
export const isLive = (key: string): boolean => /^[a-z]+_live_/.test(key);

/** The metadata of each object that the adapter makes. They come back with the object, its charge and its events. */
export const metadataOf = ({ installation }: Settings, organizationId: string, key: string) => ({
  billow_installation: installation,
  billow_organization: organizationId,
  billow_key: key,
});

/** The key in an object's metadata; null: the object is not of this installation, or of another Organization. */
export function keyIn({ installation }: Settings, organizationId: string, metadata: Metadata | null): string | null {
  const isOurs =
    metadata?.["billow_installation"] === installation && metadata["billow_organization"] === organizationId;
  return (isOurs && metadata["billow_key"]) || null;
}

/** True for an object of another Organization of this installation. */
export const isNeighbours = ({ installation }: Settings, organizationId: string, metadata: Metadata | null): boolean =>
  metadata?.["billow_installation"] === installation && metadata["billow_organization"] !== organizationId;
