-- The account's seal contains its factors, and SQL cannot seal again: such an account would be locked out for good.
DO $$
DECLARE accounts bigint := (SELECT count(*) FROM core_user WHERE factors IS NOT NULL);
BEGIN
  IF accounts > 0 THEN
    RAISE EXCEPTION 'This version cannot be taken back while % account(s) have a second factor: they could not sign in any more.', accounts
      USING HINT = 'Run svc user reset-factor for each, or let these people remove their factors.';
  END IF;
END $$;--> statement-breakpoint
UPDATE "core_session" SET "revoked_at" = now() WHERE "revoked_at" IS NULL AND "way" IS NOT NULL;--> statement-breakpoint
DROP TABLE "core_sign_in_step";--> statement-breakpoint
DROP TABLE "core_recovery_code";--> statement-breakpoint
DROP TABLE "core_factor";--> statement-breakpoint
ALTER TABLE "core_user" DROP COLUMN "factors";--> statement-breakpoint
ALTER TABLE "core_session" DROP COLUMN "browser";--> statement-breakpoint
ALTER TABLE "core_session" DROP COLUMN "way";--> statement-breakpoint
ALTER TABLE "core_clinic" DROP COLUMN "second_factor_since";--> statement-breakpoint
ALTER TABLE "core_clinic" DROP COLUMN "second_factor";
