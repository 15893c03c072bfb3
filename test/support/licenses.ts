import type { Json } from "./app.ts";
import { CARDS, startStory, type Story } from "./story.ts";

/** A sandbox on 1 June 2025. It sells `pro`, with a license key for two devices, and `free`, without one. */
export type LicenseShop = { story: Story; benefitId: string };
/** The data with which a program uses a key. */
export type License = { organizationId: string; key: string };
/** A sold license: the Subscription, the grant, and the data with which a program uses the key. */
type Sold = { id: string; customerId: string; grantId: string; license: License };

export async function openLicenseShop(): Promise<LicenseShop> {
  const story = await startStory({ clock: "2025-06-01T09:00:00Z" });
  const properties = { prefix: "ACME", activationLimit: 2 };
  const benefitId = (
    await story.ok(
      story.app.manage("POST", "/benefits", { key: "editor", type: "license_key", name: "Editor", properties }),
    )
  ).id;
  await story.plan("pro", 3000, { benefitIds: [benefitId] });
  await story.plan("free", 0);
  return { story, benefitId };
}

/** The requests about a license, of a program and of the Organization. */
export function licensesOf(get: () => LicenseShop) {
  const call = (path: string, body: object, headers?: Record<string, string>) =>
    get().story.app.licenses("POST", path, body, headers);
  const validate = (license: License, activationId?: string) =>
    call("/validate", { ...license, ...(activationId && { activationId }) });
  const activate = (license: License, more: object = {}) => call("/activate", { ...license, ...more });
  const deactivate = (license: License, activationId: string) => call("/deactivate", { ...license, activationId });
  const activationsOf = (grantId: string, query = "") =>
    get().story.app.manage("GET", `/benefit-grants/${grantId}/activations${query}`);

  async function licenseOf(externalCustomerId: string): Promise<Json> {
    const { data } = await get().story.ok(
      get().story.app.manage("GET", `/benefit-grants?externalCustomerId=${externalCustomerId}`),
    );
    return data.find((grant: Json) => grant.benefitId === get().benefitId);
  }

  async function sell(name: string, card: string = CARDS.pays): Promise<Sold> {
    const customer = { email: `${name}@example.com`, externalId: name, name: `Customer ${name}` };
    const { id, customerId } = await get().story.buy({ productKey: "pro", customer }, card);
    const grant = await licenseOf(name);
    return {
      id,
      customerId,
      grantId: grant.id,
      license: { organizationId: get().story.app.organization.id, key: grant.properties.key },
    };
  }

  /** The events of a grant, each with the number of activations that it showed. */
  async function historyOf(grantId: string): Promise<[type: string, sequence: number, activations: number][]> {
    const { data } = await get().story.ok(get().story.app.manage("GET", `/events?resourceId=${grantId}`));
    return data.map((event: Json) => [event.type, event.sequence, event.data.properties.activations]);
  }

  return { call, validate, activate, deactivate, activationsOf, licenseOf, sell, historyOf };
}
