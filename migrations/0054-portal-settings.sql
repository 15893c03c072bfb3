-- The deeds of the portal that a seller has switched off, as a list; an empty list allows all of them.
ALTER TABLE organizations ADD COLUMN portal_off json NOT NULL DEFAULT '[]';
-- The ids of the Products that a Customer may change to in the portal; null: every Product of the group.
ALTER TABLE organizations ADD COLUMN portal_products json;
