-- The rows' seals contain these columns, and SQL cannot seal again: an account whose factors wait to be confirmed would
-- be locked out for good. Sessions and links are simply made again.
DO $$
DECLARE accounts bigint := (SELECT count(*) FROM core_user WHERE factors_to_review IS NOT NULL);
BEGIN
  IF accounts > 0 THEN
    RAISE EXCEPTION 'This version cannot be taken back while % account(s) have second factors to confirm: they could not sign in any more.', accounts
      USING HINT = 'Let these people confirm or remove them on their account page, or run svc user reset-factor for each.';
  END IF;
END $$;--> statement-breakpoint
UPDATE "core_session" SET "revoked_at" = now()
  WHERE "revoked_at" IS NULL AND ("confirmed_at" IS NOT NULL OR "enrol_until" IS NOT NULL);--> statement-breakpoint
DELETE FROM "core_mailed_token" WHERE "purpose" IN ('enrolment', 'factor_removal') OR "factor_id" IS NOT NULL;--> statement-breakpoint
ALTER TABLE "core_user" DROP COLUMN "factors_to_review";--> statement-breakpoint
ALTER TABLE "core_session" DROP COLUMN "enrol_until";--> statement-breakpoint
ALTER TABLE "core_session" DROP COLUMN "confirmed_by";--> statement-breakpoint
ALTER TABLE "core_session" DROP COLUMN "confirmed_at";--> statement-breakpoint
ALTER TABLE "core_mailed_token" DROP COLUMN "factor_id";--> statement-breakpoint
ALTER TABLE "core_factor" DROP COLUMN "browser";
