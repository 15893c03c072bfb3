-- The buyer's language tag (BCP 47); null: the language of the buyer's browser, or of an English page.
ALTER TABLE customers ADD COLUMN locale text COLLATE "C";
ALTER TABLE checkouts ADD COLUMN locale text COLLATE "C";
ALTER TABLE customers ADD CONSTRAINT customers_blank_locale CHECK (deleted_at IS NULL OR locale IS NULL);
