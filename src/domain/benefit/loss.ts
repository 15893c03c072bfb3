type Held = { subscriptionId: string | null; benefitId: string };

/** The grants that end with a Subscription, in their order. Access from another source stays. */
export function lostWith<Grant extends Held>(subscriptionId: string, grants: readonly Grant[]): Grant[] {
  const others = new Set(
    grants.filter((grant) => grant.subscriptionId !== subscriptionId).map((each) => each.benefitId),
  );
  return grants.filter((grant) => grant.subscriptionId === subscriptionId && !others.has(grant.benefitId));
}
