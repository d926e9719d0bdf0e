DROP TRIGGER "budget_keep" ON "budget";
--> statement-breakpoint
CREATE TRIGGER "budget_keep" BEFORE DELETE OR UPDATE OF
  "id", "clinic_id", "number", "version", "status", "patient_id", "patient_first_name", "patient_last_name", "professional_id", "professional_name",
  "currency", "locale", "time_zone", "valid_until", "expires_at", "discount_type", "discount_value", "original_total", "total", "tax_total",
  "patient_notes", "internal_notes", "created_by", "created_at", "sent_at", "revises_id", "erased_at", "erased_seal",
  "choices", "price_from", "price_to", "selection",
  "withdrawn_at", "withdrawn_by", "withdrawal_requested_by", "withdrawal_reason"
ON "budget" FOR EACH ROW EXECUTE FUNCTION "budget_keep"();
--> statement-breakpoint
DROP TRIGGER "budget_keep_sent" ON "budget";
--> statement-breakpoint
DROP TRIGGER "budget_keep_tax_mode" ON "budget";
--> statement-breakpoint
CREATE TRIGGER "budget_keep_tax_mode" BEFORE UPDATE ON "budget" FOR EACH ROW WHEN (old.prices_include_tax IS DISTINCT FROM new.prices_include_tax) EXECUTE FUNCTION "budget_keep_tax_mode"();
--> statement-breakpoint
DROP TRIGGER "budget_keep_license" ON "budget";
--> statement-breakpoint
CREATE TRIGGER "budget_keep_license" BEFORE UPDATE OF "professional_license" ON "budget" FOR EACH ROW WHEN (old.status <> 'draft' AND old.professional_license IS DISTINCT FROM new.professional_license) EXECUTE FUNCTION "budget_keep_license"();
--> statement-breakpoint
DROP TRIGGER "budget_keep_notation" ON "budget";
--> statement-breakpoint
CREATE TRIGGER "budget_keep_notation" BEFORE UPDATE OF "tooth_notation" ON "budget" FOR EACH ROW WHEN (old.status <> 'draft' AND old.tooth_notation IS DISTINCT FROM new.tooth_notation) EXECUTE FUNCTION "budget_keep_notation"();
