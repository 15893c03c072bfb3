-- The buyer's language when an invoice was issued; its credit notes have the same. Null: the language was not known.
ALTER TABLE invoices ADD COLUMN locale text COLLATE "C";
ALTER TABLE credit_notes ADD COLUMN locale text COLLATE "C";
-- The Product's name alone, for descriptions in other languages. Null: the line is older than this column.
ALTER TABLE invoice_lines ADD COLUMN product_name text;
