ALTER TABLE "catalog_treatment" ADD COLUMN "typed_price" bigint;
--> statement-breakpoint
-- A conversion writes typed_price too. Whatever else changes price or VAT is an edit, after which nothing typed is left.
CREATE FUNCTION "catalog_treatment_edited"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  new.typed_price := NULL;
  RETURN new;
END $$;
--> statement-breakpoint
CREATE TRIGGER "catalog_treatment_edited" BEFORE UPDATE OF "unit_price", "vat" ON "catalog_treatment" FOR EACH ROW
  WHEN ((new.unit_price, new.vat) IS DISTINCT FROM (old.unit_price, old.vat) AND new.typed_price IS NOT DISTINCT FROM old.typed_price)
  EXECUTE FUNCTION "catalog_treatment_edited"();
