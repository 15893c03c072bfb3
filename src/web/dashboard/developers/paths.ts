import { ROOT } from "../request.ts";

/** The beginnings of routes. */
export const KEYS = `${ROOT}/developers/keys`;
export const WEBHOOKS = `${ROOT}/developers/webhooks`;
export const DELIVERIES = `${ROOT}/developers/deliveries`;

export const keyPath = (self: string, keyId: string) => `${self}/developers/keys/${keyId}`;
export const endpointPath = (self: string, endpointId: string) => `${self}/developers/webhooks/${endpointId}`;
export const deliveryPath = (self: string, deliveryId: string) => `${self}/developers/deliveries/${deliveryId}`;
export const eventPath = (self: string, eventId: string) => `${self}/developers/events/${eventId}`;
export const requestPath = (self: string, requestId: string) => `${self}/developers/requests/${requestId}`;
