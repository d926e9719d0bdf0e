ALTER TABLE "core_clinic" DROP COLUMN "payment_days";
--> statement-breakpoint
ALTER TABLE "core_clinic" DROP COLUMN "insurer";
--> statement-breakpoint
ALTER TABLE "core_clinic" DROP COLUMN "registration";
--> statement-breakpoint
ALTER TABLE "core_clinic" DROP COLUMN "tax_number";
--> statement-breakpoint
ALTER TABLE "core_clinic" DROP COLUMN "legal_name";
--> statement-breakpoint
ALTER TABLE "core_clinic" DROP COLUMN "country";
