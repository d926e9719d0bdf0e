DROP INDEX "core_delivery_of_event";
