ALTER TABLE "budget" ADD COLUMN "tooth_notation" text;--> statement-breakpoint
ALTER TABLE "budget" ADD COLUMN "deciduous" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "budget_item" ADD COLUMN "teeth" text[];--> statement-breakpoint
ALTER TABLE "budget_item" ADD COLUMN "tooth_surfaces" text[];--> statement-breakpoint
ALTER TABLE "budget_item" ADD COLUMN "area" text;--> statement-breakpoint
ALTER TABLE "budget_item" ADD COLUMN "site" text;
--> statement-breakpoint
-- Part of what was sent.
CREATE FUNCTION "budget_keep_notation"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'budget % version % is %: a version other than a draft is immutable', old.number, old.version, old.status USING ERRCODE = 'restrict_violation';
END
$$;
--> statement-breakpoint
CREATE TRIGGER "budget_keep_notation" BEFORE UPDATE OF "tooth_notation" ON "budget" FOR EACH ROW WHEN (old.status <> 'draft' AND old.tooth_notation IS DISTINCT FROM new.tooth_notation) EXECUTE FUNCTION "budget_keep_notation"();
--> statement-breakpoint
-- The old texts of drafts, as readOldPlace in shared/domain/teeth.ts reads them. What was sent keeps its texts, which
-- are part of its content.
WITH old AS (
  SELECT i.id,
    regexp_replace(coalesce(i.tooth, ''), '^\s+|\s+$', '', 'g') AS code,
    regexp_replace(coalesce(i.surfaces, ''), '^\s+|\s+$', '', 'g') AS letters,
    regexp_replace(upper(coalesce(i.surfaces, '')), '[\s,;./+-]+', '', 'g') AS marks
  FROM budget_item i JOIN budget b ON b.id = i.budget_id
  WHERE b.status = 'draft' AND (i.tooth IS NOT NULL OR i.surfaces IS NOT NULL)
), checked AS (
  SELECT *, code ~ '^([1-4][1-8]|[5-8][1-5])$' AS is_tooth FROM old
), read AS (
  SELECT *, is_tooth
    AND marks ~ ('^[MDV' || CASE WHEN right(code, 1) <= '3' THEN 'I' ELSE 'O' END || CASE WHEN left(code, 1) IN ('1', '2', '5', '6') THEN 'P' ELSE 'L' END || ']+$')
    AND marks !~ '(.).*\1' AS fits
  FROM checked
)
UPDATE budget_item i SET
  teeth = CASE WHEN r.is_tooth THEN ARRAY[r.code] END,
  tooth_surfaces = CASE WHEN r.fits THEN regexp_split_to_array(r.marks, '') END,
  site = nullif(concat_ws(' ', CASE WHEN NOT r.is_tooth THEN nullif(r.code, '') END, CASE WHEN NOT r.fits THEN nullif(r.letters, '') END), ''),
  tooth = NULL,
  surfaces = NULL
FROM read r WHERE i.id = r.id;
