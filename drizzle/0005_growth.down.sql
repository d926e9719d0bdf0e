DROP INDEX "core_delivery_done";
