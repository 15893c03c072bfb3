import type { JsonSchema } from "./json-schema.ts";

/** Values of an answer, and the operation that takes them. */
export type OpenApiLink = {
  operationId: string;
  parameters?: Record<string, string>;
  requestBody?: Record<string, string>;
};
export type Reference = { $ref: string };
export type Header = { description: string; schema: JsonSchema };
export type Content = Record<string, { schema: JsonSchema; example?: unknown; examples?: Record<string, Reference> }>;
export type OpenApiResponse = {
  description: string;
  headers: Record<string, Reference>;
  content?: Content;
  links?: Record<string, OpenApiLink>;
};
export type OpenApiParameter = {
  name: string;
  in: "path" | "query" | "header";
  required: boolean;
  description?: string;
  schema: JsonSchema;
};
export type OpenApiOperation = {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  parameters: OpenApiParameter[];
  requestBody?: { required: boolean; content: Content };
  /** A success is written out. An error is a reference to `components.responses`. */
  responses: Record<string, OpenApiResponse | Reference>;
};
export type OpenApiDocument = {
  openapi: "3.1.1";
  info: { title: string; version: string; description: string };
  servers: { url: string }[];
  security: Record<string, string[]>[];
  paths: Record<string, Record<string, OpenApiOperation>>;
  components: {
    schemas: Record<string, JsonSchema>;
    responses: Record<string, OpenApiResponse>;
    headers: Record<string, Header>;
    examples: Record<string, { summary: string; value: unknown }>;
    securitySchemes: Record<string, object>;
  };
};

export const RESPONSES = "#/components/responses/";

/** The response itself, also if the operation only refers to the response. */
export function resolveResponse(
  { components }: OpenApiDocument,
  response: OpenApiResponse | Reference,
): OpenApiResponse {
  return "$ref" in response ? components.responses[response.$ref.slice(RESPONSES.length)]! : response;
}
