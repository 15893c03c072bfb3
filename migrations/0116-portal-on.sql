-- The operations of the portal that are off until the seller switches them on (rule I10a). `portal_off` names the others. The constant
-- default rewrites no row.
ALTER TABLE organizations
  ADD COLUMN portal_on json NOT NULL DEFAULT '[]';
