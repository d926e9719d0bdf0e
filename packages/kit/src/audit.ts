/**
 * The actions of the audit log, in the order of `docs/api.md`. The list is closed, since programs match on the words.
 */
export const AUDIT_ACTIONS = [
  'sign_in',
  'sign_in_failed',
  'factor_added',
  'factor_removed',
  'password_changed',
  'member_added',
  'member_changed',
  'member_removed',
  'token_created',
  'token_revoked',
  'settings_changed',
  'webhook_changed',
  'import_run',
  'export_read',
  'person_exported',
  'person_erased',
  'denied',
  'module_operation',
  'setup',
  'sessions_ended',
  'record_changed',
  'mail_tested',
  'link_unlocked',
  'step_refused'
] as const
export type AuditAction = typeof AUDIT_ACTIONS[number]
