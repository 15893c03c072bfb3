import { createHash, createPrivateKey, generateKeyPairSync, randomBytes, sign, type KeyObject } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { OpenIdSettings } from "../../src/outbound/open-id.ts";

/** An account at the provider. `authenticatedAt`: epoch seconds; `undefined`: the provider does not say. */
export type Account = {
  sub: string;
  email?: string;
  email_verified?: boolean;
  name?: string;
  auth_time?: number | undefined;
};

/**
 * A way in which the provider misbehaves. `down`: no answer makes sense. `refuses`: the person does not agree.
 * `nonce`, `signature`, `audience`: this part of the ID token is wrong. `thin`: the ID token has no e-mail address,
 * which only the userinfo endpoint has.
 */
export type Fault = "down" | "refuses" | "nonce" | "signature" | "audience" | "thin" | null;

export type OpenIdProvider = {
  settings: OpenIdSettings;
  /** The account that is signed in at the provider. */
  account: Account;
  fault: Fault;
  /** The parameters of the last request for a sign-in. */
  asked: URLSearchParams;
  /** Agrees on the provider's page, and answers the address to which the provider leads back. */
  agree(url: string): Promise<string>;
  close(): Promise<void>;
};

type Granted = { asked: URLSearchParams; account: Account };

const base64 = (value: object | Buffer) =>
  (Buffer.isBuffer(value) ? value : Buffer.from(JSON.stringify(value))).toString("base64url");

function tokenOf(key: KeyObject, kid: string, claims: object): string {
  const text = `${base64({ alg: "RS256", kid, typ: "JWT" })}.${base64(claims)}`;
  return `${text}.${sign("RSA-SHA256", Buffer.from(text), key).toString("base64url")}`;
}

async function formOf(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return new URLSearchParams(Buffer.concat(chunks).toString());
}

function json(response: ServerResponse, value: object, status = 200): void {
  response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(value));
}

/** The keys of the provider: its own, and one that it does not publish. */
function newKeys() {
  const own = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const foreign = generateKeyPairSync("rsa", { modulusLength: 2048 });
  return { own, foreign: createPrivateKey(foreign.privateKey.export({ type: "pkcs8", format: "pem" })) };
}

/**
 * An OpenID provider (OpenID Connect Core 1.0) with one account, over HTTP on loopback. Its code flow checks the
 * client, the redirect URI and PKCE, and signs by RS256.
 */
export async function startOpenIdProvider(): Promise<OpenIdProvider> {
  const keys = newKeys();
  const granted = new Map<string, Granted>();
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const settings = { issuer, clientId: "billow", clientSecret: "secret of the provider" };

  function claimsFor({ asked, account }: Granted): object {
    const now = Math.floor(Date.now() / 1000);
    const { sub, email, email_verified: verified, name, auth_time: authTime } = account;
    const about = provider.fault === "thin" ? {} : { email, email_verified: verified, name };
    const audience = provider.fault === "audience" ? "another client" : settings.clientId;
    const nonce = provider.fault === "nonce" ? "another nonce" : asked.get("nonce");
    return { iss: issuer, sub, aud: audience, iat: now, exp: now + 300, nonce, auth_time: authTime, ...about };
  }

  async function token(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = await formOf(request);
    const client = Buffer.from(request.headers.authorization?.split(" ")[1] ?? "", "base64").toString();
    const expected = [settings.clientId, settings.clientSecret].map((part) =>
      encodeURIComponent(part).replaceAll("%20", "+"),
    );
    if (client !== expected.join(":")) return json(response, { error: "invalid_client" }, 401);
    const code = form.get("code") ?? "";
    const found = granted.get(code);
    granted.delete(code);
    const challenge = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    const isRight =
      found?.asked.get("code_challenge") === challenge && found.asked.get("redirect_uri") === form.get("redirect_uri");
    if (!found || !isRight) return json(response, { error: "invalid_grant" }, 400);
    const key = provider.fault === "signature" ? keys.foreign : keys.own.privateKey;
    const idToken = tokenOf(key, "one", claimsFor(found));
    json(response, { access_token: "access", token_type: "Bearer", expires_in: 300, id_token: idToken });
  }

  /** The address to which the provider leads back after the person's choice. */
  function outcomeOf(asked: URLSearchParams): string {
    const back = new URL(asked.get("redirect_uri")!);
    back.searchParams.set("state", asked.get("state")!);
    if (provider.fault === "refuses") {
      back.searchParams.set("error", "access_denied");
      return back.href;
    }
    const code = randomBytes(16).toString("hex");
    granted.set(code, { asked, account: { ...provider.account } });
    back.searchParams.set("code", code);
    return back.href;
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url!, issuer);
    if (provider.fault === "down") return void response.writeHead(503).end("<p>down</p>");
    if (pathname === "/.well-known/openid-configuration")
      return json(response, {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        userinfo_endpoint: `${issuer}/userinfo`,
        jwks_uri: `${issuer}/jwks`,
        response_types_supported: ["code"],
        subject_types_supported: ["public"],
        id_token_signing_alg_values_supported: ["RS256"],
      });
    if (pathname === "/jwks")
      return json(response, {
        keys: [{ ...keys.own.publicKey.export({ format: "jwk" }), kid: "one", alg: "RS256", use: "sig" }],
      });
    if (pathname === "/token") return token(request, response);
    if (pathname === "/userinfo") return json(response, provider.account);
    if (pathname === "/agree") return void response.writeHead(303, { Location: outcomeOf(searchParams) }).end();
    provider.asked = searchParams;
    const page = `<!doctype html><html lang="en"><title>Provider</title><h1>Provider</h1>
<a href="/agree?${searchParams.toString().replaceAll("&", "&amp;")}">Agree</a></html>`;
    response.writeHead(200, { "Content-Type": "text/html" }).end(page);
  }

  const provider: OpenIdProvider = {
    settings,
    account: { sub: "1" },
    fault: null,
    asked: new URLSearchParams(),
    async agree(url) {
      await fetch(url);
      const agreed = new URL(url);
      agreed.pathname = "/agree";
      return (await fetch(agreed, { redirect: "manual" })).headers.get("Location")!;
    },
    close: () =>
      new Promise((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
  return provider;
}
