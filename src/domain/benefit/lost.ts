type Held = { subscriptionId: string | null; benefitId: string; benefit: { name: string } };

/** The names of the Benefits that end with a Subscription, in the order of the grants. Access from another source stays. */
export function lostWith(subscriptionId: string, grants: readonly Held[]): string[] {
  const others = new Set(
    grants.filter((grant) => grant.subscriptionId !== subscriptionId).map((each) => each.benefitId),
  );
  const own = grants.filter((grant) => grant.subscriptionId === subscriptionId && !others.has(grant.benefitId));
  return own.map(({ benefit }) => benefit.name);
}
