import type { ClientAuth, Configuration } from "openid-client";

/** Loaded on demand: a process without a sign-in saves 45 ms at its start, and 7 MB. */
const library = () => import("openid-client");
type Library = Awaited<ReturnType<typeof library>>;

/** The provider of the operator's choice, and Billow's registration there. */
export type OpenIdSettings = { issuer: string; clientId: string; clientSecret: string };

/** The values that tie the provider's answer to the browser and to the request (PKCE, state, nonce). */
export type Challenge = { state: string; nonce: string; verifier: string };

/**
 * An account at the provider. `email`: null unless the provider has verified it. `authenticatedAt`: the epoch
 * milliseconds at which the person gave the password there; null: the provider does not say.
 */
export type Identity = {
  issuer: string;
  subject: string;
  email: string | null;
  name: string | null;
  authenticatedAt: number | null;
};

/**
 * `unreachable`: the provider does not answer, or its answer makes no sense. `refused`: the person or the provider did
 * not agree. `invalid`: the answer belongs to no request of this browser, or its signature or its values are wrong.
 */
export type OpenIdFault = "unreachable" | "refused" | "invalid";

export class OpenIdError extends Error {
  readonly fault: OpenIdFault;
  constructor(fault: OpenIdFault, cause: unknown) {
    super(`the OpenID provider: ${fault}`, { cause });
    this.fault = fault;
  }
}

const TIMEOUT_SECONDS = 10;
/** The provider's addresses are read again after this time. Its signing keys are read again whenever one is unknown. */
const LASTS_MILLISECONDS = 60 * 60_000;
/** Clocks may differ by this much. */
const TOLERANCE_SECONDS = 30;

type Known = { settings: string; until: number; configuration: Promise<Configuration> };
/** The provider as it described itself. There is one provider for each installation. */
let known: Known | null = null;

/** The secret goes into a header unless the provider takes only the form. */
function authenticationBy(openId: Library, secret: string): ClientAuth {
  const [basic, post] = [openId.ClientSecretBasic(secret), openId.ClientSecretPost(secret)];
  return (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
    const isPost = !methods.includes("client_secret_basic") && methods.includes("client_secret_post");
    return (isPost ? post : basic)(server, client, body, headers);
  };
}

async function discover({ issuer, clientId, clientSecret }: OpenIdSettings): Promise<Configuration> {
  const openId = await library();
  const server = new URL(issuer);
  // Signatures are verified too, although the token comes from the provider itself.
  const execute = [openId.enableNonRepudiationChecks];
  // Only a loopback issuer may be http: see OIDC_ISSUER in config.ts.
  if (server.protocol === "http:") execute.push(openId.allowInsecureRequests);
  const metadata = { [openId.clockTolerance]: TOLERANCE_SECONDS };
  const options = { execute, timeout: TIMEOUT_SECONDS };
  return openId.discovery(server, clientId, metadata, authenticationBy(openId, clientSecret), options);
}

/** @throws OpenIdError `unreachable` */
async function configurationOf(settings: OpenIdSettings): Promise<Configuration> {
  const wanted = JSON.stringify(settings);
  if (known?.settings !== wanted || known.until < performance.now())
    known = { settings: wanted, until: performance.now() + LASTS_MILLISECONDS, configuration: discover(settings) };
  const asked = known;
  try {
    return await asked.configuration;
  } catch (error) {
    // The next request asks again.
    if (known === asked) known = null;
    throw new OpenIdError("unreachable", error);
  }
}

/** Why the provider can't be used; null: the provider describes itself as it should. The client's secret is not tried. */
export async function whyNoProvider(settings: OpenIdSettings): Promise<string | null> {
  try {
    await discover(settings);
    return null;
  } catch (error) {
    const { message, cause } = error as Error;
    return cause instanceof Error ? `${message}: ${cause.message}` : message;
  }
}

/**
 * The provider's page to which the browser is led. `redirectUri`: the page to which the provider leads back. `again`:
 * the provider has to ask for the password, also if the person is signed in there.
 * @throws OpenIdError `unreachable`
 */
export async function authorizationUrl(
  settings: OpenIdSettings,
  redirectUri: string,
  { again }: { again: boolean },
): Promise<{ url: string; challenge: Challenge }> {
  const [openId, configuration] = await Promise.all([library(), configurationOf(settings)]);
  const challenge = {
    state: openId.randomState(),
    nonce: openId.randomNonce(),
    verifier: openId.randomPKCECodeVerifier(),
  };
  const url = openId.buildAuthorizationUrl(configuration, {
    redirect_uri: redirectUri,
    scope: "openid email profile",
    state: challenge.state,
    nonce: challenge.nonce,
    code_challenge: await openId.calculatePKCECodeChallenge(challenge.verifier),
    code_challenge_method: "S256",
    ...(again && { prompt: "login", max_age: "0" }),
  });
  return { url: url.href, challenge };
}

/** Errors of the provider's page (OpenID Connect Core 3.1.2.6) that a person or a policy causes. */
const REFUSALS = ["access_denied", "login_required", "interaction_required", "consent_required"];
const BUSY = ["server_error", "temporarily_unavailable"];
/** Errors of the library for an answer that is late, no JSON, or has the wrong status. */
const SENSELESS = ["OAUTH_TIMEOUT", "OAUTH_RESPONSE_IS_NOT_CONFORM", "OAUTH_RESPONSE_IS_NOT_JSON", "OAUTH_PARSE_ERROR"];

function faultOf({ AuthorizationResponseError }: Library, error: unknown): OpenIdFault {
  if (error instanceof AuthorizationResponseError) {
    if (REFUSALS.includes(error.error)) return "refused";
    return BUSY.includes(error.error) ? "unreachable" : "invalid";
  }
  const { code } = error as { code?: string };
  // `fetch` fails with a TypeError without a code.
  const isSenseless = code === undefined ? error instanceof TypeError : SENSELESS.includes(code);
  return isSenseless ? "unreachable" : "invalid";
}

/** An issuer is an address, and a subject has at most 255 characters of ASCII. */
const ACCOUNT = /^[\x20-\x7e]{1,255}$/;

const textIn = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null);

/**
 * The account with which the person came back to `currentUrl`, the redirect URI with the provider's parameters.
 * @throws OpenIdError
 */
export async function identityOf(
  settings: OpenIdSettings,
  currentUrl: URL,
  { state, nonce, verifier }: Challenge,
): Promise<Identity> {
  const [openId, configuration] = await Promise.all([library(), configurationOf(settings)]);
  try {
    const tokens = await openId.authorizationCodeGrant(configuration, currentUrl, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    });
    const claims = tokens.claims()!;
    const { iss, sub, auth_time: authTime } = claims;
    if (!ACCOUNT.test(iss) || !ACCOUNT.test(sub)) throw new OpenIdError("invalid", "unprintable issuer or subject");
    // Some providers tell e-mail and name only at their userinfo endpoint.
    const hasMore = claims["email"] === undefined && configuration.serverMetadata().userinfo_endpoint !== undefined;
    const about = hasMore ? await openId.fetchUserInfo(configuration, tokens.access_token, sub) : claims;
    return {
      issuer: iss,
      subject: sub,
      email: about["email_verified"] === true ? textIn(about["email"]) : null,
      name: textIn(about["name"]),
      authenticatedAt: authTime === undefined ? null : authTime * 1000,
    };
  } catch (error) {
    throw error instanceof OpenIdError ? error : new OpenIdError(faultOf(openId, error), error);
  }
}
