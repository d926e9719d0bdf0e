DELETE FROM core_mailed_token WHERE purpose IN ('membership', 'handed_membership');
ALTER TABLE core_mailed_token DROP COLUMN clinic_id;
ALTER TABLE core_membership DROP COLUMN consented_at, DROP COLUMN asked, DROP COLUMN first_name, DROP COLUMN last_name;
ALTER TABLE core_user DROP COLUMN signed_in_at;
