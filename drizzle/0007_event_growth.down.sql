DROP INDEX "core_event_age";
