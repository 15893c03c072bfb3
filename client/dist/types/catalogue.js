// Generated from the OpenAPI documents, and from the resources that events show: npm run gen.
export {};
