-- The addresses at which buyers reach the seller. Pages and e-mails link to those that are set.
ALTER TABLE organizations
  ADD COLUMN support_email text,
  ADD COLUMN support_url text,
  ADD COLUMN terms_url text,
  ADD COLUMN privacy_url text,
  ADD COLUMN website_url text;
