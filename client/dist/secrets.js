/** The Standard Webhooks specification has secrets of 24 to 64 bytes. A shorter secret could be guessed. */
const LEAST_BYTES = 24;
const PREFIX = "whsec_";
/**
 * The keys of the signatures of webhooks.
 * @throws TypeError for a missing or malformed secret
 */
export async function keysOf(secret) {
    const secrets = secretsOf(secret);
    if (!globalThis.crypto?.subtle)
        throw new TypeError("Web Crypto is missing: Node has it from version 20");
    const algorithm = { name: "HMAC", hash: "SHA-256" };
    return Promise.all(secrets.map((bytes) => crypto.subtle.importKey("raw", bytes, algorithm, false, ["sign"])));
}
/**
 * The bytes of one secret, or of several during a rotation.
 * @throws TypeError for a missing or malformed secret
 */
export function secretsOf(secret) {
    const secrets = [secret ?? ""].flat();
    if (secrets.every((each) => !each))
        throw new TypeError("The webhook secret is missing. If the secret comes from a variable of the environment, set the variable. " +
            "`node bin/billow.mjs listen` in the folder of Billow prints a secret. " +
            "The answer that creates a webhook endpoint has one too");
    return secrets.map((each) => bytesOf(String(each)));
}
function bytesOf(secret) {
    const bytes = decoded(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret);
    if (bytes.length >= LEAST_BYTES)
        return bytes;
    throw new TypeError(`The webhook secret is malformed. A secret is ${PREFIX} and at least ${LEAST_BYTES} bytes in base64`);
}
/** The bytes, or an empty array for invalid base64. */
function decoded(base64) {
    try {
        return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    }
    catch {
        return new Uint8Array();
    }
}
