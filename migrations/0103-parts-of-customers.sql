-- The parts of three characters of some texts, as hash values with the Organization's id: a GIN index of these values
-- finds any part of a text among a million rows. Not each owner of a database may create pg_trgm.
CREATE FUNCTION text_parts(organization_id text, VARIADIC texts text[]) RETURNS bigint[]
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS 'SELECT coalesce(array_agg(hashtextextended(organization_id || substr(each, n, 3), 0)), ''{}'')
    FROM unnest(texts) AS each, generate_series(1, length(each) - 2) AS n';

CREATE INDEX customers_parts ON customers USING gin
  (text_parts(organization_id, email_key, lower(email), lower(name), lower(company_name), lower(external_id)))
  WHERE deleted_at IS NULL;
