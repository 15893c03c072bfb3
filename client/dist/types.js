// Generated from the OpenAPI document of the public API: npm run gen.
export {};
