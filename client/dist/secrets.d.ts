/**
 * The keys of the signatures of webhooks.
 * @throws TypeError for a missing or malformed secret
 */
export declare function keysOf(secret: string | readonly string[]): Promise<CryptoKey[]>;
/**
 * The bytes of one secret, or of several during a rotation.
 * @throws TypeError for a missing or malformed secret
 */
export declare function secretsOf(secret: string | readonly string[] | undefined): Uint8Array<ArrayBuffer>[];
