DROP INDEX "core_session_age";
