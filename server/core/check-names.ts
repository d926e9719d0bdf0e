/** What `/health` lists when the service is degraded, in this order. */
export const CHECKS = ['workers', 'deliveries', 'webhooks', 'replication', 'database', 'documents'] as const
export type CheckName = typeof CHECKS[number]
