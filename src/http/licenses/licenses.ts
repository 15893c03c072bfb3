import {
  activateLicense,
  deactivateLicense,
  isDeactivated,
  validateLicense,
  type LicenseView,
} from "../../actions/benefit/licenses.ts";
import {
  ActivateLicenseParams,
  DeactivateLicenseParams,
  LicenseResource,
  presentLicense,
  ValidateLicenseParams,
} from "../../resources/license.ts";
import { answer, NO_CONTENT, noContent } from "../answer.ts";
import { commit, isRepeat } from "../commit.ts";
import { endpoint, type Endpoint } from "../endpoint.ts";

const organizationId = "org_01kg8n5vq4e0rb7w9c3d6f2h1j";
const key = "ACME-4T9XK-01C8R-HVMQ2-6ZWDN";
const activationId = "act_01kg8n5vq4e0rb7w9c3d6f2h1j";

const licenseAnswer = (status: 200 | 201, { license, activation }: LicenseView) =>
  answer(status, presentLicense(license, activation));

export const licenseEndpoints: Endpoint[] = [
  endpoint({
    method: "POST",
    path: "/validate",
    operationId: "validateLicense",
    summary: "Validate a license key",
    description:
      "With the `activationId` of an earlier activation, `valid` also tells if that activation still belongs to " +
      "the key.",
    body: ValidateLicenseParams,
    example: { organizationId, key, activationId },
    responses: { 200: LicenseResource },
    errors: ["license_not_found"],
    handle: async (ctx, { body }) => licenseAnswer(200, await validateLicense(ctx, body)),
  }),
  endpoint({
    method: "POST",
    path: "/activate",
    operationId: "activateLicense",
    summary: "Use a license key on one more device",
    description:
      "Send the same `Idempotency-Key` with each attempt. " +
      "If an answer is lost, the next attempt then makes no second activation.",
    body: ActivateLicenseParams,
    example: { organizationId, key, label: "Ada's laptop", metadata: { os: "linux" } },
    responses: { 201: LicenseResource },
    errors: ["license_not_found", "license_not_active", "activation_limit_reached"],
    handle(ctx, { call, body }) {
      return commit(
        ctx,
        call,
        (origin) => activateLicense(ctx, origin, body),
        (shown: LicenseView) => licenseAnswer(201, shown),
      );
    },
  }),
  endpoint({
    method: "POST",
    path: "/deactivate",
    operationId: "deactivateLicense",
    summary: "End the use of a license key on a device. A repeat has no effect",
    body: DeactivateLicenseParams,
    example: { organizationId, key, activationId },
    responses: { 204: null },
    errors: ["license_not_found"],
    async handle(ctx, { call, body }) {
      // If the activation is gone and the request is no repeat, no lock is taken and the Idempotency-Key stays free.
      if (!(await isRepeat(ctx, call)) && (await isDeactivated(ctx, body))) return NO_CONTENT;
      return commit(ctx, call, (origin) => deactivateLicense(ctx, origin, body), noContent);
    },
  }),
];
