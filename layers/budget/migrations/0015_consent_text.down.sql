ALTER TABLE "budget_signature" DROP COLUMN "consent_text";
