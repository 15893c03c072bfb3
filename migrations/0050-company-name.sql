-- The company for which a Customer buys. Documents show the company before the person.
ALTER TABLE customers ADD COLUMN company_name text;
ALTER TABLE customers ADD CONSTRAINT customers_blank_company CHECK (deleted_at IS NULL OR company_name IS NULL);
