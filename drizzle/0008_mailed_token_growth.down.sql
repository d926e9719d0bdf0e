DROP INDEX "core_mailed_token_age";
