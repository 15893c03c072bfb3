// Generated from the OpenAPI document of the public API, and from what events show: npm run gen.
export {};
