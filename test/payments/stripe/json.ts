/** A value that can be sent as JSON. `undefined` stands for a field that is left out. */
export type Json = string | number | boolean | null | undefined | Json[] | { [name: string]: Json };
export type JsonObject = { [name: string]: Json };
