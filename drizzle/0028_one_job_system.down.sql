-- The release before makes the tables of its job library itself, when it starts.
DROP SCHEMA IF EXISTS graphile_worker CASCADE;
